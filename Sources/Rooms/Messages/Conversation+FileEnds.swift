import Foundation

/// The ends of files. Whoever ends a file keeps its answer and says it again on every connection, until the other side
/// says that it is stored there, too. So neither side waits for an answer that was lost with a connection or a process.
extension Conversation {
    /// Files of a room that are remembered; the oldest go first.
    static let fileLimit = 20_000

    /// Notes a file that was offered.
    func remember(_ file: StoredFile) throws {
        try store.save(file, room: room)
        files.append(file.id)
        guard files.count > Self.fileLimit else { return }
        let oldest = files.removeFirst()
        (incoming[oldest], outgoing[oldest]) = (nil, nil)
        if let file = try store.file(oldest, room: room) { Self.removePart(file) }
        try store.forgetFile(oldest, room: room)
    }

    /// This side ends a file.
    func end(_ id: MessageID, _ outcome: FileEnd.Outcome) throws {
        (incoming[id], outgoing[id]) = (nil, nil)
        guard var file = try store.file(id, room: room) else { return say(outcome.signal(id)) }
        guard file.end == nil else { return }
        file.end = FileEnd(outcome: outcome, isOurs: true)
        try store.save(file, room: room)
        Self.removePart(file)
        say(outcome.signal(id))
    }

    /// The other side says how a file ended.
    func ended(_ id: MessageID, _ outcome: FileEnd.Outcome) throws {
        guard var file = try store.file(id, room: room) else {
            // If its offer is still to come, the answer must come again, too.
            if !hasGap { say(.fileSettled(id)) }
            return
        }
        guard file.direction == .outgoing || outcome == .cancelled else { return }
        (incoming[id], outgoing[id]) = (nil, nil)
        if file.end == nil {
            file.end = FileEnd(outcome: outcome, isOurs: false)
            try store.save(file, room: room)
            Self.removePart(file)
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
        if !end.isOurs { say(.fileSettled(id)) }
    }

    /// On a new connection: what may have been lost with the last one.
    func repeatEnds(_ files: [StoredFile]) {
        for file in files {
            guard let end = file.end else { continue }
            if end.isOurs { say(end.outcome.signal(file.id)) } else { conclude(file) }
        }
    }

    func fail(_ id: MessageID, _ failure: RoomsFailure) {
        // If the disk does not take it, the file stays open and comes to its end on the next connection.
        try? end(id, .cancelled)
        report.yield(.fileFailed(room: room, message: id, failure))
    }

    /// Removes what has come of a file, if it is not at its place yet.
    static func removePart(_ file: StoredFile) {
        if file.direction == .incoming { try? FileManager.default.removeItem(atPath: file.path) }
    }
}
