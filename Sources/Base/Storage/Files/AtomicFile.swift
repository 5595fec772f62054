internal import Platform

/// Small files that are either the old or the new one, whatever happens while they are written.
///
/// A file is written under another name, flushed, and renamed; then the folder is flushed too. Only its owner may read
/// it.
package enum AtomicFile {
    /// Replaces or creates the file. When it returns, the bytes survive a power cut.
    ///
    /// - Parameter name: the path under which it is written at first, for one who is the only writer and clears it away
    ///   after a crash; otherwise each write takes a name of its own.
    package static func write(_ bytes: [UInt8], to path: String, through name: String? = nil) throws(FileError) {
        let temporary = name ?? "\(path).\(UInt64.random(in: 0...UInt64.max)).new"
        do throws(FileError) {
            if name != nil { unlink(temporary) }
            try writeNew(bytes, to: temporary)
            guard rename(temporary, path) == 0 else { throw .last("replace", path) }
        } catch {
            unlink(temporary)
            throw error
        }
        try synchronizeFolder(of: path)
    }

    /// Gives a file that is there another name and then overwrites it where it lies, which takes no room on the disk.
    ///
    /// What was there before is overwritten in any case. The bytes may be missing after a crash, and if they are longer and there
    /// was no room for the rest.
    /// - Returns: false if there is no such file.
    package static func replace(_ path: String, reusing old: String, for bytes: [UInt8]) throws(FileError) -> Bool {
        guard rename(old, path) == 0 else {
            if errno == ENOENT { return false }
            throw .last("rename", old)
        }
        try synchronizeFolder(of: path)
        let file = try FileDescriptor(path, flags: O_WRONLY | O_NOFOLLOW)
        let rest = try file.size() - bytes.count
        try file.write([UInt8](repeating: 0, count: rest + bytes.count)[...], at: 0)
        do throws(FileError) {
            try file.write(bytes[...], at: 0)
            if rest > 0 { try file.truncate(to: Int64(bytes.count)) }
        } catch {
            guard error.code == .full else { throw error }
        }
        try file.synchronize()
        return true
    }

    /// The bytes of the file.
    package static func read(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        try FileDescriptor(path, flags: O_RDONLY).readAll(atMost: limit)
    }

    /// Removes the file if it is there.
    package static func remove(_ path: String) throws(FileError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .last("remove", path) }
        try synchronizeFolder(of: path)
    }

    /// Overwrites the file with zeros where it lies, then removes it, if it is there. A disk may have moved it before, and a copy
    /// elsewhere stays what it is.
    package static func erase(_ path: String) throws(FileError) {
        do throws(FileError) {
            let file = try FileDescriptor(path, flags: O_WRONLY | O_NOFOLLOW)
            let size = try file.size()
            let zeros = [UInt8](repeating: 0, count: min(size, 1 << 20))
            var offset = 0
            while offset < size {
                try file.write(zeros.prefix(size - offset), at: Int64(offset))
                offset += zeros.count
            }
            try file.synchronizeData()
        } catch {
            if error.code == .missing { return }
            // What cannot be overwritten is removed all the same.
        }
        try remove(path)
    }

    static func permissions(of path: String) throws(FileError) -> UInt32 {
        try FileDescriptor(path, flags: O_RDONLY).permissions()
    }

    private static func writeNew(_ bytes: [UInt8], to path: String) throws(FileError) {
        let file = try FileDescriptor(path, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        try file.write(bytes[...])
        try file.synchronize()
    }

    static func synchronizeFolder(of path: String) throws(FileError) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        try FileDescriptor(folder, flags: O_RDONLY | O_DIRECTORY).synchronize()
    }
}
