extension Presentation {
    /// One note: its text in a field, how it stands, and who wrote what. A view that can show documents has an editor instead.
    func noteScreen(_ id: NoteID) -> SemanticNode {
        let summary = notes.list[id]
        let children = view.document == id ? document(id, summary) : markdown(id, summary)
        return page("note", summary.map(\.title.noteWords) ?? "note", children + surroundings(id, summary))
    }

    /// What there is about the note besides its text.
    private func surroundings(_ id: NoteID, _ summary: ListedNote?) -> [SemanticNode] {
        guard summary != nil else { return [] }
        return [.button("note.settings", .app(.navigate(to: Screen(.noteSettings, note: id))))] + inspectorNodes(id)
    }

    /// The host has the text. What was typed as Markdown and could not be saved stands here, so that it is not forgotten.
    private func document(_ id: NoteID, _ summary: ListedNote?) -> [SemanticNode] {
        let draft = notes.editor(of: id) == nil ? notes.draft(of: id) : nil
        var children = noteBanners(id, summary, draft)
        if let draft {
            children.append(SemanticNode(.text, "note.written", value: .text(draft.text)))
            children += draftButtons(id, draft)
        }
        guard summary != nil || !notes.isListed, summary?.problem == nil else { return children }
        var facts = Facts()
        facts.doc = id
        var editor = SemanticNode(.editor, "note.editor").with(facts)
        if summary?.deleted == true { editor = editor.with(.readonly) }
        return children + [editor]
    }

    private func markdown(_ id: NoteID, _ summary: ListedNote?) -> [SemanticNode] {
        let draft = notes.draft(of: id)
        let text = notes.editor(of: id)?.text
        var children = noteStatus(id, draft) + noteBanners(id, summary, draft)
        if let text {
            children.append(
                .field(
                    "note.draft", text: draft?.text ?? text.string, .notes(.editNote(text: "")), input: "text",
                    kind: .longText, isEnabled: notes.canEdit(id), isFocused: true))
        } else if let draft {
            children.append(SemanticNode(.text, "note.written", value: .text(draft.text)))
        }
        children += draftButtons(id, draft)
        if let text { children += authorNodes(of: text, asBesides: draft != nil) }
        return children
    }

    private func noteStatus(_ id: NoteID, _ draft: NoteDraft?) -> [SemanticNode] {
        guard let editor = notes.editor(of: id), editor.failure == nil else { return [] }
        let isBusy = editor.text == nil || draft?.saving != nil
        let text: Words
        switch draft {
        case _ where editor.text == nil: text = "note.reading"
        case let draft? where draft.saving != nil: text = "note.saving"
        case _? where editor.remoteChanges > 0:
            text = "note.not_saved.merging"
        case _?: text = "note.not_saved"
        case nil where editor.isMerged: text = "note.saved.merged"
        case nil: text = "note.saved"
        }
        return [SemanticNode(.status, "note.status", text, isBusy: isBusy)]
    }

    private func noteBanners(_ id: NoteID, _ summary: ListedNote?, _ draft: NoteDraft?) -> [SemanticNode] {
        var nodes: [SemanticNode] = []
        let editor = view.document == id ? nil : notes.editor(of: id)
        let failures = [
            draft?.failure, editor?.failure, summary?.problem.map { Failure($0) },
            editor?.text?.isCut == true ? Failure(.noteTooLarge) : nil,
        ]
        if let failure = failures.compactMap(\.self).first {
            nodes.append(SemanticNode(.banner, "note.problem", Words(failure)))
        }
        if let editor, editor.effect == nil {
            nodes.append(.button("note.retry", .notes(.retryNotes)))
        }
        if summary?.deleted == true {
            let restore = SemanticNode.button("note.restore", .notes(.restoreNote(note: id)))
            nodes.append(
                SemanticNode(.banner, "note.deleted", [restore]))
        }
        for room in rooms where room.sharedNotes.offered.contains(id) {
            let share = SemanticNode.button(
                "note.offer.\(room.id).accept", .key("note.offer.accept", ["room": .words(room.titleWords)]),
                .notes(.shareNote(room: room.id, note: id)), isEnabled: summary?.deleted == false && room.canShareNotes)
            nodes.append(
                SemanticNode(
                    .banner, "note.offer.\(room.id)",
                    .key("note.offer", ["room": .words(room.titleWords)]),
                    [share]))
        }
        for room in rooms {
            guard let text = room.sharingText(of: id) else { continue }
            nodes.append(SemanticNode(.status, "note.shared.\(room.id)", text))
        }
        return nodes
    }

    private func draftButtons(_ id: NoteID, _ draft: NoteDraft?) -> [SemanticNode] {
        let isIdle = draft != nil && draft?.saving == nil
        var nodes = [SemanticNode.button("note.save", .notes(.saveNote), isEnabled: isIdle && notes.canEdit(id))]
        if draft != nil {
            nodes.append(
                .button("note.discard", .notes(.discardDraft(note: id)), isEnabled: isIdle)
            )
        }
        if draft != nil, !notes.canEdit(id) {
            nodes.append(
                .button("note.keep", .notes(.keepDraft(note: id)), isEnabled: isIdle))
        }
        return nodes
    }

    /// Nothing, as long as this person wrote everything.
    private func authorNodes(of text: ShownText, asBesides: Bool) -> [SemanticNode] {
        guard text.spans.contains(where: { $0.author != nil }) else { return [] }
        let parts = text.spans.prefix(Self.partsShown).enumerated().map { number, span in
            SemanticNode(
                .text, "note.part.\(number)", span.author.map { .said($0) } ?? "message.own", value: .text(span.text))
        }
        return [
            SemanticNode(.section, "note.authors", asBesides ? "note.authors.now" : "note.authors", parts)
        ]
    }

    private static let partsShown = 200
}
