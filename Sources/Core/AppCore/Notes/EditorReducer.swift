// Notes on the screens of views: read while some view shows them, edited as drafts, saved as changes that merge with what others
// wrote.

extension AppState {
    /// The screens decide which notes are read; what was written in one that is shown no longer is saved.
    mutating func followNotes(_ context: inout DispatchContext) {
        followDetails(&context)
        guard !notes.editors.isEmpty || views.contains(where: { $0.markdownNote != nil }) else { return }
        for editor in notes.editors where !views.contains(where: { $0.markdownNote == editor.note }) {
            saveNote(editor.note, &context)
            notes.editors.removeAll { $0.note == editor.note }
            if let effect = editor.effect {
                settle(effect, &context)
                issue(.releaseNote(note: editor.note), &context)
            }
        }
        for view in views {
            guard let note = view.markdownNote, notes.editor(of: note) == nil else { continue }
            notes.editors.append(NoteEditor(note: note, effect: issue(.readNote(note: note), &context)))
        }
    }

    /// Takes the screens of a note off the path of every view.
    mutating func hide(_ note: NoteID) { views.updateAll { $0.hide { $0.note == note } } }

    mutating func noteText(_ effect: EffectID, revision: String, _ spans: [NoteSpan]) {
        guard var editor = notes.editors.first(where: { $0.effect == effect }),
            revision.utf8.count <= NotebookLimits.revisionBytes
        else { return }
        let text = ShownText(revision: revision, spans: spans)
        if let old = editor.text, old.revision != revision, let draft = notes.draft(of: editor.note),
            draft.saving == nil
        {
            editor.remoteChanges += 1
        }
        editor.text = text
        editor.failure = nil
        notes.updateEditor(of: editor.note) { $0 = editor }
    }

    mutating func readingEnded(_ effect: EffectID, _ failure: Failure?, _ context: inout DispatchContext) {
        settle(effect, &context)
        guard let note = notes.editors.first(where: { $0.effect == effect })?.note else { return }
        notes.updateEditor(of: note) {
            $0.effect = nil
            $0.failure = failure ?? Failure(.other, retryable: true)
        }
    }

    // MARK: - Drafts

    mutating func editNote(_ text: String, _ context: inout DispatchContext) {
        guard let note = actingView(context).note, notes.canEdit(note), let editor = notes.editor(of: note),
            let shown = editor.text
        else { return }
        guard text.utf8.count <= NotebookLimits.textBytes else {
            return notify(.problem, Words(Failure(.noteTooLarge)), context)
        }
        notes.updateEditor(of: note) { $0.isMerged = false }
        guard let index = notes.draftIndex(of: editor.note) else {
            guard text != shown.string else { return }
            guard notes.drafts.count < NotebookLimits.drafts else {
                return notify(.problem, Wording.tooManyDrafts, context)
            }
            notes.drafts.append(NoteDraft(note: editor.note, base: shown.revision, text: text))
            return context.changed(.draft(editor.note))
        }
        let isAsItWas = notes.drafts[index].base == shown.revision && text == shown.string
        if isAsItWas, notes.drafts[index].saving == nil { return dropDraft(of: editor.note, &context) }
        notes.drafts[index].text = text
        context.changed(.draft(editor.note))
    }

    /// Hands over what was written, one save at a time.
    mutating func saveNote(_ note: NoteID, _ context: inout DispatchContext) {
        guard notes.canEdit(note), let index = notes.draftIndex(of: note),
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
        notes.updateEditor(of: note) {
            $0.isMerged = $0.remoteChanges > 0
            $0.remoteChanges = 0
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
        if notes.editor(of: notes.drafts[index].note) == nil { notify(.problem, Words(failure), context) }
    }

    mutating func dropDraft(of note: NoteID, _ context: inout DispatchContext) {
        guard let index = notes.draftIndex(of: note) else { return }
        // A save that is under way goes on, but nothing waits for it any more.
        if let saving = notes.drafts[index].saving { settle(saving.effect, &context) }
        notes.drafts.remove(at: index)
        notes.updateEditor(of: note) { $0.remoteChanges = 0 }
        context.changed(.draft(note))
    }

    mutating func keepDraft(of note: NoteID, _ context: inout DispatchContext) {
        guard let draft = notes.draft(of: note), draft.saving == nil else { return }
        guard notes.list.count < NotebookLimits.notes else { return notify(.problem, Wording.tooManyNotes, context) }
        createNote(title: "", folder: nil, text: draft.text, &context)
        dropDraft(of: note, &context)
    }
}
