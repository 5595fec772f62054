import Foundation

/// The ends of files. The side that ends a file keeps the outcome and sends it again on every connection, until the
/// other side confirms that it is stored there, too. So neither side waits for an answer that was lost with a
/// connection or a process.
extension Conversation {
    /// How many files of a room are remembered; the oldest are dropped first. All of them are read when the room is
    /// opened.
    static let fileLimit = 2000

    /// Records a file that was offered.
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

    /// Stops moving a file's bytes.
    private func drop(_ id: MessageID) {
        (incoming[id], outgoing[id], wantedLater[id]) = (nil, nil, nil)
        fileWork[id]?.cancel()
    }

    /// This side ends a file.
    /// - Throws: if the store fails. The other side is told all the same, unless the file has arrived, which counts
    ///   only once it is stored.
    func end(_ id: MessageID, _ outcome: FileEnd.Outcome) throws {
        drop(id)
        guard var file = try store.file(id, room: room) else { return say(outcome.signal(id)) }
        guard file.end == nil else { return }
        file.end = FileEnd(outcome: outcome, isOurs: true)
        // The bytes of a failed file are removed first, because they may fill the disk. Those of an arrived file are
        // kept until the end is stored, because the next process recognizes the file by them.
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

    /// Ends a file that will not be requested again. If the store fails, this is tried again.
    func endSurely(_ id: MessageID, _ outcome: FileEnd.Outcome) {
        do { try end(id, outcome) } catch { unsavedEnds[id] = outcome }
        guard !unsavedEnds.isEmpty, savingEnds == nil, !isOver else { return }
        savingEnds = Task { [weak self] in
            repeat { try? await Task.sleep(for: Self.savingPause) } while await self?.hasUnsavedEnds() == true
        }
    }

    /// How long to wait after the store failed to take the end of a file.
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
            // A failure was reported at once.
            if !outcome.hasFailed { report.yield(outcome.report(id, room: room)) }
        }
    }

    /// The other side reports how a file ended.
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

    /// Both sides know the end. Once the owner has stored it, it is forgotten here. After a restart the owner may have
    /// to be told once more.
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

    /// On a new connection: sends what may have been lost with the last one.
    func repeatEnd(_ file: StoredFile) {
        guard let end = file.end else { return }
        if end.isOurs { say(end.outcome.signal(file.id)) } else { conclude(file) }
    }

    /// A file failed. Its bytes are removed, and the other side is told, also when the disk is full.
    func fail(_ id: MessageID, _ failure: RoomsFailure) {
        endSurely(id, .cancelled)
        report.yield(.fileFailed(room: room, message: id, failure))
    }

    /// Removes the received bytes of a file that is not in its place yet.
    static func removePart(_ file: StoredFile) {
        if file.direction == .incoming { try? FileManager.default.removeItem(atPath: file.path) }
    }
}
