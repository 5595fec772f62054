/// What a list shows of a note.
public struct NoteSummary: Hashable, Sendable, Identifiable {
    /// Opaque and case-sensitive: `[A-Za-z0-9_-]{1,64}`.
    public var id: String
    /// The text of the first block that has any, or `Untitled`.
    public var title: String
    /// What comes after the title, at most 200 UTF-16 code units.
    public var preview: String
    /// The id of its folder. The folder may be missing or deleted.
    public var folder: String?
    /// Milliseconds since 1970.
    public var created: Int64
    /// Milliseconds since 1970.
    public var modified: Int64
    public var isDeleted: Bool
    public var isPinned: Bool
    /// Without `#`, lower-case, in the order of the text.
    public var tags: [String]
    /// Why the note, or a part of it, cannot be read. It is tried again when its files change.
    public var problem: String?

    public init(
        id: String, title: String, preview: String = "", folder: String? = nil, created: Int64 = 0, modified: Int64 = 0,
        isDeleted: Bool = false, isPinned: Bool = false, tags: [String] = [], problem: String? = nil
    ) {
        self.id = id
        self.title = title
        self.preview = preview
        self.folder = folder
        self.created = created
        self.modified = modified
        self.isDeleted = isDeleted
        self.isPinned = isPinned
        self.tags = tags
        self.problem = problem
    }
}

/// Which notes a list shows.
public struct NoteFilter: Hashable, Sendable {
    public enum Place: Hashable, Sendable {
        /// Every note that is not deleted, whichever folder it is in.
        case all
        case folder(String)
        case deleted
    }

    public var place: Place
    /// Only notes that have all of these tags (in any case, with or without `#`).
    public var tags: [String]
    /// Only notes that have none of these.
    public var withoutTags: [String]

    public init(_ place: Place = .all, tags: [String] = [], withoutTags: [String] = []) {
        self.place = place
        self.tags = tags
        self.withoutTags = withoutTags
    }
}

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
    public enum State: String, Hashable, Sendable {
        case unchecked
        case checked
        /// Will not be done.
        case nope
    }

    public var note: String
    public var state: State
    public var text: String

    public init(note: String, state: State, text: String) {
        self.note = note
        self.state = state
        self.text = text
    }
}
