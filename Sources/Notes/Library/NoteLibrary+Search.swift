extension NoteLibrary {
    /// Notes with all of these words, titles first. `#tag` finds a tag, `"two words"` a phrase, `word*` a beginning.
    public func search(_ query: String, limit: Int = 50) async throws(NoteFailure) -> [NoteFound] { throw .notYet }

    /// All tags of notes that are not deleted, by name.
    public func tags() async throws(NoteFailure) -> [NoteTag] { throw .notYet }

    /// The tags of one note, in their order.
    public func tags(of note: String) async throws(NoteFailure) -> [String] { throw .notYet }

    /// The notes that this one links to.
    public func links(from note: String) async throws(NoteFailure) -> [NoteLink] { throw .notYet }

    /// The notes that link to this one.
    public func links(to note: String) async throws(NoteFailure) -> [NoteLink] { throw .notYet }

    /// The tasks of one note in their order, or of all notes.
    public func tasks(of note: String? = nil) async throws(NoteFailure) -> [NoteTask] { throw .notYet }
}
