extension Presentation {
    /// The list of notes, what it leaves out, and how it stands to the folder.
    var notesScreen: SemanticNode {
        let folder = view.notes.filter.folder
        let isMaking = pendingEffects.contains { if case .createNote = $0 { true } else { false } }
        var children = syncNodes
        children += [
            .button(
                "notes.create", "New note", .notes(.createNote(title: "", folder: folder)),
                isEnabled: notes.list.count < NotebookLimits.notes, isBusy: isMaking),
            .field(
                "notes.search", "Search", text: view.notes.search.query, .notes(.searchNotes(query: "")), input: "query"),
        ]
        children += view.notes.search.query.trimmed.isEmpty ? listNodes : resultNodes
        children += [
            .button("notes.folders", "Folders", .app(.navigate(to: Screen(.folders)))),
            .button("notes.close", "Close the notes", .notes(.closeNotes)),
        ]
        return page("notes", "Notes", children)
    }

    private var syncNodes: [SemanticNode] {
        switch notes.sync {
        case .ready: return [SemanticNode(.status, "notes.sync", "Up to date")]
        case .opening: return [SemanticNode(.status, "notes.sync", "Opening the notes", isBusy: true)]
        case .catchingUp(let remaining):
            let text = "Reading what came from other devices: \(remaining) left"
            return [SemanticNode(.status, "notes.sync", text, isBusy: true)]
        case .problem(let failure):
            let retry = SemanticNode.button("notes.retry", "Try again", .notes(.retryNotes))
            return [SemanticNode(.banner, "notes.problem", Wording.sentence(for: failure), [retry])]
        case .closed: return [.button("notes.retry", "Open the notes", .notes(.retryNotes))]
        }
    }

    private var resultNodes: [SemanticNode] {
        guard let results = view.notes.search.results else {
            return [SemanticNode(.status, "notes.searching", "Searching", isBusy: true)]
        }
        guard !results.isEmpty else { return [SemanticNode(.text, "notes.nothing", "Nothing was found.")] }
        let hits = results.map { hit in
            SemanticNode(
                .item, "hit.\(hit.note)", hit.title.orUntitled, value: .text(hit.snippet),
                offers: [.tap(.notes(.openNote(note: hit.note)))])
        }
        return [
            SemanticNode(.list, "notes.results", "Found", isBusy: view.notes.search.effect != nil, uniqued(hits))
        ]
    }

    private func uniqued(_ nodes: [SemanticNode]) -> [SemanticNode] {
        var seen: Set<String> = []
        return nodes.filter { seen.insert($0.id).inserted }
    }

    private var listNodes: [SemanticNode] {
        var nodes = [SemanticNode(.section, "notes.filter", "Show", filterNodes)]
        if let unsaved { nodes.append(unsaved) }
        let partners = namesOfPartners
        // One more than is shown tells whether there are more.
        let matching = Array(notes.list.inOrder.lazy.filter(view.notes.filter.matches).prefix(view.notes.shown + 1))
        if matching.isEmpty, notes.isListed {
            nodes.append(SemanticNode(.text, "notes.empty", "There are no notes here."))
        } else if !matching.isEmpty {
            let items = matching.prefix(view.notes.shown).map { item($0, partners) }
            nodes.append(SemanticNode(.list, "notes.list", view.notes.filter.title(in: notes.folders), items))
        }
        if matching.count > view.notes.shown {
            nodes.append(.button("notes.more", "Show more", .notes(.showMoreNotes)))
        }
        return nodes
    }

    private func item(_ note: ListedNote, _ partners: [NoteID: [String]]) -> SemanticNode {
        let folder = view.notes.filter.show == .folder ? nil : note.folder.flatMap { notes.folders[$0]?.path }
        let marks = [
            note.problem.map { Wording.sentence(for: Failure($0)) }, note.pinned ? "Pinned" : nil, folder,
            partners[note.id].map { "Shared with " + $0.joined(separator: ", ") },
            notes.draft(of: note.id).map { $0.saving == nil ? "Not saved" : "Saving" },
        ]
        let detail = marks.compactMap(\.self).joined(separator: ". ")
        return SemanticNode(
            .item, "note.\(note.id)", note.title.orUntitled, value: note.preview.isEmpty ? nil : .text(note.preview),
            detail: detail.isEmpty ? nil : detail, at: note.modified,
            offers: [.tap(.notes(.openNote(note: note.id)))])
    }

    /// What was written in notes that are not in the list any more.
    private var unsaved: SemanticNode? {
        let lost = notes.isListed ? notes.drafts.filter { notes.list[$0.note] == nil } : []
        let items = lost.map { draft in
            SemanticNode(
                .item, "draft.\(draft.note)", draft.text.firstLine.orUntitled,
                offers: [.tap(.notes(.openNote(note: draft.note)))])
        }
        return items.isEmpty ? nil : SemanticNode(.section, "notes.unsaved", "Not saved", items)
    }

    private var filterNodes: [SemanticNode] {
        let choice = { (id: String, filter: NotebookFilter, label: String) in
            SemanticNode(
                .choice, id, label, isEnabled: filter != view.notes.filter, isSelected: filter == view.notes.filter,
                offers: [.tap(.notes(.filterNotes(filter: filter)))])
        }
        var nodes = [choice("notes.filter.all", NotebookFilter(.all), "All notes")]
        nodes += notes.folders.inOrder.map { entry in
            choice("notes.folder.\(entry.folder.id)", NotebookFilter(.folder, folder: entry.folder.id), entry.path)
        }
        // Numbered, because what a tag says is content, and no id shows content.
        let tags = notes.list.tags.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.tagsShown)
        nodes += tags.enumerated().map { number, tag in
            choice("notes.tag.\(number)", NotebookFilter(.tag, tag: tag.key), "#\(tag.key) (\(tag.value))")
        }
        nodes.append(choice("notes.filter.deleted", NotebookFilter(.deleted), "Trash"))
        return nodes
    }

    private static let tagsShown = 50
}
