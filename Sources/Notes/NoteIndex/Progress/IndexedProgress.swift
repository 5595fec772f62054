/// How far a file of the storage directory was read. What comes before `offset` is in the index.
package struct IndexedProgress: Hashable, Sendable {
    /// Below the storage directory.
    package var path: String
    /// What the file is about: the id of a note, or a name of the caller's for the folders and the rest.
    package var document: String
    /// Bytes, when the file was last read.
    package var size: Int64
    /// Bytes that were read and understood.
    package var offset: Int64
    /// When the file was last changed, in the unit that the caller likes.
    package var modified: Int64
    package var inode: Int64

    package init(path: String, document: String, size: Int64, offset: Int64, modified: Int64 = 0, inode: Int64 = 0) {
        self.path = path
        self.document = document
        self.size = size
        self.offset = offset
        self.modified = modified
        self.inode = inode
    }
}

/// A document as it was after the files were read so far.
package struct SyncState: Hashable, Sendable {
    /// JSON, whatever the caller wants to know of the files that are in the document.
    package var vectorClock: String
    /// The whole document as a Yjs V1 update.
    package var document: [UInt8]
    /// Milliseconds since 1970.
    package var updated: Int64

    package init(vectorClock: String = "{}", document: [UInt8], updated: Int64) {
        self.vectorClock = vectorClock
        self.document = document
        self.updated = updated
    }
}
