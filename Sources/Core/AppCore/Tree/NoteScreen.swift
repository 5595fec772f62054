extension Presentation {
    /// One note: its text in a field, how it stands, and who wrote what.
    func noteScreen(_ id: NoteID) -> SemanticNode {
        let summary = notes.list[id]
        let draft = notes.draft(of: id)
        let text = notes.editor(of: id)?.text
        var children = noteStatus(id, draft) + noteBanners(id, summary, draft)
        if let text {
            children.append(
                .field(
                    "note.draft", "Text", text: draft?.text ?? text.string, .notes(.editNote(text: "")), input: "text",
                    isEnabled: notes.canEdit(id), isFocused: true))
        } else if let draft {
            children.append(SemanticNode(.text, "note.written", "What you wrote", value: .text(draft.text)))
        }
        children += draftButtons(id, draft)
        if let text { children += authorNodes(of: text, asBesides: draft != nil) }
        if summary != nil {
            children.append(
                .button(
                    "note.settings", "Folder, sharing and more",
                    .app(.navigate(to: Screen(.noteSettings, note: id)))))
        }
        return page("note", summary.map(\.title.orUntitled) ?? "Note", children)
    }

    private func noteStatus(_ id: NoteID, _ draft: NoteDraft?) -> [SemanticNode] {
        guard let editor = notes.editor(of: id), editor.failure == nil else { return [] }
        let isBusy = editor.text == nil || draft?.saving != nil
        let text: String
        switch draft {
        case _ where editor.text == nil: text = "Reading the note"
        case let draft? where draft.saving != nil: text = "Saving"
        case _? where editor.remoteChanges > 0:
            text = "Not saved. Others changed the note meanwhile: saving keeps both."
        case _?: text = "Not saved"
        case nil where editor.isMerged: text = "Saved, together with what others wrote meanwhile"
        case nil: text = "Saved"
        }
        return [SemanticNode(.status, "note.status", text, isBusy: isBusy)]
    }

    private func noteBanners(_ id: NoteID, _ summary: ListedNote?, _ draft: NoteDraft?) -> [SemanticNode] {
        var nodes: [SemanticNode] = []
        let isCut = notes.editor(of: id)?.text?.isCut == true
        let failures = [
            draft?.failure, notes.editor(of: id)?.failure, summary?.problem.map { Failure($0) },
            isCut ? Failure(.noteTooLarge) : nil,
        ]
        if let failure = failures.compactMap(\.self).first {
            nodes.append(SemanticNode(.banner, "note.problem", Wording.sentence(for: failure)))
        }
        if let editor = notes.editor(of: id), editor.effect == nil {
            nodes.append(.button("note.retry", "Try again", .notes(.retryNotes)))
        }
        if summary?.deleted == true {
            let restore = SemanticNode.button("note.restore", "Restore the note", .notes(.restoreNote(note: id)))
            nodes.append(
                SemanticNode(.banner, "note.deleted", "This note is in the trash. Restore it to change it.", [restore]))
        }
        for room in rooms where room.sharedNotes.offered.contains(id) {
            let share = SemanticNode.button(
                "note.offer.\(room.id).accept", "Share it with \(room.title)",
                .notes(.shareNote(room: room.id, note: id)), isEnabled: summary?.deleted == false && room.canShareNotes)
            nodes.append(
                SemanticNode(
                    .banner, "note.offer.\(room.id)",
                    "\(room.title) shares this note. Share it back to edit it together.",
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
        var nodes = [SemanticNode.button("note.save", "Save", .notes(.saveNote), isEnabled: isIdle && notes.canEdit(id))]
        if draft != nil {
            nodes.append(
                .button("note.discard", "Discard what is not saved", .notes(.discardDraft(note: id)), isEnabled: isIdle)
            )
        }
        if draft != nil, !notes.canEdit(id) {
            nodes.append(
                .button("note.keep", "Keep it as a new note", .notes(.keepDraft(note: id)), isEnabled: isIdle))
        }
        return nodes
    }

    /// Nothing, as long as this person wrote everything.
    private func authorNodes(of text: ShownText, asBesides: Bool) -> [SemanticNode] {
        guard text.spans.contains(where: { $0.author != nil }) else { return [] }
        let parts = text.spans.prefix(Self.partsShown).enumerated().map { number, span in
            SemanticNode(.text, "note.part.\(number)", span.author ?? "You", value: .text(span.text))
        }
        return [
            SemanticNode(.section, "note.authors", asBesides ? "As it is now, by who wrote it" : "Who wrote it", parts)
        ]
    }

    private static let partsShown = 200
}
