internal import Platform

/// What is reached from an open folder, by one name and never through a link.
extension ConfinedFile {
    /// Opens a name in this folder, never through a link.
    func open(_ name: String, _ flags: Int32, mode: UInt32 = 0o600) throws(FileError) -> ConfinedFile {
        try ConfinedFile(
            FileDescriptor.retry { openat(number, name, flags | O_CLOEXEC | O_NOFOLLOW, mode_t(mode)) })
    }

    /// Opens a folder in this one, only to reach what is in it.
    func folder(_ name: String) throws(FileError) -> ConfinedFile {
        #if canImport(Darwin)
        try open(name, O_RDONLY | O_DIRECTORY)
        #else
        try open(name, alcove_o_path() | O_DIRECTORY)
        #endif
    }

    /// Opens a folder many steps down in one call; nil where the system cannot, or a link is on the way.
    func folder(beneath steps: some Collection<String>) throws(FileError) -> ConfinedFile? {
        #if canImport(Darwin)
        return nil
        #else
        let path = steps.joined(separator: "/")
        let number = FileDescriptor.retry { alcove_open_folder_beneath(self.number, path) }
        if number < 0, [ENOENT, ENOTDIR, EACCES, ENAMETOOLONG, EMFILE, ENFILE, ENOMEM].contains(errno) { throw .last }
        return number < 0 ? nil : try ConfinedFile(number)
        #endif
    }

    /// Where the link of this name points; nil if what has the name is no link, or nothing has it.
    func linkTarget(_ name: String) throws(FileError) -> String? {
        var bytes = [UInt8](repeating: 0, count: ConfinedPath.byteLimit + 1)
        let capacity = bytes.count
        let count = bytes.withUnsafeMutableBytes { buffer in
            buffer.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else { return -1 }
                return FileDescriptor.retry { readlinkat(number, name, start, capacity) }
            }
        }
        if count < 0 {
            if errno == EINVAL || errno == ENOENT { return nil }
            throw .last
        }
        guard count < capacity, let target = String(validating: bytes[..<count], as: UTF8.self) else {
            throw FileError(.failed, reason: "a symbolic link has an unreadable target")
        }
        return target
    }
}
