internal import CRDTBridge
internal import NoteFiles
package import NoteIndex

extension NoteLibrary {
    /// Clients whose people we remember.
    private static let strangerLimit = 10_000

    /// Edits this note together with somebody: see ``NoteSession``.
    /// - Parameter person: the name of the other one.
    package func session(for note: String, with person: String? = nil) async throws(NoteFailure) -> NoteSession {
        try session(of: open(note), with: person)
    }

    /// Lets this person edit a note in an editor that has the document itself.
    package func editing(_ note: String) async throws(NoteFailure) -> NoteSession {
        try session(of: open(note), with: nil, isOwn: true)
    }

    /// Takes a note of somebody else into this directory, under the id that it has there. If it is here already, the two are
    /// merged.
    /// - Parameter state: the whole note as a Yjs V1 update.
    @discardableResult
    package func adopt(_ note: String, state: [UInt8]) async throws(NoteFailure) -> NoteSummary {
        try takeIn(note, state: state)
    }

    private func takeIn(_ note: String, state: [UInt8]) throws(NoteFailure) -> NoteSummary {
        try checkOpen()
        let id = try NoteFailure.wrapping { try NoteID(note) }
        try checkNotPurged(id)
        let isHere = try openIfHere(id)
        if !isHere {
            _ = try crdt { try $0.load(note, []) }
            documents[.note(id)] = OpenDocument(reached: Checkpoint(), indexed: [:])
        }
        return try commit(to: id) { bridge in
            let isNew = try !bridge.apply(state, to: note).isEmpty
            return [isNew || !isHere ? state : nil]
        }
    }

    /// Takes a note of somebody else into this directory and edits it together with them from its first moment on: whatever
    /// is written in it here goes to the session.
    /// - Parameter state: the whole note as a Yjs V1 update.
    package func session(
        adopting note: String, state: [UInt8], with person: String? = nil
    ) async throws(NoteFailure) -> NoteSession {
        // Without a pause in between, in which somebody could write what nobody would be told.
        _ = try takeIn(note, state: state)
        return try session(of: open(note), with: person)
    }

    private func session(
        of note: NoteID, with person: String?, isOwn: Bool = false
    ) throws(NoteFailure) -> NoteSession {
        let queue = SessionQueue()
        sessions[note, default: []].append(queue)
        // What is here already is exchanged when the two sides say what they have.
        if handedOn[note] == nil { handedOn[note] = try crdt { try $0.stateVector(of: note.text) } }
        return NoteSession(note: note.text, with: person, isOwn: isOwn, library: self, queue: queue)
    }

    /// Hands on what changed to everybody who edits this note with us, but not to where it came from.
    func forward(_ updates: [[UInt8]], of note: NoteID, except origin: SessionQueue? = nil) {
        guard let queues = sessions[note], !updates.isEmpty else { return }
        for queue in queues where queue !== origin {
            queue.add(updates) { waiting in try? crdt { try $0.merge(waiting) } }
        }
        if let vector = try? crdt({ try $0.stateVector(of: note.text) }) { handedOn[note] = vector }
    }

    /// Hands on what a document that was made anew has and was not handed on before, wherever it comes from.
    func forwardWhatIsMissing(of note: NoteID) {
        guard let vector = handedOn[note],
            let difference = try? crdt({ try $0.difference(of: note.text, since: vector) })
        else { return }
        forward([difference], of: note)
    }

    func stateVector(of note: String) throws(NoteFailure) -> [UInt8] {
        let note = try open(note)
        return try crdt { try $0.stateVector(of: note.text) }
    }

    func difference(of note: String, since stateVector: [UInt8]) throws(NoteFailure) -> [UInt8] {
        let note = try open(note)
        return try crdt { try $0.difference(of: note.text, since: stateVector) }
    }

    /// - Returns: whether anything of it was new.
    func take(
        _ update: [UInt8], for note: String, from person: String?, isOwn: Bool, via queue: SessionQueue
    ) throws(NoteFailure) -> Bool {
        let note = try open(note)
        guard try isNew(update, in: note) else { return false }
        if let person, let clients = try? CRDTBridge.clients(in: update) {
            for client in clients where strangers.count < Self.strangerLimit { strangers[client] = person }
        }
        // What has to wait may turn out bad when its turn comes: in a record of its own it harms no other.
        let isApart = try crdt { try $0.isMissingUpdates(note.text) }
        if isApart { try? flush(note) }
        let waiting = unwritten[note]
        unwritten[note] =
            try waiting.map { waiting throws(NoteFailure) in try crdt { try $0.merge([waiting, update]) } } ?? update
        if isOwn { edited.insert(note) }
        forward([update], of: note, except: queue)
        if isApart { try? flush(note, author: person) }
        if waiting == nil, unwritten[note] != nil { flushLater(note, from: person) }
        return true
    }

    /// Applies an update of somebody else.
    private func isNew(_ update: [UInt8], in note: NoteID) throws(NoteFailure) -> Bool {
        do throws(NoteFailure) {
            return try !crdt { try $0.apply(update, to: note.text) }.isEmpty
        } catch {
            // One that was stopped halfway leaves nothing of the document: it is made anew of what is known to be good.
            if try !crdt({ $0.isLoaded(note.text) }) { forgetOpen(.note(note)) }
            throw error
        }
    }

    /// Writes within the time of coalescing. While that fails it is tried again, more and more seldom.
    private func flushLater(_ note: NoteID, from person: String?) {
        Task { [weak self, coalescing = options.coalescing] in
            var pause = coalescing
            repeat {
                try? await Task.sleep(for: pause)
                pause = min(max(pause * 2, .milliseconds(100)), .seconds(30))
            } while await self?.isUnwritten(note, from: person) == true
        }
    }

    private func isUnwritten(_ note: NoteID, from person: String?) -> Bool {
        guard !isClosed else { return false }
        do throws(NoteFailure) {
            try flush(note, author: person)
            return false
        } catch {
            tell(.problem(error))
            return true
        }
    }

    /// Writes what live sessions left to be written.
    func save(_ note: String) throws(NoteFailure) {
        try checkOpen()
        try flush(NoteFailure.wrapping { try NoteID(note) })
    }

    func end(_ queue: SessionQueue, of note: String) {
        queue.finish()
        guard let id = try? NoteID(note) else { return }
        _ = isUnwritten(id, from: nil)
        sessions[id]?.removeAll { $0 === queue }
        if sessions[id]?.isEmpty == true { (sessions[id], handedOn[id]) = (nil, nil) }
    }
}
