internal import Platform

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
