internal import Platform

/// Whole files in a folder, and what removes them.
extension Folder {
    /// The bytes of a file. One that is longer than `limit` throws `tooLong`.
    package func read(_ name: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        try open(name).readAll(atMost: limit)
    }

    /// Replaces or creates a file. It is the old one or the new one, whatever happens meanwhile, and when this returns it
    /// survives a power cut. Until then it lies beside it under a name that begins with a dot, as what is not finished
    /// does.
    package func write(_ bytes: [UInt8], to name: String) throws(FileError) {
        let path = try path(of: name)
        let temporary = ".\(UInt64.random(in: 0...UInt64.max)).new"
        do throws(FileError) {
            let file = try create(temporary)
            try file.writeAll(bytes)
            try file.synchronize()
            guard renameat(number, temporary, number, name) == 0 else { throw FileDescriptor.error("replace", path) }
        } catch {
            unlinkat(number, temporary, 0)
            throw error
        }
        try synchronize()
    }

    /// Removes a file or a symbolic link if it is there.
    package func remove(_ name: String) throws(FileError) {
        let path = try path(of: name)
        guard unlinkat(number, name, 0) == 0 || errno == ENOENT else { throw FileDescriptor.error("remove", path) }
    }

    /// Removes a folder. One that has something in it stays, and that is an error.
    package func removeEmptyFolder(_ name: String) throws(FileError) {
        let path = try path(of: name)
        guard unlinkat(number, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
            throw FileDescriptor.error("remove", path)
        }
    }

    /// Removes a folder with everything in it, if it is there. Links in it are removed, not followed.
    /// - Parameter depth: folders in folders; deeper ones are refused.
    package func removeFolder(_ name: String, depth: Int = 16, entries limit: Int = 1_000_000) throws(FileError) {
        guard try status(of: name) != nil else { return }
        guard depth > 0 else { throw FileError(.failed, "cannot remove \(path)/\(name): folders are nested too deep") }
        let inner = try folder(name)
        for entry in try inner.names(atMost: limit) {
            if try inner.status(of: entry)?.kind == .folder {
                try inner.removeFolder(entry, depth: depth - 1, entries: limit)
            } else {
                try inner.remove(entry)
            }
        }
        try removeEmptyFolder(name)
    }
}
