internal import Storage
internal import Wire

/// An identity to write as, held by one process at a time.
///
/// A log has exactly one writer, so several processes of one profile write as several. The identities are kept in a local folder,
/// outside every synced one, and are used again: the first that is free, so that a profile has as few logs as possible.
public final class WriterLock: Sendable {
    /// Processes of one profile that write at once.
    public static let limit = 64

    public let id: WriterID
    /// The lock ends with the descriptor, also when the process is killed.
    private let file: FileDescriptor

    private init(_ id: WriterID, _ file: consuming FileDescriptor) {
        self.id = id
        self.file = file
    }

    /// Takes the first identity that is free, or makes one.
    /// - Parameter home: a folder on this machine that is not synced. It has to be there; `writers` is made in it.
    public static func acquire(in home: String) throws(NoteFilesError) -> WriterLock {
        let lock = try NoteFilesError.wrapping { () throws(FileError) -> WriterLock? in
            let folder = try Folder(home).folder(making: "writers")
            for name in try folder.names(atMost: 4096).sorted() {
                guard let id = id(of: name) else { continue }
                let file = try folder.openAppending(name)
                if try file.lock() { return WriterLock(id, file) }
            }
            return try makeNew(in: folder)
        }
        guard let lock else {
            throw NoteFilesError(.busy, "\(limit) processes write with the profile in \(home) already: end one of them")
        }
        return lock
    }

    private static func makeNew(in folder: borrowing Folder) throws(FileError) -> WriterLock? {
        let count = try folder.names(atMost: 4096).count
        guard count < limit else { return nil }
        let id = WriterID.random()
        // The number in front keeps them in the order in which they were made.
        let number = String(count + 1)
        let file = try folder.create("\(String(repeating: "0", count: 4 - number.count))\(number).\(id)")
        try folder.synchronize()
        return try file.lock() ? WriterLock(id, file) : nil
    }

    private static func id(of name: String) -> WriterID? {
        let parts = name.split(separator: ".")
        return parts.count == 2 ? try? WriterID(parts[1]) : nil
    }
}

extension WriterID {
    /// Short for ``WriterLock/acquire(in:)``.
    public static func acquire(in home: String) throws(NoteFilesError) -> WriterLock {
        try WriterLock.acquire(in: home)
    }
}
