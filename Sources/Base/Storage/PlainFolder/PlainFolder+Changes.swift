internal import Platform

/// Changes of what is in the folder. They last after ``PlainFolder/synchronize()``.
extension PlainFolder {
    /// Opens a file that is read. Whatever is no file, such as a pipe or a link, is refused without waiting for it.
    package func open(_ name: String) throws(FileError) -> ConfinedFile {
        try file(name, O_RDONLY | O_NONBLOCK)
    }

    /// Makes a file that was not there, and opens it for reading and writing.
    package func create(_ name: String) throws(FileError) -> ConfinedFile {
        try file(name, O_RDWR | O_CREAT | O_EXCL)
    }

    private func file(_ name: String, _ flags: Int32) throws(FileError) -> ConfinedFile {
        let name = try step(name)
        let number = FileDescriptor.retry {
            openat(descriptor.number, name, flags | O_CLOEXEC | O_NOFOLLOW, mode_t(0o600))
        }
        if number < 0, errno == ELOOP { throw FileError(.notFile, reason: "it is a link") }
        let file = try ConfinedFile(number)
        switch try file.status().kind {
        case .file: return file
        case .folder: throw FileError(.isDirectory, reason: "it is a folder")
        case .symbolicLink, .other: throw FileError(.notFile, reason: "it is no file")
        }
    }

    /// Makes a folder that was not there. Only its owner may look into it.
    package func makeFolder(_ name: String) throws(FileError) {
        guard mkdirat(descriptor.number, try step(name), 0o700) == 0 else { throw .last }
    }

    /// Makes a symbolic link. What it says is not looked at.
    package func makeLink(_ name: String, to target: String) throws(FileError) {
        guard symlinkat(target, descriptor.number, try step(name)) == 0 else { throw .last }
    }

    /// What a symbolic link says; nil if what has the name is none, or nothing has it.
    package func linkTarget(_ name: String) throws(FileError) -> String? {
        try descriptor.linkTarget(step(name))
    }

    /// Removes a file or a link.
    package func remove(_ name: String) throws(FileError) {
        guard unlinkat(descriptor.number, try step(name), 0) == 0 else { throw .last }
    }

    /// Removes a folder. One that has something in it throws `notEmpty`.
    package func removeEmptyFolder(_ name: String) throws(FileError) {
        guard unlinkat(descriptor.number, try step(name), AT_REMOVEDIR) == 0 else { throw .last }
    }

    /// Gives what is here a name there, in one step.
    /// - Parameter replacing: whether a file that has the name goes; if not, that is an error.
    package func rename(
        _ name: String, to folder: PlainFolder, _ newName: String, replacing: Bool
    ) throws(FileError) {
        let (name, newName) = (try step(name), try step(newName))
        let (here, there) = (descriptor.number, folder.descriptor.number)
        let result =
            if replacing {
                renameat(here, name, there, newName)
            } else {
                #if canImport(Darwin)
                renameatx_np(here, name, there, newName, UInt32(RENAME_EXCL))
                #else
                alcove_rename_new(here, name, there, newName)
                #endif
            }
        guard result == 0 else { throw .last }
    }

    /// Takes the folder for whoever holds what is returned, until it is let go or its process ends; nil if another has it.
    package func lock() throws(FileError) -> ConfinedFile? {
        let folder = try descriptor.open(".", O_RDONLY | O_DIRECTORY)
        if FileDescriptor.retry({ flock(folder.number, LOCK_EX | LOCK_NB) }) == 0 {
            return folder
        }
        if errno == EWOULDBLOCK { return nil }
        throw .last
    }
}
