package import RichText

/// A note that a search found.
package struct NoteFound: Hashable, Sendable, Identifiable {
    package var id: String
    package var title: String
    /// The text around the match.
    package var snippet: String
    /// Whether that is in a comment.
    package var isComment: Bool

    package init(id: String, title: String, snippet: String, isComment: Bool = false) {
        self.id = id
        self.title = title
        self.snippet = snippet
        self.isComment = isComment
    }
}

/// A tag and how many notes have it.
package struct NoteTag: Hashable, Sendable {
    /// Without `#`, lower-case.
    package var name: String
    package var count: Int

    package init(name: String, count: Int) {
        self.name = name
        self.count = count
    }
}

/// A link from one note to another.
package struct NoteLink: Hashable, Sendable {
    /// The note on the other end.
    package var note: String
    /// Its title; nil if that note is not here (yet).
    package var title: String?

    package init(note: String, title: String?) {
        self.note = note
        self.title = title
    }
}

/// A task in a note.
package struct NoteTask: Hashable, Sendable {
    package var note: String
    package var state: RichText.Task.State
    package var text: String

    package init(note: String, state: RichText.Task.State, text: String) {
        self.note = note
        self.state = state
        self.text = text
    }
}
