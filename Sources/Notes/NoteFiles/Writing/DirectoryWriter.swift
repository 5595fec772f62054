internal import Storage
internal import Synchronization

/// Everything that one writer writes into a storage directory. It touches no file of anyone else, except that a note it
/// deletes is removed with all its files.
///
/// Calls from several threads wait for each other, and every record waits for the disk.
package final class DirectoryWriter: Sendable {
    package let directory: StorageDirectory
    package let lock: WriterLock
    private let clock: @Sendable () -> Int64
    private let state: Mutex<State>

    private struct State {
        var logs: [DocumentID: LogWriter] = [:]
        var activity: LineLog
        var deletions: LineLog
        /// Records that are on the disk while their announcement failed.
        var unannounced: [NoteID: UInt64] = [:]
    }

    /// - Parameter clock: milliseconds since 1970.
    package init(
        _ directory: StorageDirectory, lock: WriterLock,
        clock: @escaping @Sendable () -> Int64 = SystemClock.milliseconds
    ) {
        self.directory = directory
        self.lock = lock
        self.clock = clock
        state = Mutex(
            State(
                activity: LineLog(folder: "activity", writer: lock.id, linesKept: 1000),
                deletions: LineLog(folder: "deleted", writer: lock.id)))
    }

    package var id: WriterID { lock.id }

    /// Appends a Yjs update to the writer's log of the document; a note that is not there begins with it. When this
    /// returns, the record survives a power cut, and other devices are told. If it throws, it is not in the log; what was
    /// acknowledged before is.
    @discardableResult
    package func append(_ update: [UInt8], to document: DocumentID) throws(NoteFilesError) -> AppendedRecord {
        let root = try writableRoot()
        let now = clock()
        return try state.withLock { state throws(NoteFilesError) in
            var log = state.logs[document] ?? LogWriter(document, writer: id)
            // Also after an error: it knows then that it has to look.
            defer { state.logs[document] = log }
            let record = try log.append(update, at: now, in: root)
            // Readers of the folder tree look at its logs themselves.
            if case .note(let note) = document { announce(note, record.sequence, &state, in: root) }
            return record
        }
    }

    /// Called only after the record is on the disk, so that nobody looks for a record that a power cut removed. The line itself
    /// may be lost, because it only spares others a search. A line that could not be written is written with the next.
    private func announce(_ note: NoteID, _ sequence: UInt64, _ state: inout State, in root: Folder) {
        state.unannounced[note] = sequence
        for (note, sequence) in state.unannounced {
            let line = ActivityEntry(note: note, writer: id, sequence: sequence).line
            do throws(FileError) {
                try state.activity.append(line, in: root, isDurable: false)
                state.unannounced[note] = nil
            } catch {
                return
            }
        }
    }

    /// Removes a note for good. The others are told first, and for ever.
    package func delete(_ note: NoteID) throws(NoteFilesError) {
        let root = try writableRoot()
        let line = Deletion(note: note, time: clock()).line
        try state.withLock { state throws(NoteFilesError) in
            do throws(FileError) {
                let notes = try root.folder("notes")
                guard try notes.status(of: note.text) != nil else {
                    throw FileError(.missing, "there is no note \(note) in \(directory.path)")
                }
                try state.deletions.append(line, in: root, isDurable: true)
                state.logs[.note(note)] = nil
                try notes.removeFolder(note.text)
                try notes.synchronize()
            } catch {
                throw NoteFilesError(error)
            }
        }
    }

    /// Says who writes here.
    package func write(_ presence: Presence) throws(NoteFilesError) {
        let root = try writableRoot()
        try NoteFilesError.wrapping { () throws(FileError) in
            try root.folder(making: "profiles").write(presence.bytes, to: "\(presence.profile).json")
        }
    }

    /// Runs something that changes the log of a document, which is looked at anew before the next record.
    func withoutLog<Value: Sendable>(
        of document: DocumentID, _ body: () throws(FileError) -> Value
    ) throws(NoteFilesError) -> Value {
        try state.withLock { state throws(NoteFilesError) in
            state.logs[document] = nil
            return try NoteFilesError.wrapping(body)
        }
    }

    func writableRoot() throws(NoteFilesError) -> Folder {
        let root = try directory.root()
        try directory.checkWritable(root)
        return root
    }
}
