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

    /// The same, with what keeps the note from being read.
    public func with(problem: String?) -> NoteSummary {
        var summary = self
        summary.problem = problem
        return summary
    }
}

/// Which notes a list shows.
public struct NoteFilter: Hashable, Sendable {
    public enum Place: Hashable, Sendable {
        /// Every note that is not deleted, whichever folder it is in.
        case all
        /// The notes of one folder that are not deleted; nil for those that are in none.
        case folder(String?)
        case deleted
    }

    public var place: Place
    /// Only notes that have all of these tags.
    public var tags: [String]
    /// Only notes that have none of these.
    public var withoutTags: [String]

    public init(_ place: Place = .all, tags: [String] = [], withoutTags: [String] = []) {
        self.place = place
        self.tags = tags
        self.withoutTags = withoutTags
    }
}
