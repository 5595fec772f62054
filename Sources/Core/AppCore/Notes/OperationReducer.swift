// What is done to notes and folders as a whole. The host tells what came of it like any other change.

extension AppState {
    mutating func createNote(title: String, folder: FolderID?, text: String?, _ context: inout DispatchContext) {
        guard notes.list.count < NotebookLimits.notes else { return notify(.problem, Wording.tooManyNotes, context) }
        let folder = folder.flatMap { notes.folders[$0]?.folder.id }
        let note = NoteID(context.fresh.compactUUID)
        issue(.createNote(note: note, title: title.noteTitle, folder: folder, text: text), &context)
        views.update(context.view ?? .main) { $0.notes.making = note }
    }

    /// A new note is shown where somebody waits for it.
    mutating func noteCreated(_ effect: EffectID, _ note: NoteID, _ context: inout DispatchContext) {
        settle(effect, &context)
        let view = actingView(context)
        guard view.notes.making == note else { return }
        if view.screen.page.isOfNotes { show(Screen(.note, note: note), in: view.id, &context) }
    }

    mutating func append(to note: NoteID, _ text: String, _ context: inout DispatchContext) {
        guard let known = notes.list[note], !known.deleted, !text.trimmed.isEmpty else { return }
        guard text.utf8.count <= NotebookLimits.textBytes else {
            return notify(.problem, Words(Failure(.noteTooLarge)), context)
        }
        issue(.appendToNote(note: note, text: text), &context)
    }

    /// It is unknown whether a paragraph that was handed over before the process ended is in the note: to add it once more
    /// could add it twice. The person is told, and looks.
    mutating func forgetAppends(_ context: inout DispatchContext) {
        for effect in pendingEffects.inOrder {
            guard case .appendToNote = effect.kind else { continue }
            settle(effect.id, &context)
            notify(.problem, Wording.appendUncertain, context)
        }
    }

    mutating func change(_ note: NoteID, _ change: NoteOperation, _ context: inout DispatchContext) {
        guard let known = notes.list[note] else { return }
        let isPossible =
            switch change {
            case .restore, .purge: known.deleted
            case .move(let folder): !known.deleted && (folder.map { notes.folders[$0] != nil } ?? true)
            case .rename(let title): !known.deleted && title != known.title
            case .pin(let on): !known.deleted && on != known.pinned
            case .delete, .restoreVersion, .comment, .reply, .correct, .resolve, .deleteComment, .deleteReply:
                !known.deleted
            }
        if isPossible { issue(.changeNote(note: note, change: change), &context) }
    }

    mutating func purge(_ note: NoteID, _ context: inout DispatchContext) {
        guard notes.list[note]?.deleted == true else { return }
        dropDraft(of: note, &context)
        change(note, .purge, &context)
        endSharing(of: note, &context)
        hide(note)
    }

    mutating func noteChangeFailed(_ effect: EffectID, _ failure: Failure, _ context: inout DispatchContext) {
        if failure.retryable {
            park(effect, after: failure, &context)
            return notifyOnce(.problem, Words(failure), context)
        }
        guard case .changeNote(let note, let change) = settle(effect, &context) else {
            return notify(.problem, Words(failure), context)
        }
        // Somebody else was quicker.
        if change == .delete || change == .purge, failure.code == .noteUnknown { return }
        giveBack(change, on: note, because: Words(failure), context)
    }

    // MARK: - Folders

    mutating func createFolder(name: String, parent: FolderID?, _ context: inout DispatchContext) {
        let name = name.noteTitle
        guard !name.isEmpty, parent.map({ notes.folders[$0] != nil }) ?? true else { return }
        guard notes.folders.inOrder.count < NotebookLimits.folders else {
            return notify(.problem, Wording.tooManyFolders, context)
        }
        views.update(context.view ?? .main) { $0.notes.folderForm = "" }
        let folder = FolderID(context.fresh.compactUUID)
        issue(.changeFolder(folder: folder, change: .create(name: name, parent: parent)), &context)
    }

    mutating func change(_ folder: FolderID, _ change: FolderOperation, _ context: inout DispatchContext) {
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
        if isPossible { issue(.changeFolder(folder: folder, change: change), &context) }
    }

    mutating func deleteFolder(_ folder: FolderID, _ mode: FolderRemoval, _ context: inout DispatchContext) {
        change(folder, .delete(mode: mode), &context)
        views.updateAll { $0.hide { $0.folder == folder } }
    }
}
