internal import Storage

extension IndexReader {
    /// How far this file was read; nil if never.
    package func progress(of path: String) throws -> IndexedProgress? {
        try database.first("SELECT \(Self.progressColumns) FROM alcove_file_progress WHERE path = ?", path) {
            try Self.progress($0)
        }
    }

    /// How far the files of a document were read, by their paths.
    package func progress(ofDocument document: String) throws -> [IndexedProgress] {
        try database.query(
            "SELECT \(Self.progressColumns) FROM alcove_file_progress WHERE document = ? ORDER BY path", document
        ) { try Self.progress($0) }
    }

    /// How far all files were read, by their paths.
    package func progress() throws -> [IndexedProgress] {
        try database.query("SELECT \(Self.progressColumns) FROM alcove_file_progress ORDER BY path") {
            try Self.progress($0)
        }
    }

    private static let progressColumns = "path, document, size, \"offset\", modified, inode"

    private static func progress(_ row: borrowing Row) throws -> IndexedProgress {
        IndexedProgress(
            path: try row[0], document: try row[1], size: try row[2], offset: try row[3], modified: try row[4],
            inode: try row[5])
    }

    /// The document of a note as it was when its files were read last.
    package func state(of note: String) throws -> SyncState? {
        try database.first(
            "SELECT vector_clock, document_state, updated_at FROM note_sync_state WHERE note_id = ?", note
        ) { SyncState(vectorClock: try $0[0], document: try $0[1], updated: try $0[2]) }
    }

    /// The document of the folders as it was when its files were read last.
    package func folderState() throws -> SyncState? {
        try database.first("SELECT vector_clock, document_state, updated_at FROM folder_sync_state") {
            SyncState(vectorClock: try $0[0], document: try $0[1], updated: try $0[2])
        }
    }

    /// Why a document, or a part of it, cannot be read.
    package func problem(of document: String) throws -> String? {
        try database.first("SELECT problem FROM alcove_problems WHERE document = ?", document) { try $0[0] }
    }

    /// The documents that cannot be read whole, and why.
    package func problems() throws -> [String: String] {
        let rows = try database.query("SELECT document, problem FROM alcove_problems") { row in
            (try row[0] as String, try row[1] as String)
        }
        return Dictionary(rows) { $1 }
    }
}
