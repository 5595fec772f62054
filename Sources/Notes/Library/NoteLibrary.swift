import Foundation

/// The notes of one storage directory: a folder of append-only logs that any file syncer may carry.
///
/// Everything that is asked of a library is durable when the call returns. A change is merged by the CRDT with what others wrote
/// meanwhile; it never replaces anything. Notes are named by their ids; ``note(_:)`` finds one by its title.
///
///     let library = try await NoteLibrary.open("/home/ada/Notes", home: "/home/ada/.local/share/alcove", person: "Ada")
///     let note = try await library.create(title: "Groceries", markdown: "* milk")
///     try await library.append("* bread", to: note.id)
public actor NoteLibrary {
    public struct Options: Sendable {
        /// Milliseconds since 1970.
        public var clock: @Sendable () -> Int64
        /// How long changes of a live session wait for more of them, so that they become one record.
        public var coalescing: Duration
        /// Whether changes of others are looked for as they come (``changes()``).
        public var watches: Bool

        public init(
            clock: @escaping @Sendable () -> Int64 = NoteLibrary.now, coalescing: Duration = .milliseconds(300),
            watches: Bool = true
        ) {
            self.clock = clock
            self.coalescing = coalescing
            self.watches = watches
        }
    }

    /// The id of the storage directory.
    public nonisolated let directoryID: String
    /// How far this library is with the files.
    public private(set) var sync = NoteSync.ready

    private init(directoryID: String) { self.directoryID = directoryID }

    /// Opens a storage directory, or makes one, and reads what is new in it.
    /// - Parameters:
    ///   - directory: the path of the storage directory.
    ///   - home: a folder of this machine only, for the index, the locks and the ids under which we write.
    ///   - person: the name that others see.
    public static func open(
        _ directory: String, home: String, person: String, options: Options = Options()
    ) async throws(NoteFailure) -> NoteLibrary { throw .notYet }

    /// Writes what still waits and lets go of the directory. Later requests fail.
    public func close() async {}

    /// Reads what is new in the files now, without waiting for the watch.
    public func catchUp() async throws(NoteFailure) { throw .notYet }

    /// What changes from now on, here and elsewhere. A listener that is slow gets the newest change of each note.
    public nonisolated func changes() -> NoteChanges { NoteChanges() }

    /// The time of this machine in milliseconds since 1970.
    public static let now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
}

extension NoteFailure {
    static var notYet: NoteFailure { NoteFailure(.failed, "not yet") }
}
