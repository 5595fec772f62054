internal import Platform

extension FileDescriptor {
    /// Opens a file that a person named; symbolic links are followed. Whatever is no file, such as a pipe, is refused without
    /// waiting for it.
    package static func reading(_ path: String) throws(FileError) -> FileDescriptor {
        let file = try FileDescriptor(path, flags: O_RDONLY | O_NONBLOCK)
        guard try file.status().kind == .file else { throw FileError(.damaged, "\(path) is not a file") }
        return file
    }
}
