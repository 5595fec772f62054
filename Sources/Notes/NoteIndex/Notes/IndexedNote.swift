public import RichText

/// Everything that the index knows of one note. It is replaced as a whole.
public struct IndexedNote: Hashable, Sendable, Identifiable {
    /// Opaque and case-sensitive.
    public var id: String
    /// Its first 1000 characters are kept.
    public var title: String
    /// The id of its folder, which need not be there.
    public var folder: String?
    /// Milliseconds since 1970.
    public var created: Int64
    /// Milliseconds since 1970.
    public var modified: Int64
    public var isDeleted: Bool
    public var isPinned: Bool
    /// The plain text, one line a block, the title's included. Its first 4 MiB are kept and searched.
    public var text: String
    /// What comes after the title, for lists.
    public var preview: String
    /// Without `#`, lower-case, in the order of the text.
    public var tags: [String]
    /// The ids of the notes that it links to, also of those that are not here.
    public var links: [String]
    /// In the order of the text.
    public var tasks: [IndexedTask]
    public var threads: [IndexedThread]

    public init(
        id: String, title: String, folder: String? = nil, created: Int64, modified: Int64, isDeleted: Bool = false,
        isPinned: Bool = false, text: String = "", preview: String = "", tags: [String] = [], links: [String] = [],
        tasks: [IndexedTask] = [], threads: [IndexedThread] = []
    ) {
        self.id = id
        self.title = title
        self.folder = folder
        self.created = created
        self.modified = modified
        self.isDeleted = isDeleted
        self.isPinned = isPinned
        self.text = text
        self.preview = preview
        self.tags = tags
        self.links = links
        self.tasks = tasks
        self.threads = threads
    }
}

/// A task of a note.
public struct IndexedTask: Hashable, Sendable {
    public typealias State = RichText.Task.State

    public var state: State
    public var text: String

    public init(_ state: State, _ text: String) {
        self.state = state
        self.text = text
    }
}
