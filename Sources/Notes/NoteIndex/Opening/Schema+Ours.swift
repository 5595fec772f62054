extension Schema {
    /// What the desktop app's tables have no place for, and the indexes that our lists want.
    static let ours = """
        CREATE TABLE alcove_index (sd_id TEXT PRIMARY KEY, generation TEXT NOT NULL);
        CREATE TABLE alcove_file_progress (
            path TEXT PRIMARY KEY,
            document TEXT NOT NULL,
            size INTEGER NOT NULL,
            "offset" INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            inode INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX alcove_file_progress_by_document ON alcove_file_progress (document);
        CREATE TABLE alcove_problems (document TEXT PRIMARY KEY, problem TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE alcove_unresolved_links (
            source_note_id TEXT NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
            target_note_id TEXT NOT NULL,
            PRIMARY KEY (source_note_id, target_note_id)
        ) WITHOUT ROWID;
        CREATE INDEX alcove_unresolved_links_by_target ON alcove_unresolved_links (target_note_id);
        CREATE INDEX alcove_note_links_by_target ON note_links (target_note_id);
        CREATE INDEX alcove_note_tags_by_tag ON note_tags (tag_id);
        CREATE INDEX alcove_checkboxes_by_note ON checkboxes (note_id, position);
        CREATE INDEX alcove_threads_by_note ON comment_threads (note_id);
        CREATE INDEX alcove_replies_by_thread ON comment_replies (thread_id);
        CREATE INDEX alcove_reactions_by_target ON comment_reactions (target_id);
        CREATE INDEX alcove_notes_listed ON notes (deleted, pinned DESC, modified DESC, id);
        CREATE INDEX alcove_notes_in_folder ON notes (folder_id, deleted, pinned DESC, modified DESC, id);
        CREATE INDEX alcove_notes_by_title ON notes (title COLLATE NOCASE);

        """

    /// The search index holds the notes that are not deleted. Its row numbers grow with the time of the last change, so that the
    /// newest notes with a word are found without looking at the others: see ``SearchRow``.
    ///
    /// The words are made by ``SearchTokenizer``; SQLite only takes them apart again at the spaces. All that they are made of are letters
    /// to it: marks, and the underscore of `__hashtag__work`. Beginnings of one to three letters have indexes of their own.
    ///
    /// Titles are there once more by themselves, as looking for the few titles with a common word would be looking at all texts.
    static let search = """
        CREATE VIRTUAL TABLE notes_fts USING fts5(
            note_id UNINDEXED, title, content, tokenize = "\(tokenizer)", prefix = '1 2 3'
        );
        CREATE VIRTUAL TABLE alcove_titles_fts USING fts5(
            title, tokenize = "\(tokenizer)", prefix = '1 2 3', columnsize = 0
        );
        CREATE TABLE alcove_search_rows (
            row INTEGER PRIMARY KEY,
            note_id TEXT NOT NULL UNIQUE REFERENCES notes (id) ON DELETE CASCADE
        );

        """

    private static let tokenizer = "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc' tokenchars '_'"
}
