extension Presentation {
    var foldersScreen: SemanticNode {
        let items = notes.folders.inOrder.map { entry in
            SemanticNode(
                .item, "folder.\(entry.folder.id)", entry.path,
                offers: [.tap(.app(.navigate(to: Screen(.folder, folder: entry.folder.id))))])
        }
        let list =
            items.isEmpty
            ? SemanticNode(.text, "folders.empty", "There are no folders yet.")
            : SemanticNode(.list, "folders.list", "Folders", items)
        return page("folders", "Folders", folderForm("folders", in: nil) + [list])
    }

    /// A name, and the button that makes a folder of it.
    private func folderForm(_ id: String, in parent: FolderID?) -> [SemanticNode] {
        [
            .field(
                "\(id).name", "Name of a new folder", text: view.notes.folderForm, .notes(.editFolder(name: "")),
                input: "name"),
            .button(
                "\(id).submit", parent == nil ? "Make the folder" : "Make it in this folder",
                .notes(.createFolder(name: view.notes.folderForm, parent: parent)),
                isEnabled: !view.notes.folderForm.noteTitle.isEmpty && notes.folders.inOrder.count < NotebookLimits.folders),
        ]
    }

    func folderScreen(_ id: FolderID) -> SemanticNode {
        guard let entry = notes.folders[id] else {
            let gone = SemanticNode(.text, "folder.gone", Wording.sentence(for: Failure(.noteFolderUnknown)))
            return page("folder", "Folder", [gone])
        }
        let top = SemanticNode.place(
            "folder.top", "No folder", isSelected: entry.parent == nil, .moveFolder(folder: id, parent: nil))
        let others = notes.folders.inOrder.filter { !notes.folders.contains($0.folder.id, in: id) }
        let places = others.map { other in
            SemanticNode.place(
                "folder.in.\(other.folder.id)", other.path, isSelected: entry.parent == other.folder.id,
                .moveFolder(folder: id, parent: other.folder.id))
        }
        let deletions: [(FolderRemoval, String)] = [
            (.reparent, "Delete it; what is in it moves up"),
            (.cascade, "Delete it and the folders in it; their notes move up"),
            (.simple, "Delete it; what is in it stays without a folder"),
        ]
        let children =
            [
                SemanticNode.field(
                    "folder.title_field", "Name", text: entry.folder.name, .notes(.renameFolder(folder: id, name: "")),
                    input: "name"),
                SemanticNode(.section, "folder.place", "Where it is", [top] + places),
            ] + folderForm("subfolder", in: id)
            + deletions.map { mode, label in
                .button("folder.delete.\(mode.rawValue)", label, .notes(.deleteFolder(folder: id, mode: mode)))
            }
        return page("folder", entry.path, children)
    }
}
