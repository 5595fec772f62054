/// A note that is edited together with somebody who is reached otherwise than through files.
///
/// Both sides tell each other their ``stateVector()``, answer with ``difference(since:)``, and from then on hand over what
/// ``updates`` brings. After an interruption they begin so again; what is said twice does no harm.
package actor NoteSession {
    package nonisolated let note: String
    /// What was changed here or came through the files, as Yjs V1 updates, but not what ``apply(_:)`` was given. One listener.
    package nonisolated let updates: AsyncStream<[UInt8]>
    private let library: NoteLibrary
    private let queue: SessionQueue
    private let person: String?
    private let isOwn: Bool

    package nonisolated var unownedExecutor: UnownedSerialExecutor { library.unownedExecutor }

    init(note: String, with person: String?, isOwn: Bool, library: NoteLibrary, queue: SessionQueue) {
        self.note = note
        self.person = person
        self.isOwn = isOwn
        self.library = library
        self.queue = queue
        updates = queue.stream()
    }

    deinit { queue.finish() }

    /// What this side has, as Yjs spells it.
    package func stateVector() async throws(NoteFailure) -> [UInt8] {
        try await library.stateVector(of: note)
    }

    /// What the other side lacks.
    /// - Parameter stateVector: what the other side has.
    package func difference(since stateVector: [UInt8]) async throws(NoteFailure) -> [UInt8] {
        try await library.difference(of: note, since: stateVector)
    }

    /// Takes a change of the other side: checks it, shows it, and writes it to our log within the time of coalescing.
    /// - Returns: whether anything of it was new here. Only that is worth telling anybody else: where several people hand on what
    ///   they hear, it would else go round for ever.
    @discardableResult
    package func apply(_ update: [UInt8]) async throws(NoteFailure) -> Bool {
        try await library.take(update, for: note, from: person, isOwn: isOwn, via: queue)
    }

    /// Writes to our log what ``apply(_:)`` took and what is not there yet: when it returns, all of it is durable.
    package func save() async throws(NoteFailure) { try await library.save(note) }

    /// Writes what still waits. `updates` ends.
    package func close() async {
        await library.end(queue, of: note)
    }
}
