internal import Storage

extension IndexWriter {
    /// Keeps the search index in step with a note that was written.
    func updateSearch(_ note: IndexedNote, known: IndexedNote?) throws {
        if let known {
            let isSame =
                known.title == note.title && known.text == note.text && known.modified / 1000 == note.modified / 1000
                && known.isDeleted == note.isDeleted
            guard !isSame else { return }
            try removeFromSearch(note.id)
        }
        guard !note.isDeleted else { return }
        let row = try SearchRow.free(modified: note.modified) { row in
            try database.first("SELECT 1 FROM alcove_search_rows WHERE row = ?", row) { _ in true } ?? false
        }
        try database.execute("INSERT INTO alcove_search_rows VALUES (?, ?)", row, note.id)
        try database.execute(
            "INSERT INTO notes_fts (rowid, note_id, title, content) VALUES (?, ?, ?, ?)", row, note.id,
            SearchText.transformed(note.title), SearchText.transformed(note.text))
    }

    func removeFromSearch(_ id: String) throws {
        let row = try database.first("DELETE FROM alcove_search_rows WHERE note_id = ? RETURNING row", id) {
            try $0[0] as Int64
        }
        guard let row else { return }
        try database.execute("DELETE FROM notes_fts WHERE rowid = ?", row)
    }
}
