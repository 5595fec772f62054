internal import Platform

/// An open folder. What is in it is reached by one name at a time and never through a symbolic link, so whatever others put
/// into it, nothing outside is read or written.
package struct Folder: ~Copyable, Sendable {
    let number: Int32
    /// Where it was opened, for messages.
    package let path: String

    /// Opens a folder by its path, in which links are followed: a person chose it.
    package init(_ path: String) throws(FileError) {
        self.path = path
        number = FileDescriptor.retry { openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        if number < 0 { throw FileDescriptor.error("open", path) }
    }

    private init(owning number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    deinit {
        if number >= 0 { close(number) }
    }

    /// Opens a folder in this one.
    package func folder(_ name: String) throws(FileError) -> Folder {
        let path = try path(of: name)
        let number = FileDescriptor.retry {
            openat(self.number, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        }
        if number < 0, errno == ENOTDIR {
            throw FileError(.damaged, "\(path) is a file or a symbolic link where a folder has to be")
        }
        if number < 0 { throw FileDescriptor.error("open", path) }
        return Folder(owning: number, path: path)
    }

    /// Opens a folder in this one, and makes it if it is missing.
    package func folder(making name: String) throws(FileError) -> Folder {
        let path = try path(of: name)
        if mkdirat(number, name, 0o777) == 0 {
            try synchronize()
        } else if errno != EEXIST {
            throw FileDescriptor.error("make", path)
        }
        return try folder(name)
    }

    /// What is in it, in no order, without `.` and `..` and without names that are no UTF-8.
    /// - Parameter pass: is called for each name that is no UTF-8.
    package func names(atMost limit: Int, passing pass: () -> Void = {}) throws(FileError) -> [String] {
        var names: [String] = []
        let failure = try FolderEntry.forEach(in: number) { (name, _) throws(FileError) in
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
        if failure != 0 {
            errno = failure
            throw FileDescriptor.error("list", path)
        }
        return names
    }

    /// nil if there is nothing of that name. Of a symbolic link it is the link itself that is looked at.
    package func status(of name: String) throws(FileError) -> FileStatus? {
        let path = try path(of: name)
        if let status = FileStatus.look(at: name, in: number) { return status }
        if errno == ENOENT { return nil }
        throw FileDescriptor.error("look at", path)
    }

    /// Opens a file that is read. Whatever is no file, such as a pipe, is refused without waiting for it.
    package func open(_ name: String) throws(FileError) -> FileDescriptor {
        try file(name, flags: O_RDONLY | O_NONBLOCK)
    }

    /// Opens a file that is there, and to which everything written is appended.
    package func openAppending(_ name: String) throws(FileError) -> FileDescriptor {
        try file(name, flags: O_RDWR | O_APPEND | O_NONBLOCK)
    }

    /// Makes a file that was not there. Others may read it as far as the process lets them.
    package func create(_ name: String) throws(FileError) -> FileDescriptor {
        try file(name, flags: O_RDWR | O_APPEND | O_CREAT | O_EXCL)
    }

    private func file(_ name: String, flags: Int32) throws(FileError) -> FileDescriptor {
        let path = try path(of: name)
        let number = FileDescriptor.retry { openat(self.number, name, flags | O_CLOEXEC | O_NOFOLLOW, mode_t(0o666)) }
        if number < 0 { throw FileDescriptor.error("open", path) }
        let file = FileDescriptor(owning: number, path: path)
        guard try file.status().kind == .file else { throw FileError(.damaged, "\(path) is not a file") }
        return file
    }

    /// Returns when the names in it are on the disk, on file systems that keep them there.
    package func synchronize() throws(FileError) {
        if FileDescriptor.retry({ fsync(number) }) != 0, errno != EINVAL, errno != ENOTSUP {
            throw FileDescriptor.error("save", path)
        }
    }

    /// Throws unless something may be made in it.
    package func checkWritable() throws(FileError) {
        if faccessat(number, ".", W_OK | X_OK, 0) != 0 { throw FileDescriptor.error("write to", path) }
    }

    /// The path of what has this name, for messages. A name is one step, and not upwards.
    func path(of name: String) throws(FileError) -> String {
        let isStep = !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0 || $0 == 0x2f }
        guard isStep, name.utf8.count <= 255 else {
            throw FileError(.failed, "in \(path) there can be no file of this name: \(name.prefix(80))")
        }
        return "\(path)/\(name)"
    }
}
