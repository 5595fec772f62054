import AppCore

// Changes to the folder. Each change is reported to the core that follows the folder.

extension World {
    /// Makes a note; an existing note is not changed.
    mutating func create(_ id: NoteID, _ text: String, in folder: FolderID?, by author: String?) {
        guard notes[id] == nil else { return }
        let revision = notes.revision()
        notes.update(id, at: now) {
            $0.set(WorldText(text, by: author), as: revision)
            $0.surroundings.remember(text, by: author, at: now)
            $0.list { $0.folder = folder }
        }
        tellChange(of: id)
    }

    /// Changes a text as somebody sees fit who had a certain state of it before them.
    mutating func merge(_ text: String, into id: NoteID, base: String? = nil, by author: String?) {
        guard let note = notes[id] else { return }
        var merged = note.text
        merged.merge(text, basedOn: base.map(note.state) ?? note.text, by: author)
        let revision = notes.revision()
        notes.update(id, at: now) {
            $0.set(merged, as: revision)
            $0.surroundings.remember(merged.string, by: author, at: now)
            $0.list { $0.modified = now }
        }
        if let reader = notes.readers[id] {
            tell(.noteText(effect: reader, revision: revision, spans: merged.spans), about: reader)
        }
        tellChange(of: id)
    }

    mutating func append(_ text: String, to id: NoteID, by author: String?) {
        guard let old = notes[id]?.text.string else { return }
        merge(old.isEmpty ? text : old + "\n\n" + text, into: id, by: author)
    }

    mutating func perform(_ change: NoteOperation, on id: NoteID) {
        switch change {
        case .rename(let title):
            let rest = notes[id]?.text.string.drop { !$0.isNewline } ?? ""
            return merge(title + rest, into: id, by: nil)
        case .move(let folder): notes.update(id, at: now) { $0.list { $0.folder = folder } }
        case .pin(let on): notes.update(id, at: now) { $0.list { $0.pinned = on } }
        case .delete:
            notes.update(id, at: now) {
                $0.list {
                    $0.deleted = true
                    $0.pinned = false
                }
            }
        case .restore: notes.update(id, at: now) { $0.list { $0.deleted = false } }
        case .purge: return purge(id)
        case .restoreVersion(let time):
            if let text = notes[id]?.surroundings.text(at: time) { merge(text, into: id, by: nil) }
            return
        case .comment, .reply, .correct, .resolve, .deleteComment, .deleteReply:
            notes.update(id, at: now) { _ = $0.surroundings.perform(change, at: now) }
            return tellDetails()
        }
        notes.update(id, at: now) { $0.list { $0.modified = now } }
        tellChange(of: id)
    }

    private mutating func purge(_ id: NoteID) {
        notes.remove(id)
        if let effect = notes.opening { tell(.notesChanged(effect: effect, notes: [], removed: [id]), about: effect) }
        if let reader = notes.readers.removeValue(forKey: id) { fail(reader, Failure(.noteUnknown)) }
        if let follower = notes.followers.removeValue(forKey: id) { fail(follower, Failure(.noteUnknown)) }
    }

    /// The files of a note are damaged, or whole again.
    mutating func setProblem(_ problem: Failure.Code?, of id: NoteID) {
        notes.update(id, at: now) { $0.list { $0.problem = problem } }
        tellChange(of: id)
        if let problem, let reader = notes.readers.removeValue(forKey: id) {
            fail(reader, Failure(problem, retryable: true))
        }
    }

    mutating func perform(_ change: FolderOperation, on id: FolderID) {
        let above = notes.folders.first { $0.id == id }?.parent
        switch change {
        case .create(let name, let parent):
            guard !notes.folders.contains(where: { $0.id == id }) else { return }
            notes.folders.append(ListedFolder(id: id, name: name, parent: parent))
        case .rename(let name): updateFolders { if $0.id == id { $0.name = name } }
        case .move(let parent): updateFolders { if $0.id == id { $0.parent = parent } }
        case .delete(let mode):
            notes.folders.removeAll { $0.id == id }
            guard mode != .simple else { break }
            updateFolders { if $0.parent == id { $0.parent = above } }
            for note in notes.listed where note.folder == id { perform(.move(folder: above), on: note.id) }
        }
        if let effect = notes.opening { tell(.foldersChanged(effect: effect, folders: notes.folders), about: effect) }
    }

    private mutating func updateFolders(_ change: (inout ListedFolder) -> Void) {
        for index in notes.folders.indices { change(&notes.folders[index]) }
    }

    private mutating func tellChange(of id: NoteID) {
        guard let effect = notes.opening, let note = notes[id] else { return }
        tell(.notesChanged(effect: effect, notes: [note.listed], removed: []), about: effect)
        tellDetails()
    }

    // MARK: - The folder itself

    mutating func setFolder(_ state: NotesSettings.Folder) {
        settings.notes.folder = state
        tellSync()
    }

    /// So many notes are still to be read of what came from other devices.
    mutating func setRemaining(_ remaining: Int) {
        notes.remaining = remaining
        tellSync()
    }

    mutating func tellSync() {
        guard let effect = notes.opening else { return }
        tell(
            .notesSyncChanged(effect: effect, remaining: notes.remaining, failure: folderFailure), about: effect)
    }
}
