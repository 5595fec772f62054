extension Presentation {
    var foldersScreen: SemanticNode {
        let items = notes.folders.inOrder.map { entry in
            SemanticNode(
                .item, "folder.\(entry.folder.id)", .said(entry.path),
                offers: [.tap(.app(.navigate(to: Screen(.folder, folder: entry.folder.id))))])
        }
        let list =
            items.isEmpty
            ? SemanticNode(.text, "folders.empty")
            : SemanticNode(.list, "folders.list", items)
        return page("folders", folderForm("folders", in: nil) + [list])
    }

    /// A name, and the button that makes a folder of it.
    private func folderForm(_ id: String, in parent: FolderID?) -> [SemanticNode] {
        [
            .field(
                "\(id).name", "folders.name", text: view.notes.folderForm, .notes(.editFolder(name: "")),
                input: "name"),
            .button(
                "\(id).submit", parent == nil ? "folders.submit" : "subfolder.submit",
                .notes(.createFolder(name: view.notes.folderForm, parent: parent)),
                isEnabled: !view.notes.folderForm.noteTitle.isEmpty
                    && notes.folders.inOrder.count < NotebookLimits.folders),
        ]
    }

    func folderScreen(_ id: FolderID) -> SemanticNode {
        guard let entry = notes.folders[id] else {
            let gone = SemanticNode(.text, "folder.gone", Words(Failure(.noteFolderUnknown)))
            return page("folder", "folder", [gone])
        }
        let top = SemanticNode.place(
            "folder.top", .key("folder.top"), isSelected: entry.parent == nil, .moveFolder(folder: id, parent: nil))
        let others = notes.folders.inOrder.filter { !notes.folders.contains($0.folder.id, in: id) }
        let places = others.map { other in
            SemanticNode.place(
                "folder.in.\(other.folder.id)", .said(other.path), isSelected: entry.parent == other.folder.id,
                .moveFolder(folder: id, parent: other.folder.id))
        }
        let deletions: [(FolderRemoval, Words)] = [
            (.reparent, "folder.delete.reparent"),
            (.cascade, "folder.delete.cascade"),
            (.simple, "folder.delete.simple"),
        ]
        let children =
            [
                SemanticNode.field(
                    "folder.title_field", text: entry.folder.name, .notes(.renameFolder(folder: id, name: "")),
                    input: "name"),
                SemanticNode(.section, "folder.place", [top] + places),
            ] + folderForm("subfolder", in: id)
            + deletions.map { mode, label in
                .button("folder.delete.\(mode.rawValue)", label, .notes(.deleteFolder(folder: id, mode: mode)))
            }
        return page("folder", .said(entry.path), children)
    }
}
