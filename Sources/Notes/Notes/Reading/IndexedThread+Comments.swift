internal import CRDTBridge
internal import NoteIndex

extension IndexedThread {
    init(_ thread: CommentThread) {
        self.init(
            id: thread.id,
            comment: IndexedComment(thread.author, thread.text, created: thread.created, modified: thread.modified),
            quoted: thread.quoted, anchorStart: Self.bytes(thread.anchor?.lowerBound),
            anchorEnd: Self.bytes(thread.anchor?.upperBound), isResolved: thread.isResolved,
            resolvedBy: thread.resolvedBy,
            resolvedAt: thread.resolvedAt, reactions: Self.reactions(thread, to: nil),
            replies: thread.replies.map { reply in
                IndexedReply(
                    id: reply.id,
                    comment: IndexedComment(reply.author, reply.text, created: reply.created, modified: reply.modified),
                    reactions: Self.reactions(thread, to: reply.id))
            })
    }

    /// Four bytes, the lowest first, as notes have it.
    private static func bytes(_ position: Int?) -> [UInt8] {
        guard let position, let number = UInt32(exactly: position) else { return [] }
        return (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func reactions(_ thread: CommentThread, to reply: String?) -> [IndexedReaction] {
        thread.reactions.filter { $0.reply == reply }.map {
            IndexedReaction(
                id: $0.id, emoji: $0.emoji, author: $0.author.id, authorName: $0.author.name, created: $0.created)
        }
    }
}

extension IndexedComment {
    fileprivate init(_ author: CommentAuthor, _ text: String, created: Int64, modified: Int64) {
        self.init(
            author: author.id, authorName: author.name, authorHandle: author.handle, text: text, created: created,
            modified: modified)
    }
}
