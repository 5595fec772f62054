extension NoteLibrary {
    /// Writes notes as Markdown files: a folder for each folder of notes, pictures beside them.
    /// - Parameter notes: nil writes all that are not deleted.
    public func export(
        _ notes: [String]? = nil, to path: String
    ) async throws(NoteFailure) -> NoteTransfer { throw .notYet }

    /// Makes notes of a Markdown file, or of all in a folder, whose folders become folders of notes. A title that is taken
    /// gets a number: `Groceries (2)`.
    public func importMarkdown(
        _ path: String, into folder: String? = nil
    ) async throws(NoteFailure) -> NoteTransfer { throw .notYet }
}
