internal import Storage

/// The rows of the search index that a transaction changes.
///
/// They are written at its end and in order: FTS5 closes a piece of its index whenever a row number is smaller than the one
/// before, and a piece for each note would make it many times slower, to write and to search.
final class SearchChanges {
    /// The ids of notes that get these rows.
    var added: [Int64: String] = [:]
    /// Rows that are there already.
    var removed: Set<Int64> = []
}

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
        searchChanges.added[row] = note.id
    }

    func removeFromSearch(_ id: String) throws {
        let row = try database.first("DELETE FROM alcove_search_rows WHERE note_id = ? RETURNING row", id) {
            try $0[0] as Int64
        }
        guard let row, searchChanges.added.removeValue(forKey: row) == nil else { return }
        searchChanges.removed.insert(row)
    }

    /// Brings the search index up to date with what this transaction wrote.
    func writeSearchChanges() throws {
        for row in searchChanges.removed.union(searchChanges.added.keys).sorted() {
            if searchChanges.removed.contains(row) {
                try database.execute("DELETE FROM notes_fts WHERE rowid = ?", row)
                try database.execute("DELETE FROM alcove_titles_fts WHERE rowid = ?", row)
            }
            if let note = searchChanges.added[row] { try addToSearch(note, row) }
        }
    }

    private func addToSearch(_ note: String, _ row: Int64) throws {
        let texts = try database.first("SELECT title, content_text FROM notes WHERE id = ?", note) { texts in
            (title: SearchText.transformed(try texts[0]), content: SearchText.transformed(try texts[1]))
        }
        guard let texts else { return }
        try database.execute(
            "INSERT INTO notes_fts (rowid, note_id, title, content) VALUES (?, ?, ?, ?)", row, note, texts.title,
            texts.content)
        try database.execute("INSERT INTO alcove_titles_fts (rowid, title) VALUES (?, ?)", row, texts.title)
    }
}
