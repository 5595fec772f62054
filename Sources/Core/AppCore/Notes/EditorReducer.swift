// The note on the screen: read while it is there, edited as a draft, saved as a change that merges with what others wrote.

extension AppState {
    /// The screen decides which note is read; what was written in the one before is saved.
    mutating func followNote(_ context: inout DispatchContext) {
        guard notes.editor?.note != screen.note else { return }
        if let editor = notes.editor {
            saveNote(&context)
            notes.editor = nil
            if let effect = editor.effect {
                settle(effect, &context)
                issue(.releaseNote(note: editor.note), &context)
            }
        }
        if let note = screen.note { readNote(note, &context) }
    }

    mutating func readNote(_ note: NoteID, _ context: inout DispatchContext) {
        notes.editor = NoteEditor(note: note, effect: issue(.readNote(note: note), &context))
    }

    /// Takes the screens of a note off the path.
    mutating func hide(_ note: NoteID) {
        screens.removeAll { $0.note == note }
        if screens.isEmpty { screens = [Screen(.rooms)] }
    }

    mutating func noteText(_ effect: EffectID, revision: String, _ spans: [NoteSpan]) {
        guard var editor = notes.editor, editor.effect == effect, revision.utf8.count <= NotebookLimits.revisionBytes
        else {
            return
        }
        let text = ShownText(revision: revision, spans: spans)
        if let old = editor.text, old.revision != revision, let draft = notes.draft(of: editor.note),
            draft.saving == nil
        {
            editor.remoteChanges += 1
        }
        editor.text = text
        editor.failure = nil
        notes.editor = editor
    }

    mutating func readingEnded(_ effect: EffectID, _ failure: Failure?, _ context: inout DispatchContext) {
        settle(effect, &context)
        guard notes.editor?.effect == effect else { return }
        notes.editor?.effect = nil
        notes.editor?.failure = failure ?? Failure(.other, retryable: true)
    }

    // MARK: - Drafts

    mutating func editNote(_ text: String, _ context: inout DispatchContext) {
        guard let editor = notes.editor, notes.canEdit, let shown = editor.text else { return }
        guard text.utf8.count <= NotebookLimits.textBytes else {
            return notify(.problem, Wording.sentence(for: Failure(.noteTooLarge)))
        }
        notes.editor?.isMerged = false
        guard let index = notes.draftIndex(of: editor.note) else {
            guard text != shown.string else { return }
            guard notes.drafts.count < NotebookLimits.drafts else { return notify(.problem, Wording.tooManyDrafts) }
            notes.drafts.append(NoteDraft(note: editor.note, base: shown.revision, text: text))
            return context.changed(.draft(editor.note))
        }
        let isAsItWas = notes.drafts[index].base == shown.revision && text == shown.string
        if isAsItWas, notes.drafts[index].saving == nil { return dropDraft(of: editor.note, &context) }
        notes.drafts[index].text = text
        context.changed(.draft(editor.note))
    }

    /// Hands over what was written, one save at a time.
    mutating func saveNote(_ context: inout DispatchContext) {
        guard let note = notes.editor?.note, notes.canEdit, let index = notes.draftIndex(of: note),
            notes.drafts[index].saving == nil
        else { return }
        let draft = notes.drafts[index]
        let effect = issue(.writeNote(note: note, base: draft.base, text: draft.text), &context)
        notes.drafts[index].saving = .init(effect: effect, text: draft.text)
        notes.drafts[index].failure = nil
        context.changed(.draft(note))
    }

    /// What was handed over is in the note. What was written meanwhile goes on from there.
    mutating func noteWritten(_ effect: EffectID, revision: String, _ context: inout DispatchContext) {
        guard case .writeNote(let note, _, let text) = pendingEffects[effect] else { return }
        settle(effect, &context)
        guard let index = notes.drafts.firstIndex(where: { $0.saving?.effect == effect }) else { return }
        if var editor = notes.editor, editor.note == note {
            editor.isMerged = editor.remoteChanges > 0
            editor.remoteChanges = 0
            notes.editor = editor
        }
        if notes.drafts[index].text == text {
            notes.drafts.remove(at: index)
        } else {
            notes.drafts[index].base = revision.limited(to: NotebookLimits.revisionBytes)
            notes.drafts[index].saving = nil
        }
        context.changed(.draft(note))
    }

    mutating func writingFailed(_ effect: EffectID, _ failure: Failure, _ context: inout DispatchContext) {
        if failure.retryable { park(effect, after: failure, &context) } else { settle(effect, &context) }
        guard let index = notes.drafts.firstIndex(where: { $0.saving?.effect == effect }) else { return }
        if !failure.retryable { notes.drafts[index].saving = nil }
        notes.drafts[index].failure = failure
        context.changed(.draft(notes.drafts[index].note))
        if notes.editor?.note != notes.drafts[index].note { notify(.problem, Wording.sentence(for: failure)) }
    }

    mutating func dropDraft(of note: NoteID, _ context: inout DispatchContext) {
        guard let index = notes.draftIndex(of: note) else { return }
        // A save that is under way goes on, but nothing waits for it any more.
        if let saving = notes.drafts[index].saving { settle(saving.effect, &context) }
        notes.drafts.remove(at: index)
        notes.editor?.remoteChanges = 0
        context.changed(.draft(note))
    }

    mutating func keepDraft(of note: NoteID, _ context: inout DispatchContext) {
        guard let draft = notes.draft(of: note), draft.saving == nil else { return }
        guard notes.list.count < NotebookLimits.notes else { return notify(.problem, Wording.tooManyNotes) }
        createNote(title: "", folder: nil, text: draft.text, &context)
        dropDraft(of: note, &context)
    }
}
