internal import Storage

/// Questions to the index; all that one closure asks are answered from the same state.
package struct IndexReader: ~Copyable {
    let database: Database
}

extension IndexReader {
    /// Everything about one note; nil if it is not here.
    package func note(_ id: String) throws -> IndexedNote? {
        let note = try database.first(
            """
            SELECT title, folder_id, created, modified, deleted, pinned, content_text, content_preview
            FROM notes WHERE id = ?
            """, id
        ) { row in
            IndexedNote(
                id: id, title: try row[0], folder: try row[1], created: try row[2], modified: try row[3],
                isDeleted: try row[4], isPinned: try row[5], text: try row[6], preview: try row[7])
        }
        guard var note else { return nil }
        note.tags = try tags(of: id)
        note.links = try links(from: id)
        note.tasks = try tasks(of: id)
        note.threads = try threads(of: id)
        return note
    }

    /// The part of a note that lists show.
    package func summary(_ id: String) throws -> NoteSummary? {
        try database.first("SELECT \(Self.summaryColumns) FROM notes WHERE id = ?", id, read: Self.summary)
    }

    /// The notes that a filter lets through: pinned ones first, then by their last change, the newest first.
    package func notes(
        _ filter: NoteFilter = NoteFilter(), limit: Int = .max, offset: Int = 0
    ) throws -> [NoteSummary] {
        let (condition, arguments) = Self.condition(filter)
        return try database.query(
            """
            SELECT \(Self.summaryColumns) FROM notes WHERE \(condition)
            ORDER BY pinned DESC, modified DESC, id LIMIT ? OFFSET ?
            """, arguments: arguments + [limit, offset], read: Self.summary)
    }

    /// How many notes a filter lets through.
    package func noteCount(_ filter: NoteFilter = NoteFilter()) throws -> Int {
        let (condition, arguments) = Self.condition(filter)
        let counts = try database.query("SELECT count(*) FROM notes WHERE \(condition)", arguments: arguments) { row in
            try row[0] as Int
        }
        return counts.first ?? 0
    }

    /// The ids of all notes, deleted ones included, in order.
    package func noteIDs() throws -> [String] {
        try database.query("SELECT id FROM notes ORDER BY id") { try $0[0] }
    }

    private static func condition(_ filter: NoteFilter) -> (sql: String, arguments: [any DatabaseValueConvertible]) {
        var sql: String
        var arguments: [any DatabaseValueConvertible] = []
        switch filter.place {
        case .all: sql = "deleted = 0"
        case .deleted: sql = "deleted = 1"
        case .folder(let folder):
            sql = "folder_id IS ? AND deleted = 0"
            arguments.append(folder)
        }
        let tagged = "IN (SELECT note_id FROM note_tags WHERE tag_id = ?)"
        for tag in filter.tags.prefix(IndexLimits.tagsOfFilter) {
            sql += " AND id \(tagged)"
            arguments.append(tag.lowercased())
        }
        for tag in filter.withoutTags.prefix(IndexLimits.tagsOfFilter) {
            sql += " AND id NOT \(tagged)"
            arguments.append(tag.lowercased())
        }
        return (sql, arguments)
    }

    /// Tags have no spaces.
    static let summaryColumns = """
        notes.id, title, content_preview, folder_id, created, modified, deleted, pinned,
        (SELECT group_concat(tag_id, ' ') FROM note_tags WHERE note_id = notes.id)
        """

    static func summary(_ row: borrowing Row) throws -> NoteSummary {
        NoteSummary(
            id: try row[0], title: try row[1], preview: try row[2], folder: try row[3], created: try row[4],
            modified: try row[5], isDeleted: try row[6], isPinned: try row[7],
            tags: (try row[8] as String?)?.split(separator: " ").map(String.init) ?? [])
    }
}
