import AppCore

// The notes subsystem: a folder that this device, its other devices and the other people write in.

extension World {
    mutating func noticeInNotes(_ effect: Effect) {
        switch effect.kind {
        case .openNotes: notes.opening = effect.id
        case .closeNotes: notes.processEndedReading()
        case .readNote(let note): notes.readers[note] = effect.id
        case .releaseNote(let note): notes.readers[note] = nil
        case .followNote(let note): notes.followers[note] = effect.id
        case .unfollowNote(let note): notes.followers[note] = nil
        case .shareNote(let room, let note): notes.shares[room, default: [:]][note] = effect.id
        case .stopSharingNote(let room, let note): notes.shares[room]?[note] = nil
        case .closeLink(let room): notes.shares[room] = nil
        case .leaveRoom(let address), .revokeTrust(let address, _): notes.shares[address.room] = nil
        default: break
        }
    }

    /// False if the effect is not for this subsystem.
    mutating func carryOutInNotes(_ effect: Effect) -> Bool {
        let id = effect.id
        switch effect.kind {
        case .openNotes: listNotes(id)
        case .readNote(let note): readNote(id, note)
        case .exportNotes(let note):
            let count = note == nil ? notes.listed.count { !$0.deleted } : 1
            tell(.notesExported(effect: id, path: "Exported notes", count: count), about: id)
        case .packNotes:
            tell(.notesPacked(effect: id, handle: "notes", name: "Notes.zip", bytes: 1 << 16), about: id)
        case .importNote(let name, _, let folder):
            let note = NoteID("imported-\(notes.number())")
            create(note, name, in: folder, by: nil)
            tell(.notesImported(effect: id, count: 1), about: id)
        case .followNote(let note): followNote(id, note)
        case .listVersions(let note): listVersions(id, note)
        case .readVersion(let note, let time): readVersion(id, note, at: time)
        case .createNote(let note, let title, let folder, let text):
            changeFolder(id) { $0.create(note, text ?? title, in: folder, by: nil) }
        case .writeNote(let note, let base, let text): writeNote(id, note, base: base, text)
        case .appendToNote(let note, let text): changeNote(id, note) { $0.append(text, to: note, by: nil) }
        case .changeNote(let note, let change):
            if let refusal = notes[note]?.surroundings.refusal(of: change) {
                fail(id, refusal)
            } else {
                changeNote(id, note) { $0.perform(change, on: note) }
            }
        case .changeFolder(let folder, let change): changeFolder(id) { $0.perform(change, on: folder) }
        case .searchNotes(let query): search(id, query)
        case .shareNote(let room, let note): share(id, room, note)
        default: return false
        }
        return true
    }

    // MARK: - Reading

    private mutating func listNotes(_ effect: EffectID) {
        if settings.notes.folder == .missing {
            return fail(effect, Failure(.folderUnavailable, retryable: true))
        }
        tell(.notesListed(effect: effect, notes: notes.listed, folders: notes.folders), about: effect)
        if notes.remaining > 0 || folderFailure != nil { tellSync() }
    }

    private mutating func readNote(_ effect: EffectID, _ id: NoteID) {
        guard let note = notes[id] else { return fail(effect, Failure(.noteUnknown)) }
        if let problem = note.listed.problem { return fail(effect, Failure(problem, retryable: true)) }
        tell(.noteText(effect: effect, revision: note.revision, spans: note.text.spans), about: effect)
    }

    private mutating func search(_ effect: EffectID, _ query: String) {
        let words = query.lowercased()
        let hits = notes.order.compactMap { notes[$0] }.filter { note in
            !note.listed.deleted && note.text.string.lowercased().contains(words)
        }
        let results = hits.map { NoteHit(note: $0.listed.id, title: $0.listed.title, snippet: $0.listed.preview) }
        tell(.notesFound(effect: effect, results: results), about: effect)
    }

    // MARK: - Writing

    /// Why nothing can be written, if nothing can.
    var folderFailure: Failure? {
        switch settings.notes.folder {
        case .writable: nil
        case .readOnly: Failure(.folderUnwritable, retryable: true)
        case .full: Failure(.diskFull, retryable: true)
        case .missing: Failure(.folderUnavailable, retryable: true)
        }
    }

    private mutating func changeFolder(_ effect: EffectID, _ change: (inout World) -> Void) {
        if let folderFailure { return fail(effect, folderFailure) }
        change(&self)
        done(effect)
    }

    private mutating func changeNote(_ effect: EffectID, _ note: NoteID, _ change: (inout World) -> Void) {
        guard notes[note] != nil else { return fail(effect, Failure(.noteUnknown)) }
        changeFolder(effect, change)
    }

    private mutating func writeNote(_ effect: EffectID, _ id: NoteID, base: String, _ text: String) {
        if let revision = notes.written[effect] {
            return tell(.noteWritten(effect: effect, revision: revision), about: effect)
        }
        guard notes[id] != nil else { return fail(effect, Failure(.noteUnknown)) }
        if let folderFailure { return fail(effect, folderFailure) }
        merge(text, into: id, base: base, by: nil)
        let revision = notes.revision()
        keep(text, of: id, as: revision, writtenBy: effect)
        tell(.noteWritten(effect: effect, revision: revision), about: effect)
    }

    /// The state that says what was written, and nothing else.
    private mutating func keep(_ text: String, of id: NoteID, as revision: String, writtenBy effect: EffectID) {
        notes.written[effect] = revision
        notes.update(id, at: now) { $0.remember(WorldText(text), as: revision) }
    }

    // MARK: - Together

    private mutating func share(_ effect: EffectID, _ room: RoomID, _ note: NoteID) {
        guard notes[note] != nil else { return fail(effect, Failure(.noteUnknown)) }
        guard rooms[room]?.isConnected == true else {
            return fail(effect, Failure(.peerTimeout, retryable: true))
        }
        books.note(effect, .lasting)
        if settings.peer.shares == .accept { notes.peerShares[room, default: []].insert(note) }
        tellSharing(room, note)
    }

    private mutating func tellSharing(_ room: RoomID, _ note: NoteID) {
        let isLive = notes.peerShares[room]?.contains(note) == true
        tell(.noteSharingChanged(room: room, note: note, state: isLive ? .live : .offered))
    }

    /// The other person shares a note: one that is here, or a new one.
    mutating func peerShares(_ note: NoteID, title: String, in room: RoomID) {
        let isNew = notes[note] == nil
        if isNew { create(note, title, in: nil, by: settings.notes.author) }
        notes.peerShares[room, default: []].insert(note)
        tell(.noteOffered(room: room, note: note, title: notes[note]?.listed.title ?? title, adopted: isNew))
        if notes.shares[room]?[note] != nil { tellSharing(room, note) }
    }

    mutating func peerStopsSharing(_ note: NoteID, in room: RoomID) {
        notes.peerShares[room]?.remove(note)
        tell(.noteSharingChanged(room: room, note: note, state: .stopped))
    }

    // MARK: - What the core has heard

    /// Learns from what somebody else told the core.
    mutating func observeInNotes(_ event: Event, isOwn: Bool) {
        switch event {
        case .effectFailed(let effect, _) where books[effect] == .openNotes: notes.opening = nil
        case .linkChanged(let effect, let state, _):
            guard let room = rooms.room(ofLink: effect) else { return }
            if [.closed, .connecting, .waitingForPeer].contains(state) { notes.shares[room] = nil }
        case _ where isOwn: break
        case .notesListed(_, let listed, let folders):
            for note in listed where notes[note.id] == nil { learn(note) }
            notes.folders = folders
        case .notesChanged(_, let changed, let removed):
            for note in changed { learn(note) }
            for note in removed { notes.remove(note) }
        case .foldersChanged(_, let folders): notes.folders = folders
        case .noteText(let effect, let revision, let spans):
            guard case .readNote(let note) = books[effect] else { return }
            notes.update(note, at: now) { $0.set(WorldText(spans), as: revision) }
        case .noteDetails(let effect, let details):
            guard case .followNote(let note) = books[effect], notes[note] != nil else { return }
            notes.update(note, at: now) { $0.surroundings.learn(details) }
        case .noteWritten(let effect, let revision):
            guard case .writeNote(let note, let base, let text) = books[effect] else { return }
            merge(text, into: note, base: base, by: nil)
            keep(text, of: note, as: revision, writtenBy: effect)
        case .effectDone(let effect): observeDone(effect)
        case .noteOffered(let room, let note, let title, _):
            if notes[note] == nil { create(note, title, in: nil, by: settings.notes.author) }
            notes.peerShares[room, default: []].insert(note)
        default: break
        }
    }

    /// Somebody else has done what the core asked for.
    private mutating func observeDone(_ effect: EffectID) {
        switch books[effect] {
        case .createNote(let note, let title, let folder, let text): create(note, text ?? title, in: folder, by: nil)
        case .appendToNote(let note, let text) where notes[note] != nil: append(text, to: note, by: nil)
        case .changeNote(let note, let change) where notes[note] != nil: perform(change, on: note)
        case .changeFolder(let folder, let change): perform(change, on: folder)
        default: break
        }
    }

    private mutating func learn(_ listed: ListedNote) {
        let revision = notes.revision()
        let note = notes[listed.id] == nil ? WorldNote(listed, revision: revision) : nil
        notes.update(listed.id, at: now) {
            if let note { $0 = note }
            $0.list { $0 = listed }
        }
    }
}

extension NotesWorld {
    /// Stops following the folder; shared notes remain shared.
    mutating func processEndedReading() {
        opening = nil
        readers = [:]
        followers = [:]
    }
}
