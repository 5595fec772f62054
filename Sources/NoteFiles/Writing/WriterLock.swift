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
            // Whoever comes between making one and locking it has it, and others may be free since: so look again. Each time
            // one more process has its own, so this ends.
            for _ in 0...limit {
                let names = try folder.names(atMost: 4096).sorted()
                if let free = try firstFree(of: names, in: folder) { return free }
                guard names.count < limit else { return nil }
                if let new = try makeNew(names.count + 1, in: folder) { return new }
            }
            return nil
        }
        guard let lock else {
            throw NoteFilesError(.busy, "\(limit) processes write with the profile in \(home) already: end one of them")
        }
        return lock
    }

    private static func firstFree(of names: [String], in folder: borrowing Folder) throws(FileError) -> WriterLock? {
        for name in names {
            guard let id = id(of: name) else { continue }
            let file = try folder.openAppending(name)
            if try file.lock() { return WriterLock(id, file) }
        }
        return nil
    }

    /// nil if another process was faster to lock it.
    private static func makeNew(_ number: Int, in folder: borrowing Folder) throws(FileError) -> WriterLock? {
        let id = WriterID.random()
        // The number in front keeps them in the order in which they were made.
        let digits = String(number)
        let file = try folder.create("\(String(repeating: "0", count: 4 - digits.count))\(digits).\(id)")
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
