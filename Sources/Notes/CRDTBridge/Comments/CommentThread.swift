internal import RichText

/// The author of a comment.
public struct CommentAuthor: Hashable, Sendable {
    /// The author's id in the note; empty if missing.
    public var id: String
    /// The name to show; empty if missing.
    public var name: String
    /// The handle for mentions, without `@`; empty if there is none.
    public var handle: String

    /// An author as a note records it. Nothing proves that the name is the author's own.
    public init(id: String, name: String, handle: String = "") {
        self.id = id
        self.name = name
        self.handle = handle
    }
}

/// A comment on a piece of a note, with what was said to it. Times are milliseconds since 1970, 0 if missing.
public struct CommentThread: Hashable, Sendable, Identifiable {
    /// An answer in a thread. Times are milliseconds since 1970, 0 if missing.
    public struct Reply: Hashable, Sendable, Identifiable {
        public var id: String
        /// Who answered.
        public var author: CommentAuthor
        /// The answer as plain text.
        public var text: String
        /// When it was written, in milliseconds since 1970.
        public var created: Int64
        /// When it was last changed, in milliseconds since 1970.
        public var modified: Int64
        /// When its text was last corrected by ``CRDTBridge/editComment(_:reply:_:at:in:)``; nil if it says what it said first.
        public var edited: Int64?
    }

    /// An emoji that someone put on a thread or on one of its replies.
    public struct Reaction: Hashable, Sendable, Identifiable {
        public var id: String
        /// Who reacted.
        public var author: CommentAuthor
        /// The emoji as text.
        public var emoji: String
        /// When, in milliseconds since 1970; 0 if missing.
        public var created: Int64
        /// Nil for a reaction to the thread itself.
        public var reply: String?
    }

    public var id: String
    /// Who began the thread.
    public var author: CommentAuthor
    /// The comment itself, as plain text.
    public var text: String
    /// What the comment was about when it was made.
    public var quoted: String
    /// Where that was then, in ProseMirror positions. Where it is now says the mark in the text.
    public var anchor: Range<Int>?
    /// When it was written, in milliseconds since 1970.
    public var created: Int64
    /// When it was last changed, in milliseconds since 1970.
    public var modified: Int64
    /// When its text was last corrected by ``CRDTBridge/editComment(_:reply:_:at:in:)``; nil if it says what it said first.
    public var edited: Int64?
    /// Whether the thread is settled.
    public var isResolved: Bool
    /// The id of the person who settled it.
    public var resolvedBy: String?
    /// When it was settled, in milliseconds since 1970.
    public var resolvedAt: Int64?
    /// The answers in the order of the note.
    public var replies: [Reply]
    /// The reactions to the thread and to its replies.
    public var reactions: [Reaction]
}

extension CommentThread {
    /// Nil if it has no id, which no thread in a note lacks.
    init?(_ fields: [String: RichText.Value]) {
        guard let id = fields["id"]?.string else { return nil }
        self.id = id
        author = CommentAuthor(fields)
        text = fields["content"]?.string ?? ""
        quoted = fields["originalText"]?.string ?? ""
        if let start = fields["anchorStart"]?.integer, let end = fields["anchorEnd"]?.integer, start <= end {
            anchor = start..<end
        }
        created = fields["created"]?.milliseconds ?? 0
        modified = fields["modified"]?.milliseconds ?? created
        edited = fields["edited"]?.milliseconds
        isResolved = fields["resolved"]?.bool ?? false
        resolvedBy = fields["resolvedBy"]?.string
        resolvedAt = fields["resolvedAt"]?.milliseconds
        replies = fields["replies"].objects.compactMap(Reply.init)
        reactions = fields["reactions"].objects.compactMap(Reaction.init)
    }
}

extension CommentThread.Reply {
    fileprivate init?(_ fields: [String: RichText.Value]) {
        guard let id = fields["id"]?.string else { return nil }
        self.id = id
        author = CommentAuthor(fields)
        text = fields["content"]?.string ?? ""
        created = fields["created"]?.milliseconds ?? 0
        modified = fields["modified"]?.milliseconds ?? created
        edited = fields["edited"]?.milliseconds
    }
}

extension CommentThread.Reaction {
    fileprivate init?(_ fields: [String: RichText.Value]) {
        guard let id = fields["id"]?.string, let emoji = fields["emoji"]?.string else { return nil }
        self.id = id
        self.emoji = emoji
        author = CommentAuthor(fields)
        created = fields["created"]?.milliseconds ?? 0
        reply = fields["targetType"]?.string == "reply" ? fields["targetId"]?.string : nil
    }
}

extension CommentAuthor {
    init(_ fields: [String: RichText.Value]) {
        id = fields["authorId"]?.string ?? ""
        name = fields["authorName"]?.string ?? ""
        handle = fields["authorHandle"]?.string ?? ""
    }

    /// The fields of a thread or reply; a reaction has no handle.
    var fields: [String: RichText.Value] {
        ["authorId": .string(id), "authorName": .string(name), "authorHandle": .string(handle)]
    }
}

extension RichText.Value? {
    fileprivate var objects: [[String: RichText.Value]] {
        guard case .array(let values) = self else { return [] }
        return values.compactMap(\.object)
    }
}
