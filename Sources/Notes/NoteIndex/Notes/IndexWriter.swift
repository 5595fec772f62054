internal import RichText
internal import Storage

/// Changes of the index; all that one closure makes are one transaction.
package struct IndexWriter: ~Copyable {
    let database: Database
    let searchChanges = SearchChanges()

    /// Questions, answered with what this transaction has written so far; only searches do not find it yet.
    package var reader: IndexReader { IndexReader(database: database) }
}

extension IndexWriter {
    /// Puts a note in the place of what was known of it.
    package func upsert(_ note: IndexedNote) throws {
        let note = note.limited
        let known = try reader.note(note.id)
        guard known != note else { return }
        try writeRow(note)
        if known == nil { try resolveLinks(to: note.id) }
        if known?.tags ?? [] != note.tags { try replaceTags(of: note, known: known?.tags ?? []) }
        if known?.links ?? [] != note.links { try replaceLinks(of: note, isNew: known == nil) }
        if known?.tasks ?? [] != note.tasks { try replaceTasks(of: note) }
        if known?.threads ?? [] != note.threads { try replaceThreads(of: note) }
        try updateSearch(note, known: known)
    }

    /// Forgets a note, the progress of its files and its state. Links to it wait for its return.
    package func remove(_ id: String) throws {
        try removeFromSearch(id)
        try database.execute(
            """
            INSERT OR IGNORE INTO alcove_unresolved_links
            SELECT source_note_id, target_note_id FROM note_links WHERE target_note_id = ?1 AND source_note_id <> ?1
            """, id)
        try removeThreads(of: id)
        let tags = try reader.tags(of: id)
        try database.execute("DELETE FROM notes WHERE id = ?", id)
        try dropUnused(tags)
        try database.execute("DELETE FROM note_sync_state WHERE note_id = ?", id)
        try removeProgress(of: id)
        try setProblem(nil, of: id)
    }

    private func writeRow(_ note: IndexedNote) throws {
        try database.execute(
            """
            INSERT INTO notes (
                id, title, sd_id, folder_id, created, modified, deleted, pinned, content_preview, content_text
            ) VALUES (?, ?, (SELECT sd_id FROM alcove_index), ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                title = excluded.title, folder_id = excluded.folder_id, created = excluded.created,
                modified = excluded.modified, deleted = excluded.deleted, pinned = excluded.pinned,
                content_preview = excluded.content_preview, content_text = excluded.content_text
            """, note.id, note.title, note.folder, note.created, note.modified, note.isDeleted, note.isPinned,
            note.preview,
            note.text)
    }

    private func replaceTags(of note: IndexedNote, known: [String]) throws {
        try database.execute("DELETE FROM note_tags WHERE note_id = ?", note.id)
        for tag in note.tags {
            // The name is the id too: the same on every device, and one table less to join.
            try database.execute("INSERT OR IGNORE INTO tags VALUES (?1, ?1)", tag)
            try database.execute("INSERT OR IGNORE INTO note_tags VALUES (?, ?)", note.id, tag)
        }
        try dropUnused(known)
    }

    private func dropUnused(_ tags: [String]) throws {
        for tag in tags {
            try database.execute(
                "DELETE FROM tags WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM note_tags WHERE tag_id = ?1)", tag)
        }
    }

    /// Links whose target has come.
    private func resolveLinks(to note: String) throws {
        let count = try database.execute(
            """
            INSERT OR IGNORE INTO note_links
            SELECT source_note_id, target_note_id FROM alcove_unresolved_links WHERE target_note_id = ?
            """, note)
        guard count > 0 else { return }
        try database.execute("DELETE FROM alcove_unresolved_links WHERE target_note_id = ?", note)
    }

    private func replaceLinks(of note: IndexedNote, isNew: Bool) throws {
        if !isNew {
            try database.execute("DELETE FROM note_links WHERE source_note_id = ?", note.id)
            try database.execute("DELETE FROM alcove_unresolved_links WHERE source_note_id = ?", note.id)
        }
        for link in note.links {
            let count = try database.execute(
                "INSERT OR IGNORE INTO note_links SELECT ?, id FROM notes WHERE id = ?", note.id, link)
            guard count == 0 else { continue }
            try database.execute("INSERT OR IGNORE INTO alcove_unresolved_links VALUES (?, ?)", note.id, link)
        }
    }

    private func replaceTasks(of note: IndexedNote) throws {
        try database.execute("DELETE FROM checkboxes WHERE note_id = ?", note.id)
        for (position, task) in note.tasks.enumerated() {
            try database.execute(
                "INSERT INTO checkboxes VALUES (?, ?, ?, ?, ?, ?, ?)", "\(note.id):\(position)", note.id,
                task.state.rawValue, task.text, position, note.created, note.modified)
        }
    }
}
