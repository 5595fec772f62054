extension Presentation {
    /// The list of notes, what it leaves out, and how it stands to the folder.
    var notesScreen: SemanticNode {
        page("notes", notesContent + [.button("notes.close", .notes(.closeNotes))])
    }

    /// The same for a window that has space for it beside another screen.
    var notesBeside: SemanticNode { SemanticNode(.section, "notes.beside", notesContent).within(.list) }

    private var notesContent: [SemanticNode] {
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
        let partners = namesOfPartners
        children.append(filterSection(Set(partners.keys)))
        children += view.notes.isSearching ? resultNodes : listNodes(partners)
        var folders = SemanticNode.button("notes.folders", .app(.navigate(to: Screen(.folders))))
        folders.offers.append(Offer(.create, .notes(.createFolder(name: "", parent: nil)), inputs: ["name": .text]))
        let exportAll = SemanticNode.button(
            "notes.export", .notes(.exportNotes(note: nil)), isEnabled: !notes.list.isEmpty,
            isBusy: state.isPacking)
        let importFile = SemanticNode(
            .button, "notes.import", isEnabled: notes.isListed,
            offers: [
                Offer(
                    .attach, .notes(.importNote(name: "", bytes: 0, handle: "", folder: folder)),
                    inputs: ["name": .text, "bytes": .number, "handle": .file])
            ])
        let packed = view.archive.packed.map { SemanticNode.file("notes.packed", $0) }
        return children + [folders, importFile, exportAll] + [packed].compactMap(\.self)
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

    // MARK: - The list

    private func listNodes(_ partners: [NoteID: [Words]]) -> [SemanticNode] {
        let shared = Set(partners.keys)
        var nodes = [unsaved].compactMap(\.self)
        // One more than is shown tells whether there are more.
        let filter = view.notes.filter
        let fitting = notes.list.inOrder.lazy.filter { filter.matches($0, shared: shared) }
        let matching = Array(fitting.prefix(view.notes.shown + 1))
        if matching.isEmpty, notes.isListed {
            nodes.append(SemanticNode(.text, "notes.empty"))
        } else if !matching.isEmpty {
            let items = matching.prefix(view.notes.shown).map { item($0, partners) }
            var list = SemanticNode(.list, "notes.list", filter.title(in: notes.folders), items)
            list.templates = Self.noteTemplates
            nodes.append(list)
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
        var facts = Facts()
        facts.tags = note.tags.isEmpty ? nil : note.tags
        facts.partners = partners[note.id]
        var node = SemanticNode(
            .item, "note.\(note.id)", note.title.noteWords, value: note.preview.isEmpty ? nil : .text(note.preview),
            detail: detail, at: note.modified, isSelected: view.note == note.id,
            offers: [.tap(.notes(.openNote(note: note.id)))]
        ).with(note.pinned ? .pinned : []).with(facts)
        node.uses =
            note.deleted ? [.restore, .purge] : [note.pinned ? .unpin : .pin, .rename, .move, .export, .delete]
        // One file is made at a time.
        if state.isPacking { node.uses.removeAll { $0 == .export } }
        return node
    }

    /// What can be done with every note of the list.
    private static let noteTemplates: [Offer] = [
        Offer(.pin, .notes(.pinNote(note: "_", on: true)), inputs: ["note": .thing]),
        Offer(.unpin, .notes(.pinNote(note: "_", on: false)), inputs: ["note": .thing]),
        Offer(.rename, .notes(.renameNote(note: "_", title: "")), inputs: ["note": .thing, "title": .text]),
        Offer(.move, .notes(.moveNote(note: "_", folder: nil)), inputs: ["note": .thing, "folder": .folder]),
        Offer(.export, .notes(.exportNotes(note: "_")), inputs: ["note": .thing]),
        Offer(.delete, .notes(.deleteNote(note: "_")), inputs: ["note": .thing]),
        Offer(.restore, .notes(.restoreNote(note: "_")), inputs: ["note": .thing]),
        Offer(.purge, .notes(.purgeNote(note: "_")), inputs: ["note": .thing]),
    ]

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
}
