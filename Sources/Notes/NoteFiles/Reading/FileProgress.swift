internal import Storage

/// How far a file that only grows has been read, and what it looked like then.
///
/// A folder that a syncer keeps may get a new file under the old name at any time: the same bytes and more, or other ones. So
/// the last bytes that were read are kept too. If they are still where they were, reading goes on there, else from the start.
package struct FileProgress: Hashable, Sendable, Codable {
    /// Bytes, when it was read.
    package internal(set) var size: Int64
    /// Nanoseconds since 1970.
    package internal(set) var modified: Int64
    package internal(set) var inode: UInt64
    /// Where the next record begins.
    package internal(set) var offset: Int64
    /// The bytes before ``offset``, at most 32.
    package internal(set) var tail: [UInt8]
    /// Whether the file ended within a record.
    package internal(set) var isIncomplete: Bool

    static let tailLength = 32

    /// What a file was like, without what is needed to read on in it: to find out whether it changed.
    package init(size: Int64, modified: Int64, inode: UInt64, offset: Int64) {
        (self.size, self.modified, self.inode, self.offset) = (size, modified, inode, offset)
        tail = []
        isIncomplete = false
    }

    init(_ status: FileStatus) {
        size = status.size
        modified = status.modified.allNanoseconds
        inode = status.inode
        offset = 0
        tail = []
        isIncomplete = false
    }

    /// Has the file read from its start once it changes; as long as it does not, there is nothing new in it.
    mutating func startOver() { (offset, tail) = (0, []) }

    /// Whether nothing happened to the file since.
    func matches(_ status: FileStatus) -> Bool {
        size == status.size && modified == status.modified.allNanoseconds && inode == status.inode
    }

    /// Whether what was read is still there, so that reading can go on at ``offset``.
    func continues(in file: FileDescriptor) throws(FileError) -> Bool {
        guard Int64(tail.count) == min(offset, Int64(Self.tailLength)) else { return false }
        return try file.read(at: offset - Int64(tail.count), atMost: tail.count) == tail
    }
}
