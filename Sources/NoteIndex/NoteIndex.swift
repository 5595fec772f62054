public import Storage
internal import Synchronization

/// What a program wants to know of the notes of one storage directory without opening them: lists, search, tags, links, tasks,
/// comments, and how far the files were read.
///
/// The index is a SQLite file, and a cache: all of it can be made again from the storage directory. A file that is damaged, of
/// another version or about another directory is put aside, and an empty one takes its place. Its ``generation`` tells. As the
/// progress of reading the files is in it too, whoever brings an empty index up to date reads every file anew.
///
/// ```swift
/// let index = try NoteIndex(path: home + "/index.sqlite", directory: IndexedDirectory(id: id, name: "Notes", path: folder))
/// try index.write { writer in
///     try writer.upsert(note)
///     try writer.setProgress(IndexedProgress(path: log, document: note.id, size: 120, offset: 120))
/// }
/// let found = try index.read { try $0.search("#work agenda") }
/// ```
///
/// Calls block for as long as SQLite takes. Reads run beside each other and beside a write; writes wait for each other, also
/// for those of other processes, for five seconds at most.
public final class NoteIndex: Sendable {
    /// The storage directory that this index is about.
    public let directory: IndexedDirectory
    private let current: Mutex<IndexFile>
    private let path: String?

    /// Opens the index at this path, or makes one. Its folder has to exist; beside the file are `-wal`, `-shm` and `.lock`.
    public init(path: String, directory: IndexedDirectory) throws(NoteIndexError) {
        self.directory = directory
        self.path = path
        do { current = Mutex(try IndexFile.open(path, of: directory)) } catch { throw .failed(error) }
    }

    /// An index that is forgotten with this object: for tests, and where no file can be written.
    public init(inMemoryOf directory: IndexedDirectory) throws(NoteIndexError) {
        self.directory = directory
        path = nil
        do { current = Mutex(try IndexFile.inMemory(of: directory)) } catch { throw .failed(error) }
    }

    /// Changes whenever an empty index took the place of this one. A caller who remembers another value has to read all files again.
    public var generation: String { current.withLock { $0.generation } }

    /// Reads on one state of the index, whatever is written meanwhile.
    /// - Throws: ``NoteIndexError``, and what `body` throws.
    public func read<Value: Sendable>(_ body: @Sendable (borrowing IndexReader) throws -> Value) throws -> Value {
        try guarding { try $0.read(body) }
    }

    /// Runs `body` as one transaction: all of what it writes is kept, or, if it throws, nothing.
    /// - Throws: ``NoteIndexError``, and what `body` throws.
    public func write<Value: Sendable>(_ body: @Sendable (borrowing IndexWriter) throws -> Value) throws -> Value {
        try guarding { try $0.write(body) }
    }

    /// Forgets everything. The index gets a new ``generation``.
    public func clear() throws {
        try replace(current.withLock(\.self), evenIfSound: true)
    }

    private func guarding<Value>(_ work: (IndexFile) throws -> Value) throws -> Value {
        let file = current.withLock(\.self)
        do {
            return try work(file)
        } catch let error as DatabaseError where error.code == .corrupt || error.code == .notADatabase {
            try replace(file, evenIfSound: false)
            throw NoteIndexError.startedAnew(reason: error.message)
        } catch let error as DatabaseError {
            throw NoteIndexError.failed(error)
        }
    }

    private func replace(_ file: IndexFile, evenIfSound: Bool) throws {
        try current.withLock { current in
            // Another thread may have been here first.
            guard current === file else { return }
            if let path {
                current = try IndexFile.replace(file, at: path, of: directory)
            } else {
                current = try IndexFile.inMemory(of: directory)
            }
        }
    }
}

/// Why the index did not answer.
public enum NoteIndexError: Error, Sendable, CustomStringConvertible {
    /// The file was damaged. It is put aside, and the index is empty now: read all files of the storage directory again.
    case startedAnew(reason: String)
    /// The disk is full, another process holds the lock too long, the file may only be read…
    case failed(DatabaseError)

    public var description: String {
        switch self {
        case .startedAnew(let reason): "the index of the notes was damaged and begins anew: \(reason)"
        case .failed(let error): "the index of the notes: \(error.message)"
        }
    }
}
