extension Schema {
    static let notes = """
        CREATE TABLE notes (
            id TEXT PRIMARY KEY,
            title TEXT NOT NULL,
            sd_id TEXT NOT NULL,
            folder_id TEXT,
            created INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            deleted INTEGER NOT NULL DEFAULT 0,
            pinned INTEGER NOT NULL DEFAULT 0,
            content_preview TEXT NOT NULL,
            content_text TEXT NOT NULL
        );
        CREATE INDEX idx_notes_sd_id ON notes (sd_id);
        CREATE INDEX idx_notes_folder_id ON notes (folder_id);
        CREATE INDEX idx_notes_deleted ON notes (deleted);
        CREATE INDEX idx_notes_modified ON notes (modified);
        CREATE INDEX idx_notes_pinned ON notes (pinned);
        CREATE TABLE tags (id TEXT PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE UNIQUE);
        CREATE INDEX idx_tags_name ON tags (name COLLATE NOCASE);
        CREATE TABLE note_tags (
            note_id TEXT NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
            tag_id TEXT NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
            PRIMARY KEY (note_id, tag_id)
        );
        CREATE TABLE note_links (
            source_note_id TEXT NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
            target_note_id TEXT NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
            PRIMARY KEY (source_note_id, target_note_id)
        );
        CREATE TABLE checkboxes (
            id TEXT PRIMARY KEY,
            note_id TEXT NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
            state TEXT NOT NULL CHECK (state IN ('unchecked', 'checked', 'nope')),
            text TEXT NOT NULL,
            position INTEGER NOT NULL,
            created INTEGER NOT NULL,
            modified INTEGER NOT NULL
        );

        """

    static let folders = """
        CREATE TABLE folders (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            parent_id TEXT,
            sd_id TEXT NOT NULL,
            "order" INTEGER NOT NULL,
            deleted INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX idx_folders_sd_id ON folders (sd_id);
        CREATE INDEX idx_folders_parent_id ON folders (parent_id);

        """

    static let comments = """
        CREATE TABLE comment_threads (
            id TEXT PRIMARY KEY,
            note_id TEXT NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
            anchor_start BLOB,
            anchor_end BLOB,
            original_text TEXT NOT NULL,
            author_id TEXT NOT NULL,
            author_name TEXT NOT NULL,
            author_handle TEXT NOT NULL,
            content TEXT NOT NULL,
            created INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            resolved INTEGER NOT NULL DEFAULT 0,
            resolved_by TEXT,
            resolved_at INTEGER
        );
        CREATE TABLE comment_replies (
            id TEXT PRIMARY KEY,
            thread_id TEXT NOT NULL REFERENCES comment_threads (id) ON DELETE CASCADE,
            author_id TEXT NOT NULL,
            author_name TEXT NOT NULL,
            author_handle TEXT NOT NULL,
            content TEXT NOT NULL,
            created INTEGER NOT NULL,
            modified INTEGER NOT NULL
        );
        CREATE TABLE comment_reactions (
            id TEXT PRIMARY KEY,
            target_type TEXT NOT NULL CHECK (target_type IN ('thread', 'reply')),
            target_id TEXT NOT NULL,
            emoji TEXT NOT NULL,
            author_id TEXT NOT NULL,
            author_name TEXT NOT NULL,
            created INTEGER NOT NULL
        );

        """
}
