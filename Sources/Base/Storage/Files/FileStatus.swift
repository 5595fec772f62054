internal import Platform

/// What the file system says of a file without its content.
package struct FileStatus: Hashable, Sendable {
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
    /// Nanoseconds since 1970.
    package let modified: Int64
    package let inode: UInt64

    /// Only what the thing is, not what is in it.
    var withoutContent: FileStatus { FileStatus(kind: kind, size: 0, modified: 0, inode: inode) }

    private init(kind: Kind, size: Int64, modified: Int64, inode: UInt64) {
        (self.kind, self.size, self.modified, self.inode) = (kind, size, modified, inode)
    }

    init(_ status: stat) {
        kind = Kind(mode: UInt32(status.st_mode))
        size = Int64(status.st_size)
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        modified = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
        inode = UInt64(status.st_ino)
    }
}
