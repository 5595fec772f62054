/// A thread of comments on a note.
public struct IndexedThread: Hashable, Sendable, Identifiable {
    public var id: String
    public var comment: IndexedComment
    /// What the comment was about when it was made.
    public var quoted: String
    /// Where it begins, as the note has it: four bytes, or fewer for a thread without a place.
    public var anchorStart: [UInt8]
    public var anchorEnd: [UInt8]
    public var isResolved: Bool
    /// The id of the profile that resolved it.
    public var resolvedBy: String?
    /// Milliseconds since 1970.
    public var resolvedAt: Int64?
    public var reactions: [IndexedReaction]
    /// The oldest first.
    public var replies: [IndexedReply]

    public init(
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
public struct IndexedComment: Hashable, Sendable {
    /// The id of a profile.
    public var author: String
    public var authorName: String
    public var authorHandle: String
    public var text: String
    /// Milliseconds since 1970.
    public var created: Int64
    /// Milliseconds since 1970.
    public var modified: Int64

    public init(
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
public struct IndexedReply: Hashable, Sendable, Identifiable {
    public var id: String
    public var comment: IndexedComment
    public var reactions: [IndexedReaction]

    public init(id: String, comment: IndexedComment, reactions: [IndexedReaction] = []) {
        self.id = id
        self.comment = comment
        self.reactions = reactions
    }
}

/// An emoji that somebody put to a thread or a reply.
public struct IndexedReaction: Hashable, Sendable, Identifiable {
    public var id: String
    public var emoji: String
    /// The id of a profile.
    public var author: String
    public var authorName: String
    /// Milliseconds since 1970.
    public var created: Int64

    public init(id: String, emoji: String, author: String, authorName: String, created: Int64) {
        self.id = id
        self.emoji = emoji
        self.author = author
        self.authorName = authorName
        self.created = created
    }
}
