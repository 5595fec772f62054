// What is done to notes and folders as a whole. The wing tells what came of it like any other change.

extension AppState {
    mutating func createNote(title: String, folder: FolderID?, text: String?, _ turn: inout DispatchContext) {
        guard notes.list.count < NotebookLimits.notes else { return notify(.problem, Wording.tooManyNotes) }
        let folder = folder.flatMap { notes.folders[$0]?.folder.id }
        let note = NoteID(turn.fresh.compactUUID)
        issue(.createNote(note: note, title: title.noteTitle, folder: folder, text: text), &turn)
    }

    /// A new note is shown where somebody waits for it.
    mutating func noteCreated(_ effect: EffectID, _ note: NoteID, _ turn: inout DispatchContext) {
        settle(effect, &turn)
        if screen.page == .notes { show(Screen(.note, note: note), &turn) }
    }

    mutating func append(to note: NoteID, _ text: String, _ turn: inout DispatchContext) {
        guard let known = notes.list[note], !known.deleted, !text.trimmed.isEmpty else { return }
        guard text.utf8.count <= NotebookLimits.textBytes else {
            return notify(.problem, Wording.sentence(for: Failure(.noteTooLarge)))
        }
        issue(.appendToNote(note: note, text: text), &turn)
    }

    /// Nobody knows whether a paragraph that was handed over before the process ended is in the note: to add it once more
    /// could add it twice. The person is told, and looks.
    mutating func forgetAppends(_ turn: inout DispatchContext) {
        for effect in pendingEffects.inOrder {
            guard case .appendToNote = effect.kind else { continue }
            settle(effect.id, &turn)
            notify(.problem, Wording.appendUncertain)
        }
    }

    mutating func change(_ note: NoteID, _ change: NoteOperation, _ turn: inout DispatchContext) {
        guard let known = notes.list[note] else { return }
        let isPossible =
            switch change {
            case .restore, .purge: known.deleted
            case .move(let folder): !known.deleted && (folder.map { notes.folders[$0] != nil } ?? true)
            case .rename(let title): !known.deleted && title != known.title
            case .pin(let on): !known.deleted && on != known.pinned
            case .delete: !known.deleted
            }
        if isPossible { issue(.changeNote(note: note, change: change), &turn) }
    }

    mutating func purge(_ note: NoteID, _ turn: inout DispatchContext) {
        guard notes.list[note]?.deleted == true else { return }
        dropDraft(of: note, &turn)
        change(note, .purge, &turn)
        endSharing(of: note, &turn)
        hide(note)
    }

    mutating func noteChangeFailed(_ effect: EffectID, _ failure: Failure, _ turn: inout DispatchContext) {
        if failure.retryable {
            park(effect, after: failure, &turn)
            return notifyOnce(.problem, Wording.sentence(for: failure))
        }
        if case .changeNote(_, let change) = settle(effect, &turn), change == .delete || change == .purge,
            failure.code == .noteUnknown
        {
            // Somebody else was quicker.
            return
        }
        notify(.problem, Wording.sentence(for: failure))
    }

    // MARK: - Folders

    mutating func createFolder(name: String, parent: FolderID?, _ turn: inout DispatchContext) {
        let name = name.noteTitle
        guard !name.isEmpty, parent.map({ notes.folders[$0] != nil }) ?? true else { return }
        guard notes.folders.inOrder.count < NotebookLimits.folders else {
            return notify(.problem, Wording.tooManyFolders)
        }
        notes.folderForm = ""
        let folder = FolderID(turn.fresh.compactUUID)
        issue(.changeFolder(folder: folder, change: .create(name: name, parent: parent)), &turn)
    }

    mutating func change(_ folder: FolderID, _ change: FolderOperation, _ turn: inout DispatchContext) {
        guard let known = notes.folders[folder] else { return }
        let isPossible =
            switch change {
            case .create: false
            case .rename(let name): !name.isEmpty && name != known.folder.name
            case .move(let parent):
                parent != known.parent
                    && (parent.map { notes.folders[$0] != nil && !notes.folders.contains($0, in: folder) } ?? true)
            case .delete: true
            }
        if isPossible { issue(.changeFolder(folder: folder, change: change), &turn) }
    }

    mutating func deleteFolder(_ folder: FolderID, _ mode: FolderRemoval, _ turn: inout DispatchContext) {
        change(folder, .delete(mode: mode), &turn)
        screens.removeAll { $0.folder == folder }
        if screens.isEmpty { screens = [Screen(.rooms)] }
    }
}
