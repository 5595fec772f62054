// Which notes the list can show: all, pinned or shared ones, those of a folder or with a tag, and the trash.

extension Presentation {
    /// - Parameter shared: the notes that are shared in some room.
    func filterSection(_ shared: Set<NoteID>) -> SemanticNode {
        let list = notes.list
        let deleted = list.deleted
        var nodes = [choice("notes.filter.all", .all, "notes.filter.all", list.count - deleted)]
        if list.pinned > 0 || view.notes.filter.show == .pinned {
            nodes.append(choice("notes.filter.pinned", .pinned, "notes.filter.pinned", list.pinned))
        }
        if !shared.isEmpty || view.notes.filter.show == .shared {
            let count = shared.count { list[$0]?.deleted == false }
            nodes.append(choice("notes.filter.shared", .shared, "notes.filter.shared", count))
        }
        nodes += notes.folders.inOrder.map(folder)
        // Numbered, because what a tag says is content, and no id shows content.
        let tags = list.tags.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.tagsShown)
        nodes += tags.enumerated().map { number, tag in
            choice(
                "notes.tag.\(number)", NotebookFilter(.tag, tag: tag.key),
                .key("notes.tag", ["tag": .said(tag.key), "count": .count(tag.value)]))
        }
        nodes.append(choice("notes.filter.deleted", .deleted, "notes.filter.deleted", deleted))
        var section = SemanticNode(.section, "notes.filter", nodes)
        section.templates = Self.folderTemplates
        return section
    }

    private func folder(_ entry: FolderTree.Entry) -> SemanticNode {
        let id = entry.folder.id
        var node = choice("place.\(id)", NotebookFilter(.folder, folder: id), .said(entry.path))
        if let count = notes.list.inFolders[id] { node.value = .count(count) }
        node.facts.level = entry.level
        node.uses = [.create, .rename, .move, .delete]
        return node
    }

    private func choice(
        _ id: String, _ show: NotebookFilter.Show, _ label: Words, _ count: Int
    ) -> SemanticNode {
        var node = choice(id, NotebookFilter(show), label)
        if count > 0 { node.value = .count(count) }
        return node
    }

    private func choice(_ id: String, _ filter: NotebookFilter, _ label: Words) -> SemanticNode {
        // A search looks everywhere; to choose one ends it.
        let isChosen = filter == view.notes.filter && !view.notes.isSearching
        return SemanticNode(
            .choice, id, label, isEnabled: !isChosen, isSelected: isChosen,
            offers: [.tap(.notes(.filterNotes(filter: filter)))])
    }

    /// What can be done with every folder. What is in one that is deleted goes to the folder above.
    private static let folderTemplates: [Offer] = [
        Offer(.create, .notes(.createFolder(name: "", parent: "_")), inputs: ["parent": .thing, "name": .text]),
        Offer(.rename, .notes(.renameFolder(folder: "_", name: "")), inputs: ["folder": .thing, "name": .text]),
        Offer(.move, .notes(.moveFolder(folder: "_", parent: nil)), inputs: ["folder": .thing, "parent": .folder]),
        Offer(.delete, .notes(.deleteFolder(folder: "_", mode: .reparent)), inputs: ["folder": .thing]),
    ]

    private static let tagsShown = 50
}
