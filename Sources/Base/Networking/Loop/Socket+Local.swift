internal import Platform

/// Sockets that are files (`AF_UNIX`): for programs of the same user on the same machine.
extension Socket {
    enum LocalOutcome {
        case descriptor(Int32)
        /// The path does not fit into a socket address, or does so only by way of a folder that cannot be opened.
        case pathTooLong
        /// Another process listens there.
        case taken
        /// Something is there that is not a socket, or the folder cannot be written.
        case refused
    }

    /// Listens at a path, for this user only. The socket of a process that has ended is replaced.
    static func listening(at path: String) -> LocalOutcome {
        guard let address = LocalAddress(path) else { return .pathTooLong }
        // Without the lock, of two processes that start at once, one would remove the other one's file.
        let lock = lock(at: path)
        defer { close(lock) }
        switch connecting(at: path) {
        case .descriptor(let descriptor):
            close(descriptor)
            return .taken
        case .pathTooLong: return .pathTooLong
        case .taken, .refused: if isSocket(path) { unlink(path) }
        }
        let descriptor = socket(AF_UNIX, streamKind, 0)
        guard descriptor >= 0 else { return .refused }
        // Linux gives the file the permissions of the socket, so that other users can never open it.
        fchmod(descriptor, 0o600)
        guard address.with({ bind(descriptor, $0, $1) }) == 0 else {
            close(descriptor)
            return .refused
        }
        guard chmod(path, 0o600) == 0, listen(descriptor, 128) == 0 else {
            close(descriptor)
            unlink(path)
            return .refused
        }
        return .descriptor(descriptor)
    }

    /// The folder of a path, locked until it is closed. If the lock takes too long, the caller continues without it,
    /// because another process may hold it for long.
    private static func lock(at path: String) -> Int32 {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // In milliseconds. Long, because on a busy machine locks come late, and a process without the lock may remove
        // the file of another.
        var patience = 5_000
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR, patience > 0 {
            usleep(1_000)
            patience -= 1
        }
        return descriptor
    }

    /// Connects to the process that listens at a path. This never takes long.
    static func connecting(at path: String) -> LocalOutcome {
        guard let address = LocalAddress(path) else { return .pathTooLong }
        let descriptor = socket(AF_UNIX, streamKind, 0)
        guard descriptor >= 0 else { return .refused }
        if address.with({ connect(descriptor, $0, $1) }) == 0 { return .descriptor(descriptor) }
        // EAGAIN: a process listens, but its queue is full.
        let isTaken = errno == EAGAIN
        close(descriptor)
        return isTaken ? .taken : .refused
    }

    /// Removes the file of a socket.
    static func removeFile(at path: String) { if isSocket(path) { unlink(path) } }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}

/// A path as the system calls want it. Linux reaches one that does not fit through its open folder.
private struct LocalAddress: ~Copyable {
    private var address = sockaddr_un()
    private var folder: Int32 = -1

    /// `nil` for a path that does not fit, and for one that fits only by way of a folder that cannot be opened.
    init?(_ path: String) {
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        var bytes = Array(path.utf8)
        guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
        #if os(Linux)
        if bytes.count >= capacity, let slash = path.lastIndex(of: "/") {
            folder = open(String(path[...slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard folder >= 0 else { return nil }
            bytes = Array("/proc/self/fd/\(folder)/\(path[path.index(after: slash)...])".utf8)
        }
        #endif
        guard bytes.count < capacity else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    deinit { if folder >= 0 { close(folder) } }

    func with(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
