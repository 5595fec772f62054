package import NoteIndex

/// What became of an edit.
package struct NoteReplacement: Hashable, Sendable {
    /// The note now, with what others did meanwhile.
    package var text: NoteText
    /// Names the state that says what was written and nothing else. An editor that has gone on from there bases its next edit on it.
    package var revision: String
}

/// A note as an editor gets it.
package struct NoteText: Hashable, Sendable {
    /// A piece of the Markdown and who wrote it.
    package struct Span: Hashable, Sendable {
        package var text: String
        /// The name of who wrote it; nil for characters without an author (the syntax of Markdown) and for unknown authors.
        package var author: String?

        package init(text: String, author: String?) {
            self.text = text
            self.author = author
        }
    }

    package var note: NoteSummary
    /// Names the state that was shown. ``NoteLibrary/replace(_:markdown:base:)`` wants it back.
    package var revision: String
    /// The whole note in pieces: joined they are ``markdown``.
    package var spans: [Span]

    package var markdown: String { spans.map(\.text).joined() }

    package init(note: NoteSummary, revision: String, spans: [Span]) {
        self.note = note
        self.revision = revision
        self.spans = spans
    }
}
