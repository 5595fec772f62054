/// A note that is edited together with somebody who is reached otherwise than through files.
///
/// Both sides tell each other their ``stateVector()``, answer with ``difference(since:)``, and from then on hand over what
/// ``updates`` brings. After an interruption they begin so again; what is said twice does no harm.
public actor NoteSession {
    public nonisolated let note: String
    /// What was changed here or came through the files, as Yjs V1 updates, but not what ``apply(_:)`` was given. One listener.
    public nonisolated let updates: AsyncStream<[UInt8]>

    init(note: String, updates: AsyncStream<[UInt8]>) {
        self.note = note
        self.updates = updates
    }

    /// What this side has, as Yjs spells it.
    public func stateVector() async throws(NoteFailure) -> [UInt8] { throw .notYet }

    /// What the other side lacks.
    /// - Parameter stateVector: what the other side has.
    public func difference(since stateVector: [UInt8]) async throws(NoteFailure) -> [UInt8] { throw .notYet }

    /// Takes a change of the other side: checks it, shows it, and writes it to our log within the time of coalescing.
    public func apply(_ update: [UInt8]) async throws(NoteFailure) { throw .notYet }

    /// Writes what still waits. `updates` ends.
    public func close() async {}
}
