internal import RichText
internal import Storage

extension IndexReader {
    /// The titles of those of these notes that are here and not deleted: for `[[id]]` in a text.
    package func titles(of ids: [String]) throws -> [String: String] {
        var titles: [String: String] = [:]
        for id in Set(ids) {
            titles[id] = try database.first("SELECT title FROM notes WHERE id = ? AND deleted = 0", id) { try $0[0] }
        }
        return titles
    }

    /// The notes that a person may mean: the one with this id; else those with this title, in any case; else those whose id or
    /// title begins so. Notes that are not deleted come first.
    package func resolve(_ reference: String, limit: Int = 20) throws -> [NoteSummary] {
        guard !reference.isEmpty else { return [] }
        if let note = try summary(reference) { return [note] }
        let titled = try find("title = ?1 COLLATE NOCASE", reference, limit)
        guard titled.isEmpty else { return titled }
        return try find(
            """
            (id >= ?1 AND id < ?1 || char(0x10ffff))
            OR (title >= ?1 COLLATE NOCASE AND title < ?1 || char(0x10ffff) COLLATE NOCASE)
            """, reference, limit)
    }

    private func find(_ condition: String, _ text: String, _ limit: Int) throws -> [NoteSummary] {
        try database.query(
            "SELECT \(Self.summaryColumns) FROM notes WHERE \(condition) ORDER BY deleted, modified DESC, id LIMIT ?2",
            text, limit, read: Self.summary)
    }

    /// All tags of notes that are not deleted, by name, with the number of these notes.
    package func tags() throws -> [(name: String, count: Int)] {
        try database.query(
            """
            SELECT tag_id, count(*) FROM note_tags JOIN notes ON notes.id = note_id
            WHERE deleted = 0 GROUP BY tag_id ORDER BY tag_id
            """
        ) { (name: try $0[0], count: try $0[1]) }
    }

    /// The tags of a note, in the order of its text.
    package func tags(of note: String) throws -> [String] {
        try database.query("SELECT tag_id FROM note_tags WHERE note_id = ? ORDER BY rowid", note) { try $0[0] }
    }

    /// The ids of the notes that this one links to, in order of the ids, also of those that are not here.
    package func links(from note: String) throws -> [String] {
        try database.query(
            """
            SELECT target_note_id FROM note_links WHERE source_note_id = ?1
            UNION SELECT target_note_id FROM alcove_unresolved_links WHERE source_note_id = ?1 ORDER BY 1
            """, note
        ) { try $0[0] }
    }

    /// The notes that link to this one and are not deleted, the last changed first. The target need not be here.
    package func links(to note: String) throws -> [NoteSummary] {
        try database.query(
            """
            SELECT \(Self.summaryColumns) FROM notes WHERE deleted = 0 AND id IN (
                SELECT source_note_id FROM note_links WHERE target_note_id = ?1
                UNION SELECT source_note_id FROM alcove_unresolved_links WHERE target_note_id = ?1
            ) ORDER BY modified DESC, id
            """, note, read: Self.summary)
    }

    /// The tasks of a note, in the order of its text.
    package func tasks(of note: String) throws -> [IndexedTask] {
        try database.query("SELECT state, text FROM checkboxes WHERE note_id = ? ORDER BY position", note) { row in
            IndexedTask(IndexedTask.State(rawValue: try row[0]) ?? .unchecked, try row[1])
        }
    }

    /// The tasks of all notes that are not deleted, those of the last changed note first.
    package func tasks() throws -> [(note: String, task: IndexedTask)] {
        try database.query(
            """
            SELECT note_id, state, text FROM checkboxes JOIN notes ON notes.id = note_id
            WHERE deleted = 0 ORDER BY notes.modified DESC, note_id, position
            """
        ) { row in
            (note: try row[0], task: IndexedTask(IndexedTask.State(rawValue: try row[1]) ?? .unchecked, try row[2]))
        }
    }
}
