// The list of notes: opened, told by the host, filtered, searched.

extension AppState {
    mutating func reduce(_ action: NoteAction, _ context: inout DispatchContext) {
        switch action {
        case .openNotes: show(Screen(.notes), &context)
        case .closeNotes: closeNotes(&context)
        case .retryNotes: retryNotes(&context)
        case .createNote(let title, let folder): createNote(title: title, folder: folder, text: nil, &context)
        case .openNote(let note): show(Screen(.note, note: note), &context)
        case .closeNote: if let note = notes.editor?.note { hide(note) }
        case .editNote(let text): editNote(text, &context)
        case .saveNote: saveNote(&context)
        case .discardDraft(let note): dropDraft(of: note, &context)
        case .keepDraft(let note): keepDraft(of: note, &context)
        case .appendToNote(let note, let text): append(to: note, text, &context)
        case .renameNote(let note, let title): change(note, .rename(title: title.noteTitle), &context)
        case .moveNote(let note, let folder): change(note, .move(folder: folder), &context)
        case .pinNote(let note, let on): change(note, .pin(on: on), &context)
        case .deleteNote(let note): change(note, .delete, &context)
        case .restoreNote(let note): change(note, .restore, &context)
        case .purgeNote(let note): purge(note, &context)
        case .searchNotes(let query): searchNotes(query, &context)
        case .filterNotes(let filter): filterNotes(filter)
        case .showMoreNotes: if notes.shown < notes.list.count { notes.shown += NotebookLimits.page }
        case .editFolder(let name): notes.folderForm = name.withoutControls.limited(to: NotebookLimits.titleBytes)
        case .createFolder(let name, let parent): createFolder(name: name, parent: parent, &context)
        case .renameFolder(let folder, let name): change(folder, .rename(name: name.noteTitle), &context)
        case .moveFolder(let folder, let parent): change(folder, .move(parent: parent), &context)
        case .deleteFolder(let folder, let mode): deleteFolder(folder, mode, &context)
        case .shareNote(let room, let note): shareNote(room, note, &context)
        case .stopSharingNote(let room, let note): stopSharingNote(room, note, &context)
        }
    }

    // MARK: - Opening

    /// Has the host tell what is in the folder, and what changes there, until the notes are closed.
    mutating func openNotes(_ context: inout DispatchContext) {
        guard notes.openEffect == nil else { return }
        notes.reopenAt = nil
        notes.failure = nil
        notes.openEffect = issue(.openNotes, &context)
    }

    private mutating func closeNotes(_ context: inout DispatchContext) {
        screens.removeAll { $0.page.isOfNotes }
        if screens.isEmpty { screens = [Screen(.rooms)] }
        followNote(&context)
        let drafts = notes.drafts
        if let effect = notes.openEffect {
            settle(effect, &context)
            issue(.closeNotes, &context)
        }
        notes = Notebook()
        notes.drafts = drafts
    }

    private mutating func retryNotes(_ context: inout DispatchContext) {
        if let effect = notes.openEffect, notes.failure != nil {
            settle(effect, &context)
            notes.openEffect = nil
            issue(.closeNotes, &context)
        }
        openNotes(&context)
        if let editor = notes.editor, editor.effect == nil { readNote(editor.note, &context) }
        retryParked(&context)
    }

    mutating func notesEnded(_ effect: EffectID, _ failure: Failure?, _ context: inout DispatchContext) {
        settle(effect, &context)
        guard notes.openEffect == effect else { return }
        notes.openEffect = nil
        notes.remaining = 0
        notes.failure = failure
        guard let failure, failure.retryable else { return }
        let time = context.now.advanced(byMilliseconds: max(failure.retryAfter ?? Self.retryInterval, 1000))
        notes.reopenAt = time
        wake(at: time, &context)
    }

    // MARK: - What the host tells

    mutating func notesListed(_ effect: EffectID, _ listed: [ListedNote], _ folders: [ListedFolder]) {
        guard notes.openEffect == effect else { return }
        notes.isListed = true
        notes.list = NoteList()
        notes.list.put(listed.map(\.fitted))
        setFolders(folders)
    }

    mutating func notesChanged(
        _ effect: EffectID, _ changed: [ListedNote], removed: [NoteID], _ context: inout DispatchContext
    ) {
        guard notes.openEffect == effect else { return }
        notes.list.put(changed.map(\.fitted))
        notes.list.remove(removed)
        for note in removed { endSharing(of: note, &context) }
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
    private mutating func searchNotes(_ query: String, _ context: inout DispatchContext) {
        let query = query.withoutControls.limited(to: NotebookLimits.queryBytes)
        if let effect = notes.search.effect { settle(effect, &context) }
        let results = notes.search.results
        notes.search = NoteSearch(query: query)
        guard !query.trimmed.isEmpty else { return }
        // What was found before stays until the answer comes.
        notes.search.results = results
        notes.search.effect = issue(.searchNotes(query: query.trimmed), &context)
    }

    mutating func notesFound(_ effect: EffectID, _ results: [NoteHit], _ context: inout DispatchContext) {
        guard case .searchNotes = pendingEffects[effect] else { return }
        settle(effect, &context)
        guard notes.search.effect == effect else { return }
        notes.search.effect = nil
        notes.search.results = results.prefix(NotebookLimits.results).map(\.fitted)
    }

    mutating func searchFailed(_ effect: EffectID, _ failure: Failure, _ context: inout DispatchContext) {
        settle(effect, &context)
        guard notes.search.effect == effect else { return }
        notes.search.effect = nil
        notes.search.results = nil
        notify(.problem, Wording.sentence(for: failure))
    }
}
