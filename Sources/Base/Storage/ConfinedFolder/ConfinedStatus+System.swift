internal import Platform

extension ConfinedStatus {
    /// Looks at a name in an open folder without following a link, or at the open file itself when the name is empty.
    init(of name: String, in descriptor: Int32) throws(ConfinedError) {
        #if canImport(Darwin)
        var status = stat()
        let result =
            name.isEmpty
            ? fstat(descriptor, &status) : fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW)
        guard result == 0 else { throw .last }
        self.init(
            kind: FileStatus.Kind(mode: UInt32(status.st_mode)), size: Int64(status.st_size),
            blocks: Int64(status.st_blocks), blockSize: Int32(status.st_blksize), inode: UInt64(status.st_ino),
            born: Time(status.st_birthtimespec), modified: Time(status.st_mtimespec),
            accessed: Time(status.st_atimespec))
        #else
        var status = alcove_status()
        guard alcove_status_of(descriptor, name, &status) == 0 else { throw .last }
        self.init(
            kind: FileStatus.Kind(mode: status.mode), size: status.size, blocks: status.blocks,
            blockSize: Int32(clamping: status.block_size), inode: status.inode,
            born: Time(seconds: status.born_seconds, nanoseconds: Int64(status.born_nanoseconds)),
            modified: Time(seconds: status.modified_seconds, nanoseconds: Int64(status.modified_nanoseconds)),
            accessed: Time(seconds: status.accessed_seconds, nanoseconds: Int64(status.accessed_nanoseconds)))
        #endif
    }
}

#if canImport(Darwin)
extension ConfinedStatus.Time {
    fileprivate init(_ time: timespec) {
        self.init(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }
}
#endif
