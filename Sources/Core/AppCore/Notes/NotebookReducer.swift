// The list of notes: opened, told by the wing, filtered, searched.

extension AppState {
    mutating func reduce(_ action: NoteAction, _ turn: inout DispatchContext) {
        switch action {
        case .openNotes: show(Screen(.notes), &turn)
        case .closeNotes: closeNotes(&turn)
        case .retryNotes: retryNotes(&turn)
        case .createNote(let title, let folder): createNote(title: title, folder: folder, text: nil, &turn)
        case .openNote(let note): show(Screen(.note, note: note), &turn)
        case .closeNote: if let note = notes.editor?.note { hide(note) }
        case .editNote(let text): editNote(text, &turn)
        case .saveNote: saveNote(&turn)
        case .discardDraft(let note): dropDraft(of: note, &turn)
        case .keepDraft(let note): keepDraft(of: note, &turn)
        case .appendToNote(let note, let text): append(to: note, text, &turn)
        case .renameNote(let note, let title): change(note, .rename(title: title.noteTitle), &turn)
        case .moveNote(let note, let folder): change(note, .move(folder: folder), &turn)
        case .pinNote(let note, let on): change(note, .pin(on: on), &turn)
        case .deleteNote(let note): change(note, .delete, &turn)
        case .restoreNote(let note): change(note, .restore, &turn)
        case .purgeNote(let note): purge(note, &turn)
        case .searchNotes(let query): searchNotes(query, &turn)
        case .filterNotes(let filter): filterNotes(filter)
        case .showMoreNotes: if notes.shown < notes.list.count { notes.shown += NotebookLimits.page }
        case .editFolder(let name): notes.folderForm = name.withoutControls.limited(to: NotebookLimits.titleBytes)
        case .createFolder(let name, let parent): createFolder(name: name, parent: parent, &turn)
        case .renameFolder(let folder, let name): change(folder, .rename(name: name.noteTitle), &turn)
        case .moveFolder(let folder, let parent): change(folder, .move(parent: parent), &turn)
        case .deleteFolder(let folder, let mode): deleteFolder(folder, mode, &turn)
        case .shareNote(let room, let note): shareNote(room, note, &turn)
        case .stopSharingNote(let room, let note): stopSharingNote(room, note, &turn)
        }
    }

    // MARK: - Opening

    /// Has the wing tell what is in the folder, and what changes there, until the notes are closed.
    mutating func openNotes(_ turn: inout DispatchContext) {
        guard notes.openEffect == nil else { return }
        notes.reopenAt = nil
        notes.failure = nil
        notes.openEffect = issue(.openNotes, &turn)
    }

    private mutating func closeNotes(_ turn: inout DispatchContext) {
        screens.removeAll { $0.page.isOfNotes }
        if screens.isEmpty { screens = [Screen(.rooms)] }
        followNote(&turn)
        let drafts = notes.drafts
        if let effect = notes.openEffect {
            settle(effect, &turn)
            issue(.closeNotes, &turn)
        }
        notes = Notebook()
        notes.drafts = drafts
    }

    private mutating func retryNotes(_ turn: inout DispatchContext) {
        if let effect = notes.openEffect, notes.failure != nil {
            settle(effect, &turn)
            notes.openEffect = nil
            issue(.closeNotes, &turn)
        }
        openNotes(&turn)
        if let editor = notes.editor, editor.effect == nil { readNote(editor.note, &turn) }
        retryParked(&turn)
    }

    mutating func notesEnded(_ effect: EffectID, _ failure: Failure?, _ turn: inout DispatchContext) {
        settle(effect, &turn)
        guard notes.openEffect == effect else { return }
        notes.openEffect = nil
        notes.remaining = 0
        notes.failure = failure
        guard let failure, failure.retryable else { return }
        let time = turn.now.advanced(byMilliseconds: max(failure.retryAfter ?? Self.retryInterval, 1000))
        notes.reopenAt = time
        wake(at: time, &turn)
    }

    // MARK: - What the wing tells

    mutating func notesListed(_ effect: EffectID, _ listed: [ListedNote], _ folders: [ListedFolder]) {
        guard notes.openEffect == effect else { return }
        notes.isListed = true
        notes.list = NoteList()
        notes.list.put(listed.map(\.fitted))
        setFolders(folders)
    }

    mutating func notesChanged(
        _ effect: EffectID, _ changed: [ListedNote], removed: [NoteID], _ turn: inout DispatchContext
    ) {
        guard notes.openEffect == effect else { return }
        notes.list.put(changed.map(\.fitted))
        notes.list.remove(removed)
        for note in removed { endSharing(of: note, &turn) }
    }

    mutating func foldersChanged(_ effect: EffectID, _ folders: [ListedFolder]) {
        if notes.openEffect == effect { setFolders(folders) }
    }

    private mutating func setFolders(_ folders: [ListedFolder]) {
        notes.folders = FolderTree(folders)
        // A folder that is shown and goes leaves the whole list.
        if let folder = notes.filter.folder, notes.folders[folder] == nil { notes.filter = NotebookFilter(.all) }
    }

    mutating func notesSyncChanged(_ effect: EffectID, remaining: Int, _ failure: Failure?) {
        guard notes.openEffect == effect else { return }
        notes.remaining = max(remaining, 0)
        notes.failure = failure
    }

    // MARK: - Filter and search

    private mutating func filterNotes(_ filter: NotebookFilter) {
        let isPossible =
            switch filter.show {
            case .all, .deleted: true
            case .folder: filter.folder.map { notes.folders[$0] != nil } ?? true
            case .tag: filter.tag != nil
            }
        guard isPossible else { return }
        notes.filter = NotebookFilter(
            filter.show, folder: filter.show == .folder ? filter.folder : nil,
            tag: filter.show == .tag ? filter.tag?.limited(to: NotebookLimits.tagBytes) : nil)
        notes.shown = NotebookLimits.page
    }

    /// Only the last search counts.
    private mutating func searchNotes(_ query: String, _ turn: inout DispatchContext) {
        let query = query.withoutControls.limited(to: NotebookLimits.queryBytes)
        if let effect = notes.search.effect { settle(effect, &turn) }
        let results = notes.search.results
        notes.search = NoteSearch(query: query)
        guard !query.trimmed.isEmpty else { return }
        // What was found before stays until the answer comes.
        notes.search.results = results
        notes.search.effect = issue(.searchNotes(query: query.trimmed), &turn)
    }

    mutating func notesFound(_ effect: EffectID, _ results: [NoteHit], _ turn: inout DispatchContext) {
        guard case .searchNotes = pendingEffects[effect] else { return }
        settle(effect, &turn)
        guard notes.search.effect == effect else { return }
        notes.search.effect = nil
        notes.search.results = results.prefix(NotebookLimits.results).map(\.fitted)
    }

    mutating func searchFailed(_ effect: EffectID, _ failure: Failure, _ turn: inout DispatchContext) {
        settle(effect, &turn)
        guard notes.search.effect == effect else { return }
        notes.search.effect = nil
        notes.search.results = nil
        notify(.problem, Wording.sentence(for: failure))
    }
}
