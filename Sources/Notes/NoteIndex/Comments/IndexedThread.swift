/// A thread of comments on a note.
package struct IndexedThread: Hashable, Sendable, Identifiable {
    package var id: String
    package var comment: IndexedComment
    /// What the comment was about when it was made.
    package var quoted: String
    /// Where it begins, as the note has it: four bytes, or fewer for a thread without a place.
    package var anchorStart: [UInt8]
    package var anchorEnd: [UInt8]
    package var isResolved: Bool
    /// The id of the profile that resolved it.
    package var resolvedBy: String?
    /// Milliseconds since 1970.
    package var resolvedAt: Int64?
    package var reactions: [IndexedReaction]
    /// The oldest first.
    package var replies: [IndexedReply]

    package init(
        id: String, comment: IndexedComment, quoted: String, anchorStart: [UInt8] = [], anchorEnd: [UInt8] = [],
        isResolved: Bool = false, resolvedBy: String? = nil, resolvedAt: Int64? = nil,
        reactions: [IndexedReaction] = [],
        replies: [IndexedReply] = []
    ) {
        self.id = id
        self.comment = comment
        self.quoted = quoted
        self.anchorStart = anchorStart
        self.anchorEnd = anchorEnd
        self.isResolved = isResolved
        self.resolvedBy = resolvedBy
        self.resolvedAt = resolvedAt
        self.reactions = reactions
        self.replies = replies
    }
}

/// What somebody said, and who and when.
package struct IndexedComment: Hashable, Sendable {
    /// The id of a profile.
    package var author: String
    package var authorName: String
    package var authorHandle: String
    package var text: String
    /// Milliseconds since 1970.
    package var created: Int64
    /// Milliseconds since 1970.
    package var modified: Int64

    package init(
        author: String, authorName: String, authorHandle: String, text: String, created: Int64, modified: Int64
    ) {
        self.author = author
        self.authorName = authorName
        self.authorHandle = authorHandle
        self.text = text
        self.created = created
        self.modified = modified
    }
}

/// An answer in a thread.
package struct IndexedReply: Hashable, Sendable, Identifiable {
    package var id: String
    package var comment: IndexedComment
    package var reactions: [IndexedReaction]

    package init(id: String, comment: IndexedComment, reactions: [IndexedReaction] = []) {
        self.id = id
        self.comment = comment
        self.reactions = reactions
    }
}

/// An emoji that somebody put to a thread or a reply.
package struct IndexedReaction: Hashable, Sendable, Identifiable {
    package var id: String
    package var emoji: String
    /// The id of a profile.
    package var author: String
    package var authorName: String
    /// Milliseconds since 1970.
    package var created: Int64

    package init(id: String, emoji: String, author: String, authorName: String, created: Int64) {
        self.id = id
        self.emoji = emoji
        self.author = author
        self.authorName = authorName
        self.created = created
    }
}
