internal import Storage

extension IndexWriter {
    package func setProgress(_ progress: IndexedProgress) throws {
        try database.execute(
            "INSERT OR REPLACE INTO alcove_file_progress VALUES (?, ?, ?, ?, ?, ?)", progress.path, progress.document,
            progress.size, progress.offset, progress.modified, progress.inode)
    }

    /// Forgets a file, so that it is read from its beginning.
    package func removeProgress(ofFile path: String) throws {
        try database.execute("DELETE FROM alcove_file_progress WHERE path = ?", path)
    }

    /// Forgets all files of a document.
    package func removeProgress(of document: String) throws {
        try database.execute("DELETE FROM alcove_file_progress WHERE document = ?", document)
    }

    /// - Parameter state: nil forgets it.
    package func setState(_ state: SyncState?, of note: String) throws {
        guard let state else {
            try database.execute("DELETE FROM note_sync_state WHERE note_id = ?", note)
            return
        }
        try database.execute(
            "INSERT OR REPLACE INTO note_sync_state VALUES (?, (SELECT sd_id FROM alcove_index), ?, ?, ?)", note,
            state.vectorClock, state.document, state.updated)
    }

    package func setFolderState(_ state: SyncState) throws {
        try database.execute(
            "INSERT OR REPLACE INTO folder_sync_state VALUES ((SELECT sd_id FROM alcove_index), ?, ?, ?)",
            state.vectorClock, state.document, state.updated)
    }

    /// - Parameter problem: nil says that the document can be read again.
    package func setProblem(_ problem: String?, of document: String) throws {
        if let problem {
            try database.execute("INSERT OR REPLACE INTO alcove_problems VALUES (?, ?)", document, problem)
        } else {
            try database.execute("DELETE FROM alcove_problems WHERE document = ?", document)
        }
    }
}
