package import Storage
internal import Synchronization

/// What a program wants to know of the notes of one storage directory without opening them: lists, search, tags, links, tasks,
/// comments, and how far the files were read.
///
/// The index is a SQLite file, and a cache: all of it can be made again from the storage directory. So it never stands in the way. A
/// file that is damaged, of another version or about another directory is put aside, and an empty one takes its place. Where none
/// can be made or written, as the disk is full, a temporary one takes its place until this object goes. The ``generation`` tells. As
/// the progress of reading the files is in the index too, bringing an empty index up to date reads every file anew.
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
package final class NoteIndex: Sendable {
    /// The storage directory that this index is about.
    package let directory: IndexedDirectory
    private let current: Mutex<State>
    private let path: String?

    private struct State {
        var file: IndexFile
        var problem: String?
    }

    /// Opens the index at this path, or makes one. Its folder has to exist; beside the file are `-wal`, `-shm` and `.lock`.
    ///
    /// Throws only if not even a temporary index can be made.
    package init(path: String, directory: IndexedDirectory) throws(NoteIndexError) {
        self.directory = directory
        self.path = path
        do throws(DatabaseError) {
            current = Mutex(State(file: try IndexFile.open(path, of: directory)))
        } catch {
            current = Mutex(State(file: try Self.temporary(of: directory), problem: error.message))
        }
    }

    /// A temporary index.
    package init(temporaryOf directory: IndexedDirectory) throws(NoteIndexError) {
        self.directory = directory
        path = nil
        current = Mutex(State(file: try Self.temporary(of: directory)))
    }

    private static func temporary(of directory: IndexedDirectory) throws(NoteIndexError) -> IndexFile {
        do { return try IndexFile.temporary(of: directory) } catch { throw .failed(error) }
    }

    /// Changes whenever an empty index took the place of this one. A caller who remembers another value has to read all files again.
    package var generation: String { current.withLock { $0.file.generation } }

    /// Why the index is a temporary one; nil if it is not, or was asked to be.
    package var problem: String? { current.withLock { $0.problem } }

    /// Reads on one state of the index, whatever is written meanwhile.
    /// - Throws: ``NoteIndexError``, and what `body` throws.
    package func read<Value: Sendable>(_ body: @Sendable (borrowing IndexReader) throws -> Value) throws -> Value {
        try guarding { try $0.read(body) }
    }

    /// Runs `body` as one transaction: all of what it writes is kept, or, if it throws, nothing.
    /// - Throws: ``NoteIndexError``, and what `body` throws.
    package func write<Value: Sendable>(_ body: @Sendable (borrowing IndexWriter) throws -> Value) throws -> Value {
        try guarding { try $0.write(body) }
    }

    /// Forgets everything. The index gets a new ``generation``.
    package func clear() throws(NoteIndexError) {
        try replace(current.withLock { $0.file }, because: nil)
    }

    private func guarding<Value>(_ work: (IndexFile) throws -> Value) throws -> Value {
        let file = current.withLock { $0.file }
        do {
            return try work(file)
        } catch let error as DatabaseError {
            guard Self.isDamage(error.code) || Self.isRefusal(error.code) else { throw NoteIndexError.failed(error) }
            try replace(file, because: error)
            throw NoteIndexError.startedAnew(reason: error.message)
        }
    }

    private static func isDamage(_ code: DatabaseError.Code) -> Bool { code == .corrupt || code == .notADatabase }

    private static func isRefusal(_ code: DatabaseError.Code) -> Bool {
        code == .full || code == .readOnly || code == .inputOutput || code == .cannotOpen
    }

    /// - Parameter error: what happened to the file; nil if it is only to be emptied.
    private func replace(_ file: IndexFile, because error: DatabaseError?) throws(NoteIndexError) {
        try current.withLock { current throws(NoteIndexError) in
            // Another thread may have been here first.
            guard current.file === file else { return }
            if let path, current.problem == nil, error.map({ Self.isDamage($0.code) }) ?? true {
                do throws(DatabaseError) {
                    current.file = try IndexFile.replace(file, at: path, of: directory)
                    return
                } catch {
                    current.problem = error.message
                }
            } else if path != nil, current.problem == nil {
                current.problem = error?.message
            }
            current.file = try Self.temporary(of: directory)
        }
    }
}

/// Why the index did not answer.
package enum NoteIndexError: Error, Sendable, CustomStringConvertible {
    /// The file was damaged, or cannot be written any more. The index is empty now: read all files of the storage directory again.
    case startedAnew(reason: String)
    /// Another process holds the lock too long, or not even a temporary file can be written.
    case failed(DatabaseError)

    package var description: String {
        switch self {
        case .startedAnew(let reason): "the index of the notes begins anew: \(reason)"
        case .failed(let error): "the index of the notes: \(error.message)"
        }
    }
}
