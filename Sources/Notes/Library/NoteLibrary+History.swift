public import RichText

extension NoteLibrary {
    /// When a note was written, and by whom. It reaches back as far as the logs do.
    public func history(of note: String) async throws(NoteFailure) -> NoteHistory { throw .notYet }

    /// The note as it was: with all changes whose time is not after `time`.
    /// - Parameter time: milliseconds since 1970, by the clocks of those who wrote.
    public func content(of note: String, at time: Int64) async throws(NoteFailure) -> RichText { throw .notYet }

    /// The note as it was, as Markdown.
    public func markdown(of note: String, at time: Int64) async throws(NoteFailure) -> String { throw .notYet }
}
