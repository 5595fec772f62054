internal import Platform

/// An entry of a folder.
package struct FolderEntry: Hashable, Sendable {
    package let name: String
    package let kind: FileStatus.Kind

    package init(_ name: String, _ kind: FileStatus.Kind) {
        self.name = name
        self.kind = kind
    }
}

/// Looking at entries of the folder, and opening them.
extension Folder {
    /// The status of an entry; links are not followed. Nil if there is no such entry.
    package func status(of name: String) throws(FileError) -> FileStatus? {
        try check(name)
        if let status = FileStatus.look(at: name, in: number) { return status }
        if errno == ENOENT { return nil }
        throw .last("look at", "\(path)/\(name)")
    }

    /// The status of the folder itself.
    package func status() throws(FileError) -> FileStatus { try descriptor.status() }

    /// The names in it, in no order, without `.` and `..`. More than `limit` of them are `tooLong`.
    /// - Parameter pass: called for each name that is not UTF-8.
    package func names(atMost limit: Int, passing pass: () -> Void = {}) throws(FileError) -> [String] {
        var names: [String] = []
        try forEachName { (name, _) throws(FileError) in
            guard let name else {
                pass()
                return true
            }
            guard names.count < limit else {
                throw FileError(
                    .tooLong, "\(path) holds more than \(limit) files; move those away that do not belong there")
            }
            names.append(name)
            return true
        }
        return names
    }

    /// The entries, sorted by name, without names that are not UTF-8. More than `limit` entries are `failed`.
    package func entries(atMost limit: Int) throws(FileError) -> [FolderEntry] {
        var entries: [FolderEntry] = []
        try forEachEntry { (entry) throws(FileError) in
            guard entries.count < limit else {
                throw FileError(.failed, reason: "the folder holds more than \(limit) entries")
            }
            entries.append(entry)
            return true
        }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Some of the entries, for callers that remove them and ask again.
    package func someEntries(atMost limit: Int) throws(FileError) -> [FolderEntry] {
        var entries: [FolderEntry] = []
        try forEachEntry { entry in
            entries.append(entry)
            return entries.count < limit
        }
        return entries
    }

    /// Calls `body` with each entry, in no order, without names that are not UTF-8. It never holds all entries in
    /// memory.
    /// - Parameter body: returns whether it wants more.
    package func forEachEntry(_ body: (FolderEntry) throws(FileError) -> Bool) throws(FileError) {
        try forEachName { (name, kind) throws(FileError) in
            guard let name else { return true }
            if let kind { return try body(FolderEntry(name, kind)) }
            // Entries that vanished since are left out.
            guard let status = try status(of: name) else { return true }
            return try body(FolderEntry(name, status.kind))
        }
    }

    /// - Parameter body: gets the name, nil if it is not UTF-8, and the kind, nil if the file system does not list
    ///   kinds. Returns whether it wants more.
    private func forEachName(_ body: (String?, FileStatus.Kind?) throws(FileError) -> Bool) throws(FileError) {
        // Its own descriptor, because listing changes its position and closing the list closes it.
        let copy = FileDescriptor.retry { openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard copy >= 0, let list = fdopendir(copy) else {
            let error = FileError.last("list", path)
            if copy >= 0 { close(copy) }
            throw error
        }
        defer { closedir(list) }
        while true {
            errno = 0
            guard let entry = readdir(list) else {
                if errno == 0 { return }
                throw .last("list", path)
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(validating: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            let kind: FileStatus.Kind? =
                switch Int32(entry.pointee.d_type) {
                case Int32(DT_UNKNOWN): nil
                case Int32(DT_REG): .file
                case Int32(DT_DIR): .folder
                case Int32(DT_LNK): .symbolicLink
                default: .other
                }
            guard try body(name, kind) else { return }
        }
    }

    /// Opens a file that is read. Anything but a regular file, such as a pipe or a link, is refused without waiting for it.
    package func open(_ name: String) throws(FileError) -> FileDescriptor {
        try file(name, O_RDONLY | O_NONBLOCK)
    }

    /// Opens an existing file for appending.
    package func openAppending(_ name: String) throws(FileError) -> FileDescriptor {
        try file(name, O_RDWR | O_APPEND | O_NONBLOCK)
    }

    /// Opens a file that may be there or not, for its lock.
    package func openForLocking(_ name: String) throws(FileError) -> FileDescriptor {
        try descriptor(name, O_RDWR | O_CREAT, path(of: name))
    }

    /// Makes a new file, and opens it for reading and writing. Only its owner may read it.
    package func createPrivate(_ name: String) throws(FileError) -> FileDescriptor {
        try file(name, O_RDWR | O_CREAT | O_EXCL)
    }

    /// Makes a new file for appending. Others may read it as far as the process's umask allows.
    package func create(_ name: String) throws(FileError) -> FileDescriptor {
        try file(name, O_RDWR | O_APPEND | O_CREAT | O_EXCL, mode: 0o666)
    }

    private func file(_ name: String, _ flags: Int32, mode: UInt32 = 0o600) throws(FileError) -> FileDescriptor {
        let file = try descriptor(name, flags, mode: mode, path(of: name))
        switch try file.status().kind {
        case .file: return file
        case .folder: throw FileError(.isDirectory, "\(file.path) is not a file", reason: "it is a folder")
        case .symbolicLink, .other: throw FileError(.notFile, "\(file.path) is not a file", reason: "it is not a file")
        }
    }

    /// The bytes of a file. One that is longer than `limit` throws `tooLong`.
    package func read(_ name: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        try open(name).readAll(atMost: limit)
    }

    /// The target of a symbolic link; nil if what has the name is no link, or nothing has it.
    package func linkTarget(_ name: String) throws(FileError) -> String? {
        try check(name)
        return try target(ofLink: name)
    }

    /// The same, also for `.`, which is no link.
    func target(ofLink name: String) throws(FileError) -> String? {
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
            throw .last("read", "\(path)/\(name)")
        }
        guard count < capacity, let target = String(validating: bytes[..<count], as: UTF8.self) else {
            throw FileError(.damaged, reason: "a symbolic link has an unreadable target")
        }
        return target
    }
}
