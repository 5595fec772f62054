// Notes as files: written out as Markdown, and made of Markdown that the person gives.

extension AppState {
    mutating func exportNotes(_ note: NoteID?, _ context: inout DispatchContext) {
        guard note.map({ notes.list[$0] != nil }) ?? !notes.list.isEmpty else { return }
        let view = context.view ?? .main
        guard views[view]?.can?.contains(.downloads) == true else {
            issue(.exportNotes(note: note), &context)
            return
        }
        guard !isPacking else { return }
        views.update(view) { $0.archive.packed = nil }
        issue(.packNotes(note: note), &context)
    }

    /// Whether notes are being packed: one file is made at a time.
    var isPacking: Bool { pendingEffects.contains { if case .packNotes = $0 { true } else { false } } }

    mutating func notesPacked(_ effect: EffectID, _ file: ExportedFile, _ context: inout DispatchContext) {
        guard case .packNotes = settle(effect, &context), !lock.isLocked else { return }
        views.update(context.view ?? .main) { $0.archive.packed = file.limited }
    }

    /// The person finds the files where the system shows them.
    mutating func notesExported(_ effect: EffectID, path: String, count: Int, _ context: inout DispatchContext) {
        guard case .exportNotes = settle(effect, &context) else { return }
        let path = path.limited(to: RoomLimits.pathBytes)
        notify(.information, .key("notice.notes_exported", ["count": .count(count), "path": .said(path)]), context)
        issue(.openFile(path: path), &context)
    }

    mutating func importNote(
        name: String, bytes: Int64, handle: String, in folder: FolderID?, _ context: inout DispatchContext
    ) {
        guard notes.isListed, !handle.isEmpty else { return }
        let isPacked = name.lowercased().hasSuffix(".zip")
        guard bytes <= (isPacked ? NotebookLimits.packedBytes : NotebookLimits.importedBytes) else {
            return notify(.problem, Words(Failure(.noteTooLarge)), context)
        }
        guard notes.list.count < NotebookLimits.notes else { return notify(.problem, Wording.tooManyNotes, context) }
        let folder = folder.flatMap { notes.folders[$0]?.folder.id }
        issue(
            .importNote(name: name.noteTitle, handle: handle.limited(to: RoomLimits.pathBytes), folder: folder),
            &context)
    }

    /// - Parameters:
    ///   - left: how much was left out.
    ///   - reason: why the first of it was.
    mutating func notesImported(
        _ effect: EffectID, count: Int, left: Int, _ reason: String?, _ context: inout DispatchContext
    ) {
        guard case .importNote = settle(effect, &context) else { return }
        notify(.information, .key("notice.notes_imported", ["count": .count(count)]), context)
        guard left > 0 else { return }
        let reason = (reason ?? "").withoutControls.limited(to: NotebookLimits.titleBytes)
        notify(.problem, .key("notice.notes_left_out", ["count": .count(left), "reason": .said(reason)]), context)
    }
}
