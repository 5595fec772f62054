public import RichText

/// A note that a search found.
public struct NoteFound: Hashable, Sendable, Identifiable {
    public var id: String
    public var title: String
    /// The text around the match.
    public var snippet: String
    /// Whether that is in a comment.
    public var isComment: Bool

    public init(id: String, title: String, snippet: String, isComment: Bool = false) {
        self.id = id
        self.title = title
        self.snippet = snippet
        self.isComment = isComment
    }
}

/// A tag and how many notes have it.
public struct NoteTag: Hashable, Sendable {
    /// Without `#`, lower-case.
    public var name: String
    public var count: Int

    public init(name: String, count: Int) {
        self.name = name
        self.count = count
    }
}

/// A link from one note to another.
public struct NoteLink: Hashable, Sendable {
    /// The note on the other end.
    public var note: String
    /// Its title; nil if that note is not here (yet).
    public var title: String?

    public init(note: String, title: String?) {
        self.note = note
        self.title = title
    }
}

/// A task in a note.
public struct NoteTask: Hashable, Sendable {
    public var note: String
    public var state: RichText.Task.State
    public var text: String

    public init(note: String, state: RichText.Task.State, text: String) {
        self.note = note
        self.state = state
        self.text = text
    }
}
