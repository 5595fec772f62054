internal import Storage

extension IndexReader {
    /// The threads of a note with their replies and reactions, in the order in which the note gave them.
    package func threads(of note: String) throws -> [IndexedThread] {
        let threads = try database.query(
            """
            SELECT author_id, author_name, author_handle, content, created, modified, id, original_text, anchor_start,
                anchor_end, resolved, resolved_by, resolved_at
            FROM comment_threads WHERE note_id = ? ORDER BY rowid
            """, note
        ) { row in
            IndexedThread(
                id: try row[6], comment: try Self.comment(row), quoted: try row[7], anchorStart: try row[8],
                anchorEnd: try row[9], isResolved: try row[10], resolvedBy: try row[11], resolvedAt: try row[12])
        }
        return try threads.map { thread in
            var thread = thread
            thread.reactions = try reactions(to: thread.id, kind: .thread)
            thread.replies = try replies(to: thread.id)
            return thread
        }
    }

    private func replies(to thread: String) throws -> [IndexedReply] {
        let replies = try database.query(
            """
            SELECT author_id, author_name, author_handle, content, created, modified, id
            FROM comment_replies WHERE thread_id = ? ORDER BY rowid
            """, thread
        ) { row in IndexedReply(id: try row[6], comment: try Self.comment(row)) }
        return try replies.map { reply in
            var reply = reply
            reply.reactions = try reactions(to: reply.id, kind: .reply)
            return reply
        }
    }

    private func reactions(to target: String, kind: ReactionTarget) throws -> [IndexedReaction] {
        try database.query(
            """
            SELECT id, emoji, author_id, author_name, created FROM comment_reactions
            WHERE target_id = ? AND target_type = ? ORDER BY rowid
            """, target, kind.rawValue
        ) { row in
            IndexedReaction(
                id: try row[0], emoji: try row[1], author: try row[2], authorName: try row[3], created: try row[4])
        }
    }

    private static func comment(_ row: borrowing Row) throws -> IndexedComment {
        IndexedComment(
            author: try row[0], authorName: try row[1], authorHandle: try row[2], text: try row[3],
            created: try row[4], modified: try row[5])
    }
}

/// What a reaction is to, as the table spells it.
enum ReactionTarget: String {
    case thread, reply
}
