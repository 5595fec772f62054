package import RichText

/// Everything that the index knows of one note. It is replaced as a whole.
package struct IndexedNote: Hashable, Sendable, Identifiable {
    /// Opaque and case-sensitive.
    package var id: String
    /// Its first 1000 characters are kept.
    package var title: String
    /// The id of its folder, which need not be there.
    package var folder: String?
    /// Milliseconds since 1970.
    package var created: Int64
    /// Milliseconds since 1970.
    package var modified: Int64
    package var isDeleted: Bool
    package var isPinned: Bool
    /// The plain text, one line a block, the title's included. Its first 4 MiB are kept and searched.
    package var text: String
    /// What comes after the title, for lists.
    package var preview: String
    /// Without `#`, lower-case, in the order of the text.
    package var tags: [String]
    /// The ids of the notes that it links to, also of those that are not here.
    package var links: [String]
    /// In the order of the text.
    package var tasks: [IndexedTask]
    package var threads: [IndexedThread]

    package init(
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
package struct IndexedTask: Hashable, Sendable {
    package typealias State = RichText.Task.State

    package var state: State
    package var text: String

    package init(_ state: State, _ text: String) {
        self.state = state
        self.text = text
    }
}
