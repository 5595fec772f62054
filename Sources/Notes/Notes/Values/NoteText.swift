public import NoteIndex

/// What became of an edit.
public struct NoteReplacement: Hashable, Sendable {
    /// The note now, with what others did meanwhile.
    public var text: NoteText
    /// Names the state that says what was written and nothing else. An editor that has gone on from there bases its next edit on it.
    public var revision: String
}

/// A note as an editor gets it.
public struct NoteText: Hashable, Sendable {
    /// A piece of the Markdown and who wrote it.
    public struct Span: Hashable, Sendable {
        public var text: String
        /// The name of who wrote it; nil for what nobody wrote (the spelling of the Markdown) or nobody knows.
        public var author: String?

        public init(text: String, author: String?) {
            self.text = text
            self.author = author
        }
    }

    public var note: NoteSummary
    /// Names the state that was shown. ``NoteLibrary/replace(_:markdown:base:)`` wants it back.
    public var revision: String
    /// The whole note in pieces: joined they are ``markdown``.
    public var spans: [Span]

    public var markdown: String { spans.map(\.text).joined() }

    public init(note: NoteSummary, revision: String, spans: [Span]) {
        self.note = note
        self.revision = revision
        self.spans = spans
    }
}
