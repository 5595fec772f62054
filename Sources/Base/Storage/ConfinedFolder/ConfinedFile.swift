internal import Platform

/// An open file of a confined folder, or a folder opened for reading. It is closed when it goes out of use.
///
/// Calls may come from several threads; those that name an offset do not disturb each other.
package final class ConfinedFile: Sendable {
    /// The descriptor's number, for calls that are not here. It is valid while this object is.
    package let number: Int32

    /// Takes over what an opening call returned.
    init(_ number: Int32) throws(FileError) {
        guard number >= 0 else { throw .last }
        self.number = number
    }

    deinit { close(number) }

    /// What the file system says of it now.
    package func status() throws(FileError) -> FileStatus { try FileStatus(of: "", in: number) }

    /// What is there from a place on, at most `count` bytes; shorter only where the file ends.
    /// - Parameter head: bytes that go before them.
    package func read(
        at offset: Int64, atMost count: Int, after head: [UInt8] = []
    ) throws(FileError) -> [UInt8] {
        guard count >= 0, offset >= 0 else { throw FileError(number: EINVAL) }
        // No file reaches that far.
        guard !offset.addingReportingOverflow(Int64(count)).overflow else { return head }
        var failure: Int32?
        let bytes = [UInt8](unsafeUninitializedCapacity: head.count + count) { buffer, filled in
            filled = buffer.initialize(fromContentsOf: head)
            var done = 0
            while done < count {
                let rest = buffer.baseAddress?.advanced(by: filled)
                let more = FileDescriptor.retry { pread(number, rest, count - done, off_t(offset + Int64(done))) }
                if more < 0 { failure = errno }
                if more <= 0 { return }
                done += more
                filled += more
            }
        }
        if let failure { throw FileError(number: failure) }
        return bytes
    }

    /// The whole content. Throws `ioError` if it is longer than `limit` bytes.
    package func readAll(atMost limit: Int) throws(FileError) -> [UInt8] {
        let status = try status()
        if status.kind == .folder { throw FileError(number: EISDIR) }
        // A file that grows meanwhile is read as far as it was.
        guard status.size <= Int64(limit) else {
            throw FileError(.failed, reason: "the file is longer than \(limit) bytes")
        }
        return try read(at: 0, atMost: Int(status.size))
    }

    /// Writes everything at a place, or at the end if the file was opened for appending.
    package func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(FileError) {
        guard !offset.addingReportingOverflow(Int64(bytes.count)).overflow else { throw FileError(number: EFBIG) }
        try send(bytes) { rest, done in pwrite(number, rest.baseAddress, rest.count, off_t(offset + Int64(done))) }
    }

    /// Writes everything where the last such write ended, at the start first.
    package func write(_ bytes: ArraySlice<UInt8>) throws(FileError) {
        try send(bytes) { rest, _ in writeOnce(number, rest.baseAddress, rest.count) }
    }

    private func send(
        _ bytes: ArraySlice<UInt8>, _ call: (UnsafeRawBufferPointer, Int) -> Int
    ) throws(FileError) {
        var failure: Int32?
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count, failure == nil {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                let count = FileDescriptor.retry { call(rest, done) }
                if count < 0 { failure = errno } else { done += count }
            }
        }
        if let failure { throw FileError(number: failure) }
    }

    /// Cuts the file off, or fills it up with zeros.
    package func truncate(to byteCount: Int64) throws(FileError) {
        guard FileDescriptor.retry({ ftruncate(number, off_t(byteCount)) }) == 0 else { throw .last }
    }

    /// Returns when the bytes, or the names in a folder, are on the disk, as far as the disk tells the truth.
    package func synchronize() throws(FileError) {
        #if canImport(Darwin)
        // Here fsync leaves the bytes in the drive's cache.
        if FileDescriptor.retry({ fcntl(number, F_FULLFSYNC) }) == 0 { return }
        #endif
        guard FileDescriptor.retry({ fsync(number) }) == 0 else { throw .last }
    }
}

/// The system's `write`, whose name the methods above hide.
private func writeOnce(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(number, bytes, count) }

extension ConfinedFile {
    /// Copies bytes of another file, inside the kernel where it can. Ends early where the other file does.
    /// - Returns: how many there were.
    @discardableResult
    package func copy(
        from other: ConfinedFile, at source: Int64, count: Int64, to offset: Int64
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
        from other: ConfinedFile, at source: Int64, count: Int64, to offset: Int64
    ) throws(FileError) -> Int64? {
        #if canImport(Darwin)
        return nil
        #else
        let copied = FileDescriptor.retry { alcove_copy_range(other.number, source, number, offset, count) }
        if copied >= 0 { return copied }
        if [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EBADF, EPERM].contains(errno) { return nil }
        throw .last
        #endif
    }

    /// Takes over the permissions of another file.
    package func takePermissions(of other: ConfinedFile) throws(FileError) {
        var status = stat()
        guard fstat(other.number, &status) == 0, fchmod(number, status.st_mode & 0o777) == 0 else { throw .last }
    }
}
