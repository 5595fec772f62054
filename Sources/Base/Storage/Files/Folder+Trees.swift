internal import Platform

/// Whole trees of files that are made in one place and put in another, and files that several processes lock.
extension Folder {
    /// Opens a folder by its path, and makes it if only it is missing. Then only its owner may look into it.
    package static func making(_ path: String) throws(FileError) -> Folder {
        if mkdir(path, 0o700) == 0 {
            try AtomicFile.synchronizeFolder(of: path)
        } else if errno != EEXIST {
            throw FileDescriptor.error("make", path)
        }
        return try Folder(path)
    }

    /// Gives a file or folder another place, in one step, on the same file system. A file that is there is replaced; a folder that is
    /// there stays, unless it is empty, and that is an error. Neither folder is flushed.
    package func move(_ name: String, to folder: borrowing Folder, as newName: String) throws(FileError) {
        let (path, target) = (try path(of: name), try folder.path(of: newName))
        guard renameat(number, name, folder.number, newName) == 0 else {
            throw FileDescriptor.error("move \(path) to", target)
        }
    }

    /// Makes a folder, or opens the one that is there. Unlike ``folder(making:)`` it leaves flushing to ``synchronizeFolders(depth:)``.
    package func folder(makingInTree name: String) throws(FileError) -> Folder {
        let path = try path(of: name)
        guard mkdirat(number, name, 0o777) == 0 || errno == EEXIST else { throw FileDescriptor.error("make", path) }
        return try folder(name)
    }

    /// Flushes this folder and those in it.
    package func synchronizeFolders(depth: Int = 32, entries limit: Int = 1_000_000) throws(FileError) {
        guard depth > 0 else { throw FileError(.failed, "\(path) is nested too deep") }
        for name in try names(atMost: limit) where try status(of: name)?.kind == .folder {
            try folder(name).synchronizeFolders(depth: depth - 1, entries: limit)
        }
        try synchronize()
    }

    /// Opens a file that may be there or not, for its lock.
    package func openForLocking(_ name: String) throws(FileError) -> FileDescriptor {
        let path = try path(of: name)
        let number = FileDescriptor.retry {
            openat(self.number, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode_t(0o600))
        }
        if number < 0 { throw FileDescriptor.error("open", path) }
        return FileDescriptor(owning: number, path: path)
    }
}
