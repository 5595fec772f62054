internal import Platform

/// An open folder. Its entries are reached by one name at a time and never through a symbolic link, so nothing outside
/// is read or written, whatever others put into it.
///
/// It stays the same folder when it is renamed. Calls are synchronous and may come from any thread.
package struct Folder: Sendable {
    /// On Linux it may only be good for reaching entries (`O_PATH`); use ``readable()`` for the rest.
    let descriptor: FileDescriptor

    var number: Int32 { descriptor.number }

    /// Where it was opened, for messages.
    package var path: String { descriptor.path }

    init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    /// Opens a folder by its path, in which links are followed: a person chose it.
    package init(_ path: String) throws(FileError) {
        self.init(try FileDescriptor(path, flags: O_RDONLY | O_DIRECTORY))
    }

    /// Opens a folder by its path. Makes it if it is missing, but not its parents; then only its owner may look into
    /// it.
    package static func making(_ path: String) throws(FileError) -> Folder {
        if mkdir(path, 0o700) == 0 {
            try AtomicFile.synchronizeFolder(of: path)
        } else if errno != EEXIST {
            throw .last("make", path)
        }
        return try Folder(path)
    }

    /// Opens a folder in this one.
    package func folder(_ name: String) throws(FileError) -> Folder {
        Folder(try descriptor(name, Self.reaching, path(of: name)))
    }

    /// Opens a folder further down, however deep. A link on the way is not a directory.
    package func folder(_ path: ConfinedPath) throws(FileError) -> Folder {
        var (folder, rest) = (self, path.steps[...])
        while !rest.isEmpty {
            // The system takes a path of 4096 bytes at once.
            let steps = rest.prefix(Self.stepsAtOnce)
            rest = rest.dropFirst(Self.stepsAtOnce)
            if let reached = try folder.folder(beneath: steps) {
                folder = reached
            } else {
                for name in steps { folder = try folder.folder(name) }
            }
        }
        return folder
    }

    private static let stepsAtOnce = ConfinedPath.byteLimit / (ConfinedPath.nameByteLimit + 1) - 1

    /// Opens a folder many steps down in one call; nil where the system cannot, or a link is on the way.
    func folder(beneath steps: some Collection<String>) throws(FileError) -> Folder? {
        #if canImport(Darwin)
        return nil
        #else
        let path = steps.joined(separator: "/")
        let number = FileDescriptor.retry { alcove_open_folder_beneath(self.number, path) }
        if number < 0, [ENOENT, ENOTDIR, EACCES, ENAMETOOLONG, EMFILE, ENFILE, ENOMEM].contains(errno) {
            throw FileError(number: errno)
        }
        return number < 0 ? nil : Folder(try FileDescriptor(number, "\(self.path)/\(path)"))
        #endif
    }

    #if canImport(Darwin)
    private static let reaching = O_RDONLY | O_DIRECTORY
    #else
    /// Opened with `O_PATH`, because reaching entries does not need the right to list them.
    private static let reaching = alcove_o_path() | O_DIRECTORY
    #endif

    /// Opens a name in this folder, never through a link.
    func descriptor(
        _ name: String, _ flags: Int32, mode: UInt32 = 0o600, _ path: String
    ) throws(FileError) -> FileDescriptor {
        let number = FileDescriptor.retry {
            openat(self.number, name, flags | O_CLOEXEC | O_NOFOLLOW, mode_t(mode))
        }
        // The system returns this for a symbolic link, too.
        if number < 0, errno == ENOTDIR {
            throw FileError(
                .notDirectory, "\(path) is a file or a symbolic link where a folder has to be",
                reason: String(cString: strerror(ENOTDIR)))
        }
        return try FileDescriptor(number, path)
    }

    /// The folder itself, open for reading: for listing, flushing, locking and attributes.
    func readable() throws(FileError) -> FileDescriptor { try descriptor(".", O_RDONLY | O_DIRECTORY, path) }

    /// Returns when the names in it are on the disk, on file systems that keep them there.
    package func synchronize() throws(FileError) {
        let folder = try readable()
        if FileDescriptor.retry({ fsync(folder.number) }) != 0, errno != EINVAL, errno != ENOTSUP {
            throw .last("save", path)
        }
    }

    /// Locks the folder until the result is released or the process ends; nil if another process holds the lock.
    package func lock() throws(FileError) -> FileDescriptor? {
        let folder = try readable()
        return try folder.lock() ? folder : nil
    }

    /// Extended attributes of the folder itself.
    package func attributes() throws(FileError) -> ExtendedAttributes { try readable().attributes }

    /// Throws unless entries may be made in it.
    package func checkWritable() throws(FileError) {
        if faccessat(number, ".", W_OK | X_OK, 0) != 0 { throw .last("write to", path) }
    }

    /// Whether it belongs to this user, and others may not look into it.
    package func isPrivate() throws(FileError) -> Bool {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .last("look at", path) }
        return status.st_uid == geteuid() && UInt32(status.st_mode) & 0o077 == 0
    }

    /// The path of an entry, for messages.
    func path(of name: String) throws(FileError) -> String {
        try check(name)
        return "\(path)/\(name)"
    }

    /// Throws unless a name is one step, and not upwards.
    func check(_ name: String) throws(FileError) {
        let isStep = !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0 || $0 == 0x2f }
        guard isStep, name.utf8.count <= ConfinedPath.nameByteLimit else {
            throw FileError(
                .failed, "a file in \(path) cannot have this name: \(name.prefix(80))",
                reason: "this cannot be the name of a file")
        }
    }
}
