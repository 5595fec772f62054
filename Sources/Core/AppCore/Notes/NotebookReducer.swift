// The list of notes: opened, told by the host, filtered, searched.

extension AppState {
    mutating func reduce(_ action: NoteAction, _ context: inout DispatchContext) {
        switch action {
        case .openNotes: show(Screen(.notes), in: context.view ?? .main, &context)
        case .closeNotes: closeNotes(&context)
        case .retryNotes: retryNotes(&context)
        case .createNote(let title, let folder): createNote(title: title, folder: folder, text: nil, &context)
        case .openNote(let note): show(Screen(.note, note: note), in: context.view ?? .main, &context)
        case .closeNote:
            if let note = actingView(context).note {
                views.update(context.view ?? .main) { $0.hide { $0.note == note } }
            }
        case .editNote(let text): editNote(text, &context)
        case .saveNote: if let note = actingView(context).note { saveNote(note, &context) }
        case .discardDraft(let note): dropDraft(of: note, &context)
        case .keepDraft(let note): keepDraft(of: note, &context)
        case .appendToNote(let note, let text): append(to: note, text, &context)
        case .renameNote(let note, let title): change(note, .rename(title: title.noteTitle), &context)
        case .moveNote(let note, let folder): change(note, .move(folder: folder), &context)
        case .pinNote(let note, let on): change(note, .pin(on: on), &context)
        case .deleteNote(let note): change(note, .delete, &context)
        case .restoreNote(let note): change(note, .restore, &context)
        case .purgeNote(let note): purge(note, &context)
        case .inspectNotes(let on): inspectNotes(on, &context)
        case .listVersions: listVersions(&context)
        case .showVersion(let time): showVersion(time, &context)
        case .askToRestoreVersion(let on): askToRestoreVersion(on, context)
        case .restoreVersion(let note, let time): restoreVersion(note, time, &context)
        case .editComment(let quote, let nth, let text): editComment(quote, nth, text, context)
        case .commentNote(let note, let quote, let nth, let text): comment(on: note, quote, nth, text, &context)
        case .replyToComment(let note, let comment, let text): reply(to: comment, on: note, text, &context)
        case .correctComment(let note, let comment, let answer, let text):
            correct(comment, answer, on: note, text, &context)
        case .resolveComment(let note, let comment, let on):
            say(.resolve(comment: comment, on: on), on: note, &context)
        case .deleteComment(let note, let comment): say(.deleteComment(comment: comment), on: note, &context)
        case .deleteReply(let note, let comment, let answer): deleteReply(answer, to: comment, on: note, &context)
        case .searchNotes(let query): searchNotes(query, &context)
        case .filterNotes(let filter): filterNotes(filter, &context)
        case .showMoreNotes: showMoreNotes(context)
        case .exportNotes(let note): exportNotes(note, &context)
        case .importNote(let name, let bytes, let handle, let folder):
            importNote(name: name, bytes: bytes, handle: handle, in: folder, &context)
        case .editFolder(let name):
            views.update(context.view ?? .main) {
                $0.notes.folderForm = name.withoutControls.limited(to: NotebookLimits.titleBytes)
            }
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

    /// This view follows the folder no longer.
    private mutating func closeNotes(_ context: inout DispatchContext) {
        let view = actingView(context)
        for effect in view.notes.effects { settle(effect, &context) }
        views.update(view.id) {
            $0.hide { $0.page.isOfNotes }
            $0.notes = NotesView()
        }
        unfollowNotes(&context)
    }

    /// Nobody follows the folder once no view does.
    mutating func unfollowNotes(_ context: inout DispatchContext) {
        followNotes(&context)
        guard !views.contains(where: \.notes.isFollowing) else { return }
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
        notes.followed.all.removeAll { $0.effect == nil }
        for editor in notes.editors where editor.effect == nil {
            let effect = issue(.readNote(note: editor.note), &context)
            notes.updateEditor(of: editor.note) { $0 = NoteEditor(note: editor.note, effect: effect) }
        }
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
        for view in views {
            guard let folder = view.notes.filter.folder, notes.folders[folder] == nil else { continue }
            views.update(view.id) { $0.notes.filter = NotebookFilter(.all) }
        }
    }

    mutating func notesSyncChanged(_ effect: EffectID, remaining: Int, _ failure: Failure?) {
        guard notes.openEffect == effect else { return }
        notes.remaining = max(remaining, 0)
        notes.failure = failure
    }

    // MARK: - Filter and search

    /// Shows these notes, and no longer what was found.
    private mutating func filterNotes(_ filter: NotebookFilter, _ context: inout DispatchContext) {
        let isPossible =
            switch filter.show {
            case .all, .pinned, .shared, .deleted: true
            case .folder: filter.folder.map { notes.folders[$0] != nil } ?? true
            case .tag: filter.tag != nil
            }
        guard isPossible else { return }
        searchNotes("", &context)
        views.update(context.view ?? .main) {
            $0.notes.filter = NotebookFilter(
                filter.show, folder: filter.show == .folder ? filter.folder : nil,
                tag: filter.show == .tag ? filter.tag?.limited(to: NotebookLimits.tagBytes) : nil)
            $0.notes.shown = NotebookLimits.page
        }
    }

    private mutating func showMoreNotes(_ context: DispatchContext) {
        guard actingView(context).notes.shown < notes.list.count else { return }
        views.update(context.view ?? .main) { $0.notes.shown += NotebookLimits.page }
    }

    /// Only the last search counts.
    private mutating func searchNotes(_ query: String, _ context: inout DispatchContext) {
        let query = query.withoutControls.limited(to: NotebookLimits.queryBytes)
        let view = actingView(context)
        if let effect = view.notes.search.effect { settle(effect, &context) }
        var search = NoteSearch(query: query)
        if !query.trimmed.isEmpty {
            // What was found before stays until the answer comes.
            search.results = view.notes.search.results
            search.effect = issue(.searchNotes(query: query.trimmed), &context)
        }
        views.update(view.id) { $0.notes.search = search }
    }

    mutating func notesFound(_ effect: EffectID, _ results: [NoteHit], _ context: inout DispatchContext) {
        guard case .searchNotes = pendingEffects[effect] else { return }
        searchEnded(effect, results.prefix(NotebookLimits.results).map(\.fitted), &context)
    }

    private mutating func searchEnded(_ effect: EffectID, _ results: [NoteHit]?, _ context: inout DispatchContext) {
        settle(effect, &context)
        guard let view = views.first(where: { $0.notes.search.effect == effect }) else { return }
        views.update(view.id) {
            $0.notes.search.effect = nil
            $0.notes.search.results = results
        }
    }

    mutating func searchFailed(_ effect: EffectID, _ failure: Failure, _ context: inout DispatchContext) {
        let isAwaited = views.contains { $0.notes.search.effect == effect }
        searchEnded(effect, nil, &context)
        if isAwaited { notify(.problem, Words(failure), context) }
    }
}
