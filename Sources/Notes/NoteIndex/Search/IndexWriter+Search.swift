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
                && known.isDeleted == note.isDeleted && known.saidInComments == note.saidInComments
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
            (title: try texts[0] as String, content: try texts[1] as String)
        }
        guard let texts else { return }
        let title = SearchText.words(of: texts.title)
        let content = SearchText.words(of: texts.content, comments: try reader.comments(on: note))
        try database.execute(
            "INSERT INTO notes_fts (rowid, note_id, title, content) VALUES (?, ?, ?, ?)", row, note, title, content)
        try database.execute("INSERT INTO alcove_titles_fts (rowid, title) VALUES (?, ?)", row, title)
    }
}

extension IndexReader {
    /// What was said in comments on a note, as far as it has so many bytes: by default as many as there may be of the note's own text.
    func comments(on note: String, atMost limit: Int = IndexLimits.text) throws -> [String] {
        var left = limit
        return try database.query(
            """
            SELECT comment_threads.content FROM comment_threads WHERE note_id = ?1
            UNION ALL SELECT comment_replies.content FROM comment_replies JOIN comment_threads
            ON comment_threads.id = thread_id WHERE note_id = ?1
            """, note
        ) { row in
            let comment: String = try row[0]
            left -= comment.utf8.count
            return left >= 0 ? comment : ""
        }.filter { !$0.isEmpty }
    }
}

extension IndexedNote {
    fileprivate var saidInComments: [String] {
        threads.flatMap { thread in [thread.comment.text] + thread.replies.map(\.comment.text) }
    }
}
