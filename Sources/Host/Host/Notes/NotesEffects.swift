import AppCore
import Notes

/// Carries the core's wishes about notes to the subsystem, and its answers back.
extension AppHost {
    /// The effects that last until they are called off.
    struct HeldNotes {
        var following: EffectID?
        var reading: [NoteID: EffectID] = [:]
        /// Whose surroundings are told.
        var surroundings: [NoteID: EffectID] = [:]

        mutating func takeAll() -> [EffectID] {
            defer { self = HeldNotes() }
            return [following].compactMap(\.self) + reading.values + surroundings.values
        }
    }

    /// The name that the person chose goes with what they write from now on.
    func tellNotesTheName() {
        let name = read(\.settings.name) ?? person
        Task { [notes] in await notes.call(name) }
    }

    func executeNotes(_ effect: Effect) async {
        let id = effect.id
        switch effect.kind {
        case .openNotes:
            heldNotes.following = id
            inBackground(id) { try await self.follow(id) }
        case .closeNotes:
            for lasting in heldNotes.takeAll() { tasks[lasting]?.cancel() }
            await attempt(id, answers: true) {
                if await sharing.isIdle, let unwritten = await notes.close() { throw unwritten }
            }
        case .readNote(let note):
            heldNotes.reading[note] = id
            inBackground(id) { try await self.read(id, note) }
        case .releaseNote(let note):
            if let lasting = heldNotes.reading.removeValue(forKey: note) { tasks[lasting]?.cancel() }
            done(id)
        case .followNote(let note):
            heldNotes.surroundings[note] = id
            inBackground(id) { try await self.followDetails(id, note) }
        case .unfollowNote(let note):
            if let lasting = heldNotes.surroundings.removeValue(forKey: note) { tasks[lasting]?.cancel() }
            done(id)
        case .listVersions(let note):
            inBackground(id) {
                .versionsListed(effect: id, versions: try await self.notes.library().versions(of: note))
            }
        case .readVersion(let note, let time):
            inBackground(id) {
                let text = try await self.notes.library().markdown(of: note.text, at: time.milliseconds)
                return .versionRead(effect: id, text: text.limited(to: NotebookLimits.textBytes + 4))
            }
        case .createNote(let note, let title, let folder, let text):
            inTurn(id) { library in
                let made = try await library.create(note.text, title: title, folder: folder?.text, text: text)
                await self.tell(made)
                return .effectDone(effect: id)
            }
        case .writeNote(let note, let base, let text):
            inTurn(id) { library in
                let written = try await library.replace(note.text, markdown: text, base: base)
                return .noteWritten(effect: id, revision: written.revision)
            }
        case .appendToNote(let note, let text): change(id) { try await $0.append(text, to: note.text) }
        case .changeNote(let note, let change): self.change(id) { try await $0.apply(change, to: note.text) }
        case .changeFolder(let folder, let change):
            self.change(id) { try await $0.apply(change, toFolder: folder.text) }
        case .searchNotes(let query):
            inBackground(id) {
                let found = try await self.notes.library().search(query, limit: NotebookLimits.results)
                return .notesFound(effect: id, results: found.map(NoteHit.init))
            }
        case .exportNotes(let note): inBackground(id) { try await self.exportNotes(id, note) }
        case .packNotes(let note): inBackground(id) { try await self.packNotes(id, note) }
        case .importNote(let name, let handle, let folder):
            importNotes(id, handle, named: name, into: folder)
        case .shareNote(let room, let note):
            await attempt(id) { try await self.sharing.share(note.text, in: room.text, for: id) }
        case .stopSharingNote(let room, let note):
            await sharing.stop(note.text, in: room.text)
            done(id)
        default: break
        }
    }

    // What lasts.

    /// Tells what is in the folder, and what changes there.
    private func follow(_ id: EffectID) async throws -> Event {
        let library = try await notes.library()
        let changes = library.changes()
        dispatch(
            .event(
                .notesListed(
                    effect: id, notes: try await library.everything().map(ListedNote.init),
                    folders: try await library.folders().flatMap(ListedFolder.all))))
        dispatch(.event(await .notesSyncChanged(effect: id, library.sync)))
        for await change in changes {
            switch change {
            case .note(let note, _): dispatch(.event(.notesChanged(effect: id, notes: [ListedNote(note)], removed: [])))
            case .removed(let note, _): dispatch(.event(.notesChanged(effect: id, notes: [], removed: [NoteID(note)])))
            case .folders:
                let folders = try await library.folders().flatMap(ListedFolder.all)
                dispatch(.event(.foldersChanged(effect: id, folders: folders)))
            case .sync(let sync): dispatch(.event(.notesSyncChanged(effect: id, sync)))
            }
        }
        return .effectDone(effect: id)
    }

    /// Tells the text of a note, now and after each change.
    private func read(_ id: EffectID, _ note: NoteID) async throws -> Event {
        for await text in try await notes.library().texts(of: note.text) {
            dispatch(
                .event(.noteText(effect: id, revision: text.revision, spans: text.spans.map(NoteSpan.init))))
        }
        return .effectDone(effect: id)
    }

    /// A new note is in the list before the core hears that it was made.
    private func tell(_ note: NoteSummary) {
        guard let following = heldNotes.following else { return }
        dispatch(.event(.notesChanged(effect: following, notes: [ListedNote(note)], removed: [])))
    }

    // What is done once.

    private func change(_ id: EffectID, _ body: @escaping @Sendable (NoteLibrary) async throws -> Void) {
        inTurn(id) { library in
            try await body(library)
            return .effectDone(effect: id)
        }
    }

    /// One change after the other, as they were asked for.
    private func inTurn(_ id: EffectID, _ body: @escaping @Sendable (NoteLibrary) async throws -> Event) {
        let before = lastNoteChange
        inBackground(id) {
            await before?.value
            return try await body(try await self.notes.library())
        }
        lastNoteChange = tasks[id]
    }
}

extension NoteLibrary {
    /// Every note, the deleted ones too.
    fileprivate func everything() async throws(NoteFailure) -> [NoteSummary] {
        try await list() + list(NoteFilter(.deleted))
    }

    /// Makes a note with a title, or with a text that begins with it.
    fileprivate func create(
        _ note: String, title: String, folder: String?, text: String?
    ) async throws(NoteFailure) -> NoteSummary {
        let made = try await create(title: title.isEmpty ? nil : title, folder: folder, id: note)
        guard let text else { return made }
        return try await replace(note, markdown: text, base: try await self.text(of: made.id).revision).text.note
    }

    fileprivate func apply(_ change: NoteOperation, to note: String) async throws(NoteFailure) {
        switch change {
        case .rename(let title): try await rename(note, to: title)
        case .move(let folder): try await move(note, to: folder?.text)
        case .pin(let on): try await pin(note, on)
        case .delete: try await delete(note)
        case .restore: try await restore(note)
        case .purge: try await purge(note)
        case .restoreVersion(let time): try await restore(note, asAt: time.milliseconds)
        case .comment(let comment, let quote, let nth, let text):
            try await self.comment(on: note, quoting: quote, nth: nth ?? 0, text, id: comment.text)
        case .reply(let comment, let reply, let text):
            try await self.reply(to: comment.text, on: note, text, id: reply.text)
        case .correct(let comment, let reply, let text, let base):
            try await correct(comment.text, reply: reply?.text, on: note, text, base: base)
        case .resolve(let comment, let on): try await resolve(comment.text, on: note, on)
        case .deleteComment(let comment): try await deleteComment(comment.text, on: note)
        case .deleteReply(let comment, let reply): try await deleteReply(reply.text, to: comment.text, on: note)
        }
    }

    fileprivate func apply(_ change: FolderOperation, toFolder folder: String) async throws(NoteFailure) {
        switch change {
        case .create(let name, let parent): try await createFolder(name, in: parent?.text, id: folder)
        case .rename(let name): try await renameFolder(folder, to: name)
        case .move(let parent): try await moveFolder(folder, to: parent?.text)
        case .delete(let mode): try await deleteFolder(folder, FolderDeletion(mode))
        }
    }
}
