internal import Platform

/// Writes small files whole: a crash leaves either the old or the new content.
///
/// A file is written under another name, flushed, and renamed; then the folder is flushed too. Only its owner may read
/// it.
package enum AtomicFile {
    /// Replaces or creates the file. When it returns, the bytes survive a power cut.
    ///
    /// - Parameter name: the temporary path, for a caller that is the only writer and removes it after a crash.
    ///   Otherwise each write uses its own name.
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

    /// Renames an existing file and then overwrites it in place, which takes no room on the disk.
    ///
    /// The old content is overwritten in any case. The new bytes may be missing after a crash, or if they are longer
    /// than the old ones and the disk is full.
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

    /// Overwrites the file with zeros in place, then removes it, if it exists. Copies that the disk or others made
    /// before remain.
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
            // A file that cannot be overwritten is removed all the same.
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
