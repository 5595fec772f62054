internal import Platform

/// What an archive needs of folders. Everything that is made here is its owner's alone, and was not there before.
extension Folder {

    /// Whether it is this user's, and nobody else may look into it.
    package func isPrivate() throws(FileError) -> Bool {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw FileDescriptor.error("look at", path) }
        return status.st_uid == geteuid() && UInt32(status.st_mode) & 0o077 == 0
    }

    /// Makes a folder that was not there.
    package func newPrivateFolder(_ name: String) throws(FileError) -> Folder {
        let path = try path(of: name)
        guard mkdirat(number, name, 0o700) == 0 else { throw FileDescriptor.error("make", path) }
        return try folder(name)
    }

    func newFile(_ name: String) throws(FileError) -> FileDescriptor {
        let path = try path(of: name)
        let number = FileDescriptor.retry {
            openat(self.number, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode_t(0o600))
        }
        if number < 0 { throw FileDescriptor.error("make", path) }
        return FileDescriptor(owning: number, path: path)
    }

    func makeLink(_ name: String, to target: String) throws(FileError) {
        let path = try path(of: name)
        guard symlinkat(target, number, name) == 0 else { throw FileDescriptor.error("make", path) }
    }

    /// What a symbolic link says; nil if that is too long, or no UTF-8.
    func linkTarget(_ name: String) throws(FileError) -> String? {
        let path = try path(of: name)
        var bytes = [UInt8](repeating: 0, count: ArchiveRecord.targetLimit + 1)
        let count = bytes.withUnsafeMutableBytes { buffer in
            buffer.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlinkat(number, name, $0, text.count) } ?? 0
            }
        }
        guard count >= 0 else { throw FileDescriptor.error("read", path) }
        return count < bytes.count ? String(validating: bytes[..<count], as: UTF8.self) : nil
    }

    /// Returns when everything beneath it is on the disk. Once for all files is many times faster than once for each, and nothing
    /// has to be there before all of it is.
    func synchronizeEverything() throws(FileError) {
        #if canImport(Darwin)
        try synchronizeFolders(depth: ArchiveParser.depthLimit + 1)
        #else
        if FileDescriptor.retry({ alcove_sync_file_system(number) }) != 0 { throw FileDescriptor.error("save", path) }
        #endif
    }

    /// Its extended attributes.
    func attributes() throws(FileError) -> ExtendedAttributes {
        ExtendedAttributes(descriptor: try ConfinedFile(fcntl(number, F_DUPFD_CLOEXEC, 0)))
    }

    /// Takes the folder for this process until it is closed. False if another has it.
    package func lock() -> Bool { FileDescriptor.retry { flock(number, LOCK_EX | LOCK_NB) } == 0 }
}
