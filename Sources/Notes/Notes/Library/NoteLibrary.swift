internal import CRDTBridge
internal import Cryptography
internal import Foundation
internal import NoteFiles
internal import NoteIndex
internal import Storage
internal import Wire

/// The notes of one storage directory: a folder of append-only logs that any file syncer may carry.
///
/// Everything that is asked of a library is durable when the call returns. A change is merged by the CRDT with what others wrote
/// meanwhile; it never replaces anything. Notes are named by their ids; ``note(_:)`` finds one by its title.
///
///     let library = try await NoteLibrary.open("/home/ada/Notes", home: "/home/ada/.local/share/alcove", person: "Ada")
///     let note = try await library.create(title: "Groceries", markdown: "* milk")
///     try await library.append("* bread", to: note.id)
///
/// A library lives on the thread of its documents: one change, from the document through the log to the index, is one step that
/// nothing interrupts.
package actor NoteLibrary {
    package struct Options: Sendable {
        /// Milliseconds since 1970.
        package var clock: @Sendable () -> Int64
        /// How long changes of a live session wait for more of them, so that they become one record.
        package var coalescing: Duration
        /// Whether files are read as they come, the first time beside everything else; ``NoteLibrary/changes()`` tells. Otherwise
        /// ``NoteLibrary/open(_:home:person:options:creating:)`` and ``NoteLibrary/catchUp()`` read them.
        package var watches: Bool
        /// Processor time that making one document may take. A file that takes longer is left out, and named.
        package var patience: Duration = .seconds(5)
        /// Counts so long for each byte of what is read, instead of processor time: what is in time is then so on every machine,
        /// which tests need.
        package var timePerByte: Duration?
        /// Starts to watch folders; tests let that fail.
        var watch: @Sendable ([WatchedFolder]) throws -> FolderWatch = { try FolderWatch($0) }

        package init(
            clock: @escaping @Sendable () -> Int64 = NoteLibrary.now, coalescing: Duration = .milliseconds(300),
            watches: Bool = true
        ) {
            self.clock = clock
            self.coalescing = coalescing
            self.watches = watches
        }
    }

    /// The time of this machine in milliseconds since 1970.
    package static let now: @Sendable () -> Int64 = SystemClock.milliseconds

    /// The path of the storage directory.
    package nonisolated let path: String
    /// How far this library is with the files.
    package internal(set) var sync = NoteSync.ready

    let directory: StorageDirectory
    /// Names the directory on every device.
    nonisolated var directoryID: String { directory.id ?? "" }
    let home: String
    /// What others read beside what we write; ``call(_:)`` changes it.
    var person: String
    let options: Options
    let index: NoteIndex
    let bridge: CRDTBridge
    nonisolated let broadcast = Broadcast()
    /// The documents that are open, or were until the bridge needed the room, by their keys.
    var documents: [DocumentID: OpenDocument] = [:]
    var sessions: [NoteID: [SessionQueue]] = [:]
    /// What of the notes with live sessions was handed on, as state vectors.
    var handedOn: [NoteID: [UInt8]] = [:]
    /// Changes of live sessions that are not in the log yet.
    var unwritten: [NoteID: [UInt8]] = [:]
    /// Those of them that this person changed: the time of the change belongs to them.
    var edited: Set<NoteID> = []
    var directoryWriter: DirectoryWriter?
    var deletions = Deletions()
    /// The parts of the directory that cannot be read, or not be watched, and why.
    var missing: [String: NoteFailure] = [:]
    var people = People()
    /// Writers who do not say who they are.
    var unnamed: Set<RecordWriter> = []
    /// The names of those whose changes came through live sessions, by their clients: our logs have these changes too.
    var strangers: [UInt64: String] = [:]
    var shown = ShownRevisions()
    /// What listeners were told last of the documents that changed.
    var told = ToldChanges()
    var watching: Task<Void, Never>?
    /// Reads everything again after something could not be put into the index.
    var catchingUp: Task<Void, Never>?
    /// Whether that is still to be done.
    var isLate = false
    private var easing: Task<Void, Never>?
    var isClosed = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { bridge.unownedExecutor }

    private init(
        _ directory: StorageDirectory, home: String, person: String, options: Options, index: NoteIndex,
        bridge: CRDTBridge
    ) {
        path = directory.path
        self.directory = directory
        self.home = home
        self.person = person
        self.options = options
        self.index = index
        self.bridge = bridge
    }

    /// Opens a storage directory.
    /// - Parameters:
    ///   - directory: the path of the storage directory.
    ///   - home: a folder of this machine only, for the index, the locks and the ids under which we write.
    ///   - person: the name that others see.
    ///   - creating: whether what is missing is made. Otherwise a directory that is not there is an error.
    package static func open(
        _ directory: String, home: String, person: String, options: Options = Options(), creating: Bool = true
    ) async throws(NoteFailure) -> NoteLibrary {
        let files = try NoteFailure.opening { () throws(NoteFilesError) in
            try creating ? StorageDirectory(creating: directory) : StorageDirectory(opening: directory)
        }
        // If this fails, the first write reports it; reading needs nothing there.
        try? FileManager.default.createDirectory(
            atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let index = try NoteFailure.wrapping { try Self.index(of: files, home: home) }
        let bridge: CRDTBridge
        var limits = CRDTLimits()
        limits.executionTime = options.patience
        limits.timePerByte = options.timePerByte
        do { bridge = try await CRDTBridge(limits: limits) } catch { throw NoteFailure(error) }
        let library = NoteLibrary(
            files, home: home, person: person, options: options, index: index, bridge: bridge)
        try await library.begin()
        return library
    }

    private static func index(of files: StorageDirectory, home: String) throws(NoteIndexError) -> NoteIndex {
        let id = files.id ?? "unnamed"
        // Two copies of a directory have one id, and may differ.
        let place = HashFunction.sha256.digest(Array(files.path.utf8))
        return try NoteIndex(
            path: "\(home)/\(id)-\(Base64URL.encode(place.prefix(6))).sqlite",
            directory: IndexedDirectory(id: id, name: URL(filePath: files.path).lastPathComponent, path: files.path))
    }

    private func begin() async throws(NoteFailure) {
        guard options.watches else { return try await catchUp() }
        startWatching()
        easing = releaseWhenMemoryIsShort()
    }

    /// Writes what still waits and lets go of the directory. Later requests fail.
    /// - Returns: why changes of live sessions could not be written: the other side has them, this directory has not.
    @discardableResult
    package func close() async -> NoteFailure? {
        guard !isClosed else { return nil }
        let failure = flushEverything()
        isClosed = true
        easing?.cancel()
        catchingUp?.cancel()
        watching?.cancel()
        await watching?.value
        for queue in sessions.values.joined() { queue.finish() }
        broadcast.finish()
        directoryWriter = nil
        return failure
    }

    /// What changes from now on, here and elsewhere. A listener that is slow gets the newest change of each note.
    package nonisolated func changes() -> NoteChanges { broadcast.listen() }

    // What all else stands on.

    func checkOpen() throws(NoteFailure) {
        if isClosed { throw NoteFailure(.closed, "the notes in \(path) were closed") }
    }

    /// Uses the documents at once: they live on the same thread.
    func crdt<Value: Sendable>(_ body: @Sendable (isolated CRDTBridge) throws -> Value) throws(NoteFailure) -> Value {
        try NoteFailure.wrapping { try bridge.assumeIsolated(body) }
    }

    /// A reader takes no lock and no id to write under.
    func writer() throws(NoteFailure) -> DirectoryWriter {
        if let directoryWriter { return directoryWriter }
        try NoteFailure.wrapping { try directory.checkWritable() }
        let writer = DirectoryWriter(directory, lock: try identity(), clock: options.clock)
        try NoteFailure.wrapping { try introduce(writer) }
        directoryWriter = writer
        return writer
    }

    /// The writer, or one that introduces itself to nobody: a program that only checks a directory is not an author in it.
    func clearingWriter() throws(NoteFailure) -> DirectoryWriter {
        if let directoryWriter { return directoryWriter }
        return DirectoryWriter(directory, lock: try identity(), clock: options.clock)
    }

    private func identity() throws(NoteFailure) -> WriterLock {
        do throws(NoteFilesError) {
            return try WriterLock.acquire(in: home, as: person) { id in
                (try? directory.presences())?.presences.first { $0.profile == id }?.username
            }
        } catch {
            // It is not a note that is missing.
            guard error.code == .missing else { throw NoteFailure(error) }
            throw NoteFailure(.directoryUnwritable, "\(error.message). Whoever writes needs a folder of its own there")
        }
    }
}

extension NoteFailure {
    /// A directory that is not there is not a note that is not there.
    fileprivate static func opening(_ body: () throws(NoteFilesError) -> StorageDirectory) throws(NoteFailure)
        -> StorageDirectory
    {
        do {
            return try body()
        } catch {
            guard error.code == .missing || error.code == .failed else { throw NoteFailure(error) }
            throw NoteFailure(.directoryUnreadable, error.message)
        }
    }
}
