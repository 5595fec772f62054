internal import Platform

/// What the file system says about a file: everything but its content.
package struct FileStatus: Hashable, Sendable {
    /// What it is.
    package enum Kind: Hashable, Sendable {
        case file
        case folder
        case symbolicLink
        case other

        init(mode: UInt32) {
            self =
                switch mode & UInt32(S_IFMT) {
                case UInt32(S_IFREG): .file
                case UInt32(S_IFDIR): .folder
                case UInt32(S_IFLNK): .symbolicLink
                default: .other
                }
        }
    }

    package let kind: Kind
    /// Bytes.
    package let size: Int64
    /// Its room on the disk, in units of 512 bytes.
    package let blocks: Int64
    /// How many bytes are best read or written at once.
    package let blockSize: Int32
    /// Its inode number, unique in its file system at any one time.
    package let inode: UInt64
    /// When it was made. A file system that does not keep that gives the last change.
    package let born: Time
    /// When its content changed last.
    package let modified: Time
    /// When it was read last, as far as the file system keeps that.
    package let accessed: Time

    /// A moment since 1970.
    package struct Time: Hashable, Sendable {
        /// Whole seconds since 1970, rounded down.
        package let seconds: Int64
        /// 0 to 999 999 999, also before 1970.
        package let nanoseconds: Int64

        /// Milliseconds since 1970, rounded down; the largest or smallest number where they do not fit.
        package var milliseconds: Int64 {
            let (product, isTooMuch) = seconds.multipliedReportingOverflow(by: 1000)
            return isTooMuch ? (seconds < 0 ? .min : .max) : product + nanoseconds / 1_000_000
        }

        /// Nanoseconds since 1970; they wrap around some 292 years from then.
        package var allNanoseconds: Int64 {
            seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ nanoseconds
        }
    }

}

extension FileStatus {
    /// Looks at a name in an open folder without following a link, or at the open file itself when the name is empty.
    init(of name: String, in descriptor: Int32) throws(FileError) {
        guard let status = Self.look(at: name, in: descriptor) else { throw .last }
        self = status
    }

    /// The same; nil, and `errno` says why, if that is not possible.
    static func look(at name: String = "", in descriptor: Int32) -> FileStatus? {
        #if canImport(Darwin)
        var status = stat()
        let result =
            name.isEmpty
            ? fstat(descriptor, &status) : fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW)
        guard result == 0 else { return nil }
        return FileStatus(
            kind: Kind(mode: UInt32(status.st_mode)), size: Int64(status.st_size), blocks: Int64(status.st_blocks),
            blockSize: Int32(status.st_blksize), inode: UInt64(status.st_ino), born: Time(status.st_birthtimespec),
            modified: Time(status.st_mtimespec), accessed: Time(status.st_atimespec))
        #else
        var status = alcove_status()
        guard alcove_status_of(descriptor, name, &status) == 0 else { return nil }
        return FileStatus(
            kind: Kind(mode: status.mode), size: status.size, blocks: status.blocks,
            blockSize: Int32(clamping: status.block_size), inode: status.inode,
            born: Time(seconds: status.born_seconds, nanoseconds: Int64(status.born_nanoseconds)),
            modified: Time(seconds: status.modified_seconds, nanoseconds: Int64(status.modified_nanoseconds)),
            accessed: Time(seconds: status.accessed_seconds, nanoseconds: Int64(status.accessed_nanoseconds)))
        #endif
    }
}

#if canImport(Darwin)
extension FileStatus.Time {
    fileprivate init(_ time: timespec) {
        self.init(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }
}
#endif
