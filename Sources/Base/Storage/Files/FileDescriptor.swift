internal import Platform

/// An open file. It is closed when it goes out of use, and every call is repeated when a signal interrupts it.
package struct FileDescriptor: ~Copyable, Sendable {
    private let number: Int32
    /// Where it was opened, for messages.
    package let path: String

    /// - Parameter mode: permissions of a file that is created.
    init(_ path: String, flags: Int32, mode: UInt32 = 0o600) throws(FileError) {
        number = Self.retry { open(path, flags | O_CLOEXEC, mode_t(mode)) }
        self.path = path
        if number < 0 { throw Self.error("open", path) }
    }

    /// Takes a descriptor over.
    init(owning number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    deinit {
        if number >= 0 { close(number) }
    }

    /// Opens a file that a person named; symbolic links are followed. Whatever is no file, such as a pipe, is refused without
    /// waiting for it.
    package static func reading(_ path: String) throws(FileError) -> FileDescriptor {
        let file = try FileDescriptor(path, flags: O_RDONLY | O_NONBLOCK)
        guard try file.status().kind == .file else { throw FileError(.damaged, "\(path) is not a file") }
        return file
    }

    /// Permission bits, without the kind of the file.
    func permissions() throws(FileError) -> UInt32 {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw Self.error("look at", path) }
        return UInt32(status.st_mode) & 0o7777
    }

    /// Bytes.
    package func size() throws(FileError) -> Int { Int(try status().size) }

    /// What the file system says of it now.
    package func status() throws(FileError) -> FileStatus {
        guard let status = FileStatus.look(in: number) else { throw Self.error("look at", path) }
        return status
    }

    /// Everything up to the end.
    package func readAll(atMost limit: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit + 1, 65536))
        while true {
            let count = Self.retry { read(number, &chunk, chunk.count) }
            if count < 0 { throw Self.error("read", path) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            if bytes.count > limit { throw FileError(.tooLong, "\(path) is longer than \(limit) bytes") }
        }
    }

    /// Writes everything where the last such write ended, or at the end if it was opened for appending.
    package func writeAll(_ bytes: [UInt8]) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in Self.retry { write(number, buffer.baseAddress, buffer.count) }
            }
            if count < 0 { throw Self.error("write", path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Exactly `count` bytes from a place in the file; nil if it ends before.
    func bytes(at offset: Int, count: Int) throws(FileError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let more = bytes.withUnsafeMutableBytes { buffer in
                let rest = buffer.baseAddress?.advanced(by: filled)
                return Self.retry { pread(number, rest, count - filled, off_t(offset + filled)) }
            }
            if more < 0 { throw Self.error("read", path) }
            if more == 0 { return nil }
            filled += more
        }
        return bytes
    }

    /// What is there from a place in the file on, at most `count` bytes. It is shorter only where the file ends.
    package func bytes(at offset: Int64, atMost count: Int) throws(FileError) -> [UInt8] {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = buffer.baseAddress?.advanced(by: filled)
                let more = Self.retry { pread(number, rest, count - filled, off_t(offset) + off_t(filled)) }
                failed = more < 0
                if more <= 0 { return }
                filled += more
            }
        }
        if failed { throw Self.error("read", path) }
        return bytes
    }

    /// Writes at a place in the file.
    func overwrite(with bytes: [UInt8], at offset: Int) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let more = bytes.withUnsafeBytes { buffer in
                let rest = buffer.baseAddress?.advanced(by: written)
                return Self.retry { pwrite(number, rest, bytes.count - written, off_t(offset + written)) }
            }
            if more < 0 { throw Self.error("write", path) }
            written += more
        }
    }

    /// Cuts the file off, or fills it up with zeros.
    package func resize(to byteCount: Int) throws(FileError) {
        if Self.retry({ ftruncate(number, off_t(byteCount)) }) != 0 { throw Self.error("write", path) }
    }

    /// Like ``synchronize()``, without times and other particulars that reading the bytes back does not need.
    package func synchronizeData() throws(FileError) {
        #if canImport(Darwin)
        try synchronize()
        #else
        if Self.retry({ fdatasync(number) }) != 0 { throw Self.error("save", path) }
        #endif
    }

    /// Returns when the bytes are on the disk, as far as the disk tells the truth.
    package func synchronize() throws(FileError) {
        #if canImport(Darwin)
        // Here fsync leaves the bytes in the drive's cache.
        if Self.retry({ fcntl(number, F_FULLFSYNC) }) == 0 { return }
        #endif
        if Self.retry({ fsync(number) }) != 0 { throw Self.error("save", path) }
    }

    /// When it was changed last, in nanoseconds since 1970.
    func setModified(_ time: Int64) throws(FileError) {
        let (seconds, rest) = (time / 1_000_000_000, time % 1_000_000_000)
        let stamp = timespec(
            tv_sec: Int(rest < 0 ? seconds - 1 : seconds), tv_nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
        if withUnsafePointer(
            to: (stamp, stamp),
            { pair in
                pair.withMemoryRebound(to: timespec.self, capacity: 2) { futimens(number, $0) }
            }) != 0
        {
            throw Self.error("set the time of", path)
        }
    }

    /// Its extended attributes.
    func attributes() throws(FileError) -> ExtendedAttributes {
        ExtendedAttributes(descriptor: try ConfinedFile(fcntl(number, F_DUPFD_CLOEXEC, 0)))
    }

    /// Takes the file for this process until the descriptor is closed, by the process or by its end. False if another has it.
    package func lock() throws(FileError) -> Bool {
        if Self.retry({ flock(number, LOCK_EX | LOCK_NB) }) == 0 { return true }
        if errno == EWOULDBLOCK { return false }
        throw Self.error("lock", path)
    }

    /// The error that the last call left behind.
    static func error(_ action: String, _ path: String) -> FileError {
        let code: FileError.Code =
            switch errno {
            case ENOENT, ENOTDIR: .missing
            case EEXIST: .alreadyExists
            case EACCES, EPERM, EROFS: .denied
            case ENOSPC, EDQUOT, EFBIG: .full
            default: .failed
            }
        let reason = errno == ELOOP ? "it is a symbolic link" : String(cString: strerror(errno))
        return FileError(code, "cannot \(action) \(path): \(reason)")
    }

    static func retry<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}
