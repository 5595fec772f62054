extension Presentation {
    /// The list of notes, what it leaves out, and how it stands to the folder.
    var notesScreen: SemanticNode {
        let folder = view.notes.filter.folder
        let isMaking = pendingEffects.contains { if case .createNote = $0 { true } else { false } }
        var children = syncNodes
        children += [
            .button(
                "notes.create", .notes(.createNote(title: "", folder: folder)),
                isEnabled: notes.list.count < NotebookLimits.notes, isBusy: isMaking),
            .field(
                "notes.search", text: view.notes.search.query, .notes(.searchNotes(query: "")), input: "query"),
        ]
        children += view.notes.search.query.trimmed.isEmpty ? listNodes : resultNodes
        children += [
            .button("notes.folders", .app(.navigate(to: Screen(.folders)))),
            .button("notes.close", .notes(.closeNotes)),
        ]
        return page("notes", children)
    }

    private var syncNodes: [SemanticNode] {
        switch notes.sync {
        case .ready: return [SemanticNode(.status, "notes.sync")]
        case .opening: return [SemanticNode(.status, "notes.sync", "notes.opening", isBusy: true)]
        case .catchingUp(let remaining):
            let text = Words.key("notes.remaining", ["count": .count(remaining)])
            return [SemanticNode(.status, "notes.sync", text, isBusy: true)]
        case .problem(let failure):
            let retry = SemanticNode.button("notes.retry", .notes(.retryNotes))
            return [SemanticNode(.banner, "notes.problem", Words(failure), [retry])]
        case .closed: return [.button("notes.retry", "notes.reopen", .notes(.retryNotes))]
        }
    }

    private var resultNodes: [SemanticNode] {
        guard let results = view.notes.search.results else {
            return [SemanticNode(.status, "notes.searching", isBusy: true)]
        }
        guard !results.isEmpty else { return [SemanticNode(.text, "notes.nothing")] }
        let hits = results.map { hit in
            SemanticNode(
                .item, "hit.\(hit.note)", hit.title.noteWords, value: .text(hit.snippet),
                offers: [.tap(.notes(.openNote(note: hit.note)))])
        }
        return [
            SemanticNode(.list, "notes.results", isBusy: view.notes.search.effect != nil, uniqued(hits))
        ]
    }

    private func uniqued(_ nodes: [SemanticNode]) -> [SemanticNode] {
        var seen: Set<String> = []
        return nodes.filter { seen.insert($0.id).inserted }
    }

    private var listNodes: [SemanticNode] {
        var nodes = [SemanticNode(.section, "notes.filter", filterNodes)]
        if let unsaved { nodes.append(unsaved) }
        let partners = namesOfPartners
        // One more than is shown tells whether there are more.
        let matching = Array(notes.list.inOrder.lazy.filter(view.notes.filter.matches).prefix(view.notes.shown + 1))
        if matching.isEmpty, notes.isListed {
            nodes.append(SemanticNode(.text, "notes.empty"))
        } else if !matching.isEmpty {
            let items = matching.prefix(view.notes.shown).map { item($0, partners) }
            nodes.append(SemanticNode(.list, "notes.list", view.notes.filter.title(in: notes.folders), items))
        }
        if matching.count > view.notes.shown {
            nodes.append(.button("notes.more", .notes(.showMoreNotes)))
        }
        return nodes
    }

    private func item(_ note: ListedNote, _ partners: [NoteID: [Words]]) -> SemanticNode {
        let folder = view.notes.filter.show == .folder ? nil : note.folder.flatMap { notes.folders[$0]?.path }
        let detail = Words(sentences: [
            note.problem.map { Words(Failure($0)) }, note.pinned ? "note.pinned" : nil, folder.map { .said($0) },
            partners[note.id].map { .key("note.shared_with", ["rooms": .list($0)]) },
            notes.draft(of: note.id).map { $0.saving == nil ? "note.not_saved" : "note.saving" },
        ])
        return SemanticNode(
            .item, "note.\(note.id)", note.title.noteWords, value: note.preview.isEmpty ? nil : .text(note.preview),
            detail: detail, at: note.modified,
            offers: [.tap(.notes(.openNote(note: note.id)))]
        ).with(note.pinned ? .pinned : [])
    }

    /// What was written in notes that are not in the list any more.
    private var unsaved: SemanticNode? {
        let lost = notes.isListed ? notes.drafts.filter { notes.list[$0.note] == nil } : []
        let items = lost.map { draft in
            SemanticNode(
                .item, "draft.\(draft.note)", draft.text.firstLine.noteWords,
                offers: [.tap(.notes(.openNote(note: draft.note)))])
        }
        return items.isEmpty ? nil : SemanticNode(.section, "notes.unsaved", items)
    }

    private var filterNodes: [SemanticNode] {
        let choice = { (id: String, filter: NotebookFilter, label: Words) in
            SemanticNode(
                .choice, id, label, isEnabled: filter != view.notes.filter, isSelected: filter == view.notes.filter,
                offers: [.tap(.notes(.filterNotes(filter: filter)))])
        }
        var nodes = [choice("notes.filter.all", NotebookFilter(.all), "notes.filter.all")]
        nodes += notes.folders.inOrder.map { entry in
            choice(
                "notes.folder.\(entry.folder.id)", NotebookFilter(.folder, folder: entry.folder.id), .said(entry.path))
        }
        // Numbered, because what a tag says is content, and no id shows content.
        let tags = notes.list.tags.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.tagsShown)
        nodes += tags.enumerated().map { number, tag in
            choice(
                "notes.tag.\(number)", NotebookFilter(.tag, tag: tag.key),
                .key("notes.tag", ["tag": .said(tag.key), "count": .count(tag.value)]))
        }
        nodes.append(choice("notes.filter.deleted", NotebookFilter(.deleted), "notes.filter.deleted"))
        return nodes
    }

    private static let tagsShown = 50
}
