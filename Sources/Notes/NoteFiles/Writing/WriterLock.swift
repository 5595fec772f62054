internal import Storage
internal import Wire

/// An identity to write as, held by one process at a time.
///
/// A log has exactly one writer, so several processes of one profile write as several. The identities are kept in a local folder,
/// outside every synced one, and are used again: the first that is free, so that a profile has as few logs as possible.
///
/// An identity has one name, which is in its file: a directory knows the names of identities, not of single records. Whoever writes
/// under another name takes another identity, or what was written before would get the new name, too.
package final class WriterLock: Sendable {
    /// Processes of one profile that write at once.
    package static let limit = 64

    package let id: WriterID
    /// The lock ends with the descriptor, also when the process is killed.
    private let file: FileDescriptor

    private init(_ id: WriterID, _ file: FileDescriptor) {
        self.id = id
        self.file = file
    }

    /// Bytes of a name that are kept and compared.
    private static let nameLimit = 1024

    /// Takes the first identity that is free, or makes one.
    /// - Parameters:
    ///   - home: a folder on this machine that is not synced. It has to be there; `writers` is made in it.
    ///   - name: only an identity of this name, as long as there is room for another one; nil takes any.
    ///   - known: the name under which an identity wrote before names were kept; nil if unknown.
    package static func acquire(
        in home: String, as name: String? = nil, known: (WriterID) -> String? = { _ in nil }
    ) throws(NoteFilesError) -> WriterLock {
        let lock = try NoteFilesError.wrapping { () throws(FileError) -> WriterLock? in
            let folder = try Folder(home).folder(making: "writers")
            // Another process may lock one between its making and this lock, and others may be free by now, so this looks again. Each time
            // one more process has its own, so this ends.
            for _ in 0...limit {
                let names = try folder.names(atMost: 4096).sorted()
                if let free = try firstFree(of: names, in: folder, as: name, known) { return free }
                guard names.count < limit else { return try firstFree(of: names, in: folder, as: nil, known) }
                if let new = try makeNew(names.count + 1, in: folder, as: name) { return new }
            }
            return nil
        }
        guard let lock else {
            throw NoteFilesError(.busy, "\(limit) processes write with the profile in \(home) already: end one of them")
        }
        return lock
    }

    /// The identities that a profile has made so far, in use or not.
    /// - Parameter home: as for ``acquire(in:)``. Nothing is made there; there are none where it cannot be read.
    package static func identities(in home: String) -> Set<String> {
        let names = try? Folder(home).folder("writers").names(atMost: 4096)
        return Set((names ?? []).compactMap { id(of: $0)?.text })
    }

    private static func firstFree(
        of files: [String], in folder: Folder, as name: String?, _ known: (WriterID) -> String?
    ) throws(FileError) -> WriterLock? {
        for path in files {
            guard let id = id(of: path) else { continue }
            let file = try folder.openAppending(path)
            guard try file.lock() else { continue }
            guard let name else { return WriterLock(id, file) }
            var own = try file.read(at: 0, atMost: nameLimit)
            if own.isEmpty {
                own = bytes(known(id) ?? name)
                // Without it nothing is wrong but the name, and only after another one came.
                try? file.write(own[...])
            }
            if own == bytes(name) { return WriterLock(id, file) }
        }
        return nil
    }

    /// nil if another process was faster to lock it.
    private static func makeNew(
        _ number: Int, in folder: Folder, as name: String?
    ) throws(FileError) -> WriterLock? {
        let id = WriterID.random()
        // The number in front keeps them in the order in which they were made.
        let digits = String(number)
        let file = try folder.create("\(String(repeating: "0", count: 4 - digits.count))\(digits).\(id)")
        try folder.synchronize()
        guard try file.lock() else { return nil }
        if let name { try? file.write(bytes(name)[...]) }
        return WriterLock(id, file)
    }

    private static func bytes(_ name: String) -> [UInt8] { Array(name.utf8.prefix(nameLimit)) }

    private static func id(of name: String) -> WriterID? {
        let parts = name.split(separator: ".")
        return parts.count == 2 ? try? WriterID(parts[1]) : nil
    }
}

extension WriterID {
    /// Short for ``WriterLock/acquire(in:as:known:)``, whatever the name.
    package static func acquire(in home: String) throws(NoteFilesError) -> WriterLock {
        try WriterLock.acquire(in: home)
    }
}
