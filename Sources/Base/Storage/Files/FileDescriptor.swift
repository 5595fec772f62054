internal import Platform

/// An open file, or an open folder. It is closed when its last user lets it go, and every call is repeated when a signal interrupts it.
///
/// Calls may come from several threads. Those that name an offset do not disturb each other.
package final class FileDescriptor: Sendable {
    /// The descriptor's number, for calls that are not here. It is valid while this object is.
    package let number: Int32
    /// Where it was opened, for messages.
    package let path: String

    /// Takes over the result of an opening call. If it is negative, throws the error in `errno`.
    init(_ number: Int32, _ path: String) throws(FileError) {
        guard number >= 0 else { throw .last("open", path) }
        self.number = number
        self.path = path
    }

    /// Opens a file by its path.
    /// - Parameter mode: permissions of a file that is created.
    convenience init(_ path: String, flags: Int32, mode: UInt32 = 0o600) throws(FileError) {
        try self.init(Self.retry { open(path, flags | O_CLOEXEC, mode_t(mode)) }, path)
    }

    deinit {
        // A process that is being started at this moment has the file open, too, until its program runs, and would keep the lock that long.
        flock(number, LOCK_UN)
        close(number)
    }

    /// Opens a file that a person named; symbolic links are followed. Anything but a regular file, such as a pipe, is refused
    /// without waiting for it.
    package static func reading(_ path: String) throws(FileError) -> FileDescriptor {
        let file = try FileDescriptor(path, flags: O_RDONLY | O_NONBLOCK)
        guard try file.status().kind == .file else { throw FileError(.damaged, "\(path) is not a file") }
        return file
    }

    /// Repeats a call that a signal interrupted.
    static func retry<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

/// What the file system says of the file.
extension FileDescriptor {
    /// What the file system says of it now.
    package func status() throws(FileError) -> FileStatus {
        guard let status = FileStatus.look(in: number) else { throw .last("look at", path) }
        return status
    }

    /// Bytes.
    package func size() throws(FileError) -> Int { Int(try status().size) }

    /// Permission bits, without the kind of the file.
    func permissions() throws(FileError) -> UInt32 {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .last("look at", path) }
        return UInt32(status.st_mode) & 0o7777
    }

    /// Takes over the permissions of another file.
    package func takePermissions(of other: FileDescriptor) throws(FileError) {
        let permissions = try other.permissions()
        guard fchmod(number, mode_t(permissions & 0o777)) == 0 else { throw .last("change", path) }
    }

    /// Sets when it was changed last, in nanoseconds since 1970.
    func setModified(_ time: Int64) throws(FileError) {
        let (seconds, rest) = (time / 1_000_000_000, time % 1_000_000_000)
        let stamp = timespec(
            tv_sec: Int(rest < 0 ? seconds - 1 : seconds), tv_nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
        let result = withUnsafePointer(to: (stamp, stamp)) { pair in
            pair.withMemoryRebound(to: timespec.self, capacity: 2) { futimens(number, $0) }
        }
        guard result == 0 else { throw .last("set the time of", path) }
    }

    /// Its extended attributes.
    package var attributes: ExtendedAttributes { ExtendedAttributes(descriptor: self) }

    /// Takes the file for this process until the descriptor is closed, by the process or by its end. False if another has it.
    package func lock() throws(FileError) -> Bool {
        if Self.retry({ flock(number, LOCK_EX | LOCK_NB) }) == 0 { return true }
        if errno == EWOULDBLOCK { return false }
        throw .last("lock", path)
    }
}

/// Reading.
extension FileDescriptor {
    /// Everything from where the last such read ended to the end, the whole file at first. Longer than `limit` bytes is `tooLong`.
    package func readAll(atMost limit: Int) throws(FileError) -> [UInt8] {
        let tooLong = FileError(
            .tooLong, "\(path) is longer than \(limit) bytes", reason: "the file is longer than \(limit) bytes")
        var bytes: [UInt8] = []
        if let status = FileStatus.look(in: number), status.kind == .file {
            guard status.size <= Int64(limit) else { throw tooLong }
            bytes.reserveCapacity(Int(status.size))
        }
        var chunk = [UInt8](repeating: 0, count: min(limit + 1, 65536))
        while true {
            let count = Self.retry { readOnce(number, &chunk, chunk.count) }
            if count < 0 { throw .last("read", path) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            if bytes.count > limit { throw tooLong }
        }
    }

    /// At most `count` bytes from a position; shorter only at the end of the file.
    /// - Parameter head: bytes that go before them.
    package func read(
        at offset: Int64, atMost count: Int, after head: [UInt8] = []
    ) throws(FileError) -> [UInt8] {
        guard count >= 0, offset >= 0 else { throw FileError(number: EINVAL) }
        // No file is that long.
        guard !offset.addingReportingOverflow(Int64(count)).overflow else { return head }
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: head.count + count) { buffer, filled in
            filled = buffer.initialize(fromContentsOf: head)
            while filled < head.count + count {
                let rest = buffer.baseAddress?.advanced(by: filled)
                let place = off_t(offset) + off_t(filled - head.count)
                let more = Self.retry { pread(number, rest, head.count + count - filled, place) }
                failed = more < 0
                if more <= 0 { return }
                filled += more
            }
        }
        if failed { throw .last("read", path) }
        return bytes
    }
}

/// Writing.
extension FileDescriptor {
    /// Writes everything at a position, or at the end if the file was opened for appending.
    package func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(FileError) {
        guard !offset.addingReportingOverflow(Int64(bytes.count)).overflow else { throw FileError(number: EFBIG) }
        try send(bytes) { rest, done in pwrite(number, rest.baseAddress, rest.count, off_t(offset + Int64(done))) }
    }

    /// Writes everything where the last such write ended, at the start first, or at the end if the file was opened for appending.
    package func write(_ bytes: ArraySlice<UInt8>) throws(FileError) {
        try send(bytes) { rest, _ in writeOnce(number, rest.baseAddress, rest.count) }
    }

    private func send(
        _ bytes: ArraySlice<UInt8>, _ call: (UnsafeRawBufferPointer, Int) -> Int
    ) throws(FileError) {
        let isWritten = bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                let count = Self.retry { call(rest, done) }
                if count < 0 { return false }
                done += count
            }
            return true
        }
        guard isWritten else { throw .last("write", path) }
    }

    /// Cuts the file off, or fills it up with zeros.
    package func truncate(to byteCount: Int64) throws(FileError) {
        guard Self.retry({ ftruncate(number, off_t(byteCount)) }) == 0 else { throw .last("write", path) }
    }

    /// Returns when the bytes, or the names in a folder, are on the disk, as far as the disk reports it truthfully.
    package func synchronize() throws(FileError) {
        #if canImport(Darwin)
        // Here fsync leaves the bytes in the drive's cache.
        if Self.retry({ fcntl(number, F_FULLFSYNC) }) == 0 { return }
        #endif
        guard Self.retry({ fsync(number) }) == 0 else { throw .last("save", path) }
    }

    /// Like ``synchronize()``, without times and other metadata that reading the bytes back does not need.
    package func synchronizeData() throws(FileError) {
        #if canImport(Darwin)
        try synchronize()
        #else
        guard Self.retry({ fdatasync(number) }) == 0 else { throw .last("save", path) }
        #endif
    }

    /// Copies bytes of another file, inside the kernel where it can. Ends early where the other file does.
    /// - Returns: how many there were.
    @discardableResult
    package func copy(
        from other: FileDescriptor, at source: Int64, count: Int64, to offset: Int64
    ) throws(FileError) -> Int64 {
        var done: Int64 = 0
        while done < count {
            let part = min(count - done, 16 << 20)
            var copied = try copyInKernel(from: other, at: source + done, count: part, to: offset + done)
            if copied == nil {
                let bytes = try other.read(at: source + done, atMost: Int(min(part, 1 << 20)))
                try write(bytes[...], at: offset + done)
                copied = Int64(bytes.count)
            }
            guard let copied, copied > 0 else { break }
            done += copied
        }
        return done
    }

    /// nil where the system cannot.
    private func copyInKernel(
        from other: FileDescriptor, at source: Int64, count: Int64, to offset: Int64
    ) throws(FileError) -> Int64? {
        #if canImport(Darwin)
        return nil
        #else
        let copied = Self.retry { alcove_copy_range(other.number, source, number, offset, count) }
        if copied >= 0 { return copied }
        if [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EBADF, EPERM].contains(errno) { return nil }
        throw .last("write", path)
        #endif
    }
}

/// The system's `read` and `write`, whose names the methods above hide.
private func readOnce(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(number, bytes, count)
}

private func writeOnce(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(number, bytes, count) }
