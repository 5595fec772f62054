import Foundation

/// The ends of files. Whoever ends a file keeps its answer and says it again on every connection, until the other side
/// says that it is stored there, too. So neither side waits for an answer that was lost with a connection or a process.
extension Conversation {
    /// Files of a room that are remembered; the oldest go first. All of them are read when the room is opened.
    static let fileLimit = 2000

    /// Notes a file that was offered.
    func remember(_ file: StoredFile) throws {
        try store.save(file, room: room)
        files.append(file.id)
        guard files.count > Self.fileLimit else { return }
        let oldest = files.removeFirst()
        drop(oldest)
        unsettled.remove(oldest)
        if let file = try store.file(oldest, room: room) { Self.removePart(file) }
        try store.forgetFile(oldest, room: room)
    }

    /// Nothing moves any more of a file's bytes.
    private func drop(_ id: MessageID) {
        (incoming[id], outgoing[id]) = (nil, nil)
        fileWork[id]?.cancel()
    }

    /// This side ends a file.
    /// - Throws: if the store does not take it. Then the other side knows it all the same, unless the file has arrived: that
    ///   counts only once it is stored.
    func end(_ id: MessageID, _ outcome: FileEnd.Outcome) throws {
        drop(id)
        guard var file = try store.file(id, room: room) else { return say(outcome.signal(id)) }
        guard file.end == nil else { return }
        file.end = FileEnd(outcome: outcome, isOurs: true)
        // What has come of a file that failed goes first: it may be what fills the disk. That of one that has arrived is how
        // the next process would know the file again.
        if outcome.hasFailed { Self.removePart(file) }
        do {
            try store.save(file, room: room)
        } catch {
            if outcome.hasFailed { say(outcome.signal(id)) }
            throw error
        }
        unsettled.insert(id)
        Self.removePart(file)
        say(outcome.signal(id))
    }

    /// Ends a file for which nobody would ask again: what the store does not take now is tried again.
    func endSurely(_ id: MessageID, _ outcome: FileEnd.Outcome) {
        do { try end(id, outcome) } catch { unsavedEnds[id] = outcome }
        guard !unsavedEnds.isEmpty, savingEnds == nil, !isOver else { return }
        savingEnds = Task { [weak self] in
            repeat { try? await Task.sleep(for: Self.savingPause) } while await self?.hasUnsavedEnds() == true
        }
    }

    /// How long the store is left alone that did not take the end of a file.
    static let savingPause = Duration.seconds(5)

    private func hasUnsavedEnds() -> Bool {
        saveEnds()
        if !unsavedEnds.isEmpty, !isOver { return true }
        savingEnds = nil
        return false
    }

    /// Tries again to store how files ended.
    func saveEnds() {
        for (id, outcome) in unsavedEnds {
            guard (try? end(id, outcome)) != nil else { continue }
            unsavedEnds[id] = nil
            // That one failed was told at once.
            if !outcome.hasFailed { report.yield(outcome.report(id, room: room)) }
        }
    }

    /// The other side says how a file ended.
    func ended(_ id: MessageID, _ outcome: FileEnd.Outcome) throws {
        guard var file = try store.file(id, room: room) else {
            // If its offer is still to come, the answer must come again, too.
            if !hasGap { say(.fileSettled(id)) }
            return
        }
        guard file.direction == .outgoing || outcome == .cancelled else { return }
        drop(id)
        if file.end == nil {
            file.end = FileEnd(outcome: outcome, isOurs: false)
            Self.removePart(file)
            try store.save(file, room: room)
            unsettled.insert(id)
        }
        conclude(file)
    }

    /// The other side has stored how a file ended.
    func settled(_ id: MessageID) throws {
        if let file = try store.file(id, room: room) { conclude(file) }
    }

    /// Both sides know: once the owner has stored it, nothing more is to be remembered. After a restart the owner may
    /// have to be told once more.
    private func conclude(_ file: StoredFile) {
        guard let end = file.end else { return }
        report.yield(end.outcome.report(file.id, room: room))
        report.yield(.fileSettled(room: room, message: file.id))
    }

    /// The owner has stored how a file ended.
    func settleFile(_ id: MessageID) throws {
        guard let end = try store.file(id, room: room)?.end else { return }
        try store.forgetFile(id, room: room)
        unsettled.remove(id)
        if !end.isOurs { say(.fileSettled(id)) }
    }

    /// On a new connection: what may have been lost with the last one.
    func repeatEnd(_ file: StoredFile) {
        guard let end = file.end else { return }
        if end.isOurs { say(end.outcome.signal(file.id)) } else { conclude(file) }
    }

    /// Something went wrong with a file. What has come of it is removed, and the other side is told, also when the disk is full.
    func fail(_ id: MessageID, _ failure: RoomsFailure) {
        endSurely(id, .cancelled)
        report.yield(.fileFailed(room: room, message: id, failure))
    }

    /// Removes what has come of a file, if it is not at its place yet.
    static func removePart(_ file: StoredFile) {
        if file.direction == .incoming { try? FileManager.default.removeItem(atPath: file.path) }
    }
}
