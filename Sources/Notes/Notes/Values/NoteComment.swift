/// A thread of comments about a piece of a note.
public struct NoteComment: Hashable, Sendable, Identifiable {
    public struct Reply: Hashable, Sendable, Identifiable {
        public var id: String
        public var author: String
        public var text: String
        /// Milliseconds since 1970.
        public var created: Int64

        public init(id: String, author: String, text: String, created: Int64) {
            self.id = id
            self.author = author
            self.text = text
            self.created = created
        }
    }

    public struct Reaction: Hashable, Sendable, Identifiable {
        public var id: String
        public var author: String
        public var emoji: String
        /// The reply that it is to; nil for the thread itself.
        public var reply: String?

        public init(id: String, author: String, emoji: String, reply: String? = nil) {
            self.id = id
            self.author = author
            self.emoji = emoji
            self.reply = reply
        }
    }

    public var id: String
    public var author: String
    public var text: String
    /// What the comment was about when it was made.
    public var quoted: String
    /// Milliseconds since 1970.
    public var created: Int64
    public var isResolved: Bool
    public var replies: [Reply]
    public var reactions: [Reaction]

    public init(
        id: String, author: String, text: String, quoted: String, created: Int64, isResolved: Bool = false,
        replies: [Reply] = [], reactions: [Reaction] = []
    ) {
        self.id = id
        self.author = author
        self.text = text
        self.quoted = quoted
        self.created = created
        self.isResolved = isResolved
        self.replies = replies
        self.reactions = reactions
    }
}
