internal import Platform

/// Changes in the folder. They survive a power cut after ``synchronize()``; some methods say that they do so at once.
extension Folder {
    /// Replaces or creates a file. A crash leaves either the old or the new one. When this returns, the new one
    /// survives a power cut. Until then it has a temporary name that begins with a dot.
    /// - Parameter isPrivate: whether only its owner may read it. Otherwise others may as far as the process's umask allows.
    package func write(_ bytes: [UInt8], to name: String, isPrivate: Bool = false) throws(FileError) {
        let path = try path(of: name)
        let temporary = ".\(UInt64.random(in: 0...UInt64.max)).new"
        do throws(FileError) {
            let file = try isPrivate ? createPrivate(temporary) : create(temporary)
            try file.write(bytes[...])
            try file.synchronize()
            guard renameat(number, temporary, number, name) == 0 else { throw .last("replace", path) }
        } catch {
            unlinkat(number, temporary, 0)
            throw error
        }
        try synchronize()
    }

    /// Makes a folder that was not there. Only its owner may look into it.
    package func makeFolder(_ name: String) throws(FileError) {
        let path = try path(of: name)
        guard mkdirat(number, name, 0o700) == 0 else { throw .last("make", path) }
    }

    /// Opens a folder in this one, and makes it if it is missing. Others may look into it as far as the process lets them.
    /// - Parameter isDurable: whether a folder that was made is on the disk when this returns. For a whole tree,
    ///   ``synchronizeFolders(depth:entries:)`` does that at once.
    package func folder(making name: String, isDurable: Bool = true) throws(FileError) -> Folder {
        let path = try path(of: name)
        if mkdirat(number, name, 0o777) == 0 {
            if isDurable { try synchronize() }
        } else if errno != EEXIST {
            throw .last("make", path)
        }
        return try folder(name)
    }

    /// Makes a symbolic link. Its target is not checked.
    package func makeLink(_ name: String, to target: String) throws(FileError) {
        let path = try path(of: name)
        guard symlinkat(target, number, name) == 0 else { throw .last("make", path) }
    }

    /// Gives a file or folder another place, in one step, on the same file system.
    /// - Parameter replacing: whether a file or an empty folder that has the name goes; if not, that is an error.
    package func move(
        _ name: String, to folder: Folder, as newName: String, replacing: Bool = true
    ) throws(FileError) {
        let (path, target) = (try path(of: name), try folder.path(of: newName))
        let call = replacing ? renameat : Self.renameNew
        guard call(number, name, folder.number, newName) == 0 else { throw .last("move \(path) to", target) }
    }

    /// The system's call that renames unless something has the new name.
    static func renameNew(
        _ number: Int32, _ name: UnsafePointer<CChar>?, _ newNumber: Int32, _ newName: UnsafePointer<CChar>?
    ) -> Int32 {
        #if canImport(Darwin)
        renameatx_np(number, name, newNumber, newName, UInt32(RENAME_EXCL))
        #else
        alcove_rename_new(number, name, newNumber, newName)
        #endif
    }

    /// Removes a file or a symbolic link.
    /// - Returns: false if there was none.
    @discardableResult
    package func remove(_ name: String) throws(FileError) -> Bool { try unlink(name, 0) }

    /// Removes a folder. One that has something in it stays, and that is an error: `notEmpty`.
    /// - Returns: false if there was none.
    @discardableResult
    package func removeEmptyFolder(_ name: String) throws(FileError) -> Bool { try unlink(name, AT_REMOVEDIR) }

    private func unlink(_ name: String, _ flags: Int32) throws(FileError) -> Bool {
        try check(name)
        if unlinkat(number, name, flags) == 0 { return true }
        if errno == ENOENT { return false }
        throw .last("remove", "\(path)/\(name)")
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

    /// Flushes this folder and those in it.
    package func synchronizeFolders(depth: Int = 32, entries limit: Int = 1_000_000) throws(FileError) {
        guard depth > 0 else { throw FileError(.failed, "\(path) is nested too deep") }
        for name in try names(atMost: limit) where try status(of: name)?.kind == .folder {
            try folder(name).synchronizeFolders(depth: depth - 1, entries: limit)
        }
        try synchronize()
    }

    /// Returns when everything beneath it is on the disk. Flushing the file system once is many times faster than
    /// flushing each file, and the order does not matter here.
    func synchronizeEverything() throws(FileError) {
        #if canImport(Darwin)
        try synchronizeFolders(depth: ArchiveParser.depthLimit + 1)
        #else
        let folder = try readable()
        if FileDescriptor.retry({ alcove_sync_file_system(folder.number) }) != 0 { throw .last("save", path) }
        #endif
    }
}
