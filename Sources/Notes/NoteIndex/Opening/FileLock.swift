internal import Platform

/// An advisory lock among the processes that open or replace the same index. Waits until it is free: that is milliseconds.
struct FileLock {
    private let descriptor: Int32

    /// Nil where no file can be made; then opening the index will say why.
    init?(_ path: String) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { return nil }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    func release() {
        // Closing alone would leave it to a child process that is being started at this very moment.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

/// Which file a path means at the moment.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
