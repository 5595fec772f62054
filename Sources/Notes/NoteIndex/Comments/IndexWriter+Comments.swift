internal import Storage

/// Ids of comments are foreign: one that another note has already is left out, and never taken from that note.
extension IndexWriter {
    func replaceThreads(of note: IndexedNote) throws {
        try removeThreads(of: note.id)
        for thread in note.threads { try insert(thread, of: note.id) }
    }

    /// Reactions have no foreign key, as they are to one of two tables.
    func removeThreads(of note: String) throws {
        try database.execute(
            """
            DELETE FROM comment_reactions WHERE target_type = 'reply' AND target_id IN (
                SELECT comment_replies.id FROM comment_replies JOIN comment_threads
                ON comment_threads.id = thread_id WHERE note_id = ?
            )
            """, note)
        try database.execute(
            """
            DELETE FROM comment_reactions WHERE target_type = 'thread'
            AND target_id IN (SELECT id FROM comment_threads WHERE note_id = ?)
            """, note)
        try database.execute("DELETE FROM comment_threads WHERE note_id = ?", note)
    }

    private func insert(_ thread: IndexedThread, of note: String) throws {
        let comment = thread.comment
        let count = try database.execute(
            "INSERT OR IGNORE INTO comment_threads VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", thread.id, note,
            thread.anchorStart, thread.anchorEnd, thread.quoted, comment.author, comment.authorName,
            comment.authorHandle, comment.text, comment.created, comment.modified, thread.isResolved,
            thread.resolvedBy, thread.resolvedAt)
        guard count > 0 else { return }
        try insert(thread.reactions, to: thread.id, .thread)
        for reply in thread.replies { try insert(reply, in: thread.id) }
    }

    private func insert(_ reply: IndexedReply, in thread: String) throws {
        let comment = reply.comment
        let count = try database.execute(
            "INSERT OR IGNORE INTO comment_replies VALUES (?, ?, ?, ?, ?, ?, ?, ?)", reply.id, thread, comment.author,
            comment.authorName, comment.authorHandle, comment.text, comment.created, comment.modified)
        guard count > 0 else { return }
        try insert(reply.reactions, to: reply.id, .reply)
    }

    private func insert(_ reactions: [IndexedReaction], to target: String, _ kind: ReactionTarget) throws {
        for reaction in reactions {
            try database.execute(
                "INSERT OR IGNORE INTO comment_reactions VALUES (?, ?, ?, ?, ?, ?, ?)", reaction.id, kind.rawValue,
                target, reaction.emoji, reaction.author, reaction.authorName, reaction.created)
        }
    }
}
