public import RichText

extension NoteLibrary {
    /// Makes a note.
    /// - Parameters:
    ///   - title: becomes its first paragraph.
    ///   - markdown: what comes after the title.
    ///   - id: the id that it gets. If there is such a note already, that one is returned: a repeated request makes one note.
    public func create(
        title: String, folder: String? = nil, markdown: String = "", id: String? = nil
    ) async throws(NoteFailure) -> NoteSummary { throw .notYet }

    /// The note with this id or this title, or the only one whose id begins so.
    public func note(_ reference: String) async throws(NoteFailure) -> NoteSummary { throw .notYet }

    /// Pinned notes first, then the newest.
    public func list(_ filter: NoteFilter = NoteFilter()) async throws(NoteFailure) -> [NoteSummary] { throw .notYet }

    /// The document of a note as it is now.
    public func content(of note: String) async throws(NoteFailure) -> RichText { throw .notYet }

    /// The whole note as Markdown.
    public func markdown(of note: String) async throws(NoteFailure) -> String { throw .notYet }

    /// The note for an editor: with its authors, and a revision to base the edit on.
    public func text(of note: String) async throws(NoteFailure) -> NoteText { throw .notYet }

    /// The note for an editor now and after every change, until the caller lets go of the stream.
    public func texts(of note: String) async throws(NoteFailure) -> AsyncStream<NoteText> { throw .notYet }

    /// Adds blocks at the end.
    @discardableResult
    public func append(_ markdown: String, to note: String) async throws(NoteFailure) -> NoteSummary { throw .notYet }

    /// Makes of a note what a person made of its Markdown. Only what differs from `base` is changed; what others did
    /// since then stays.
    /// - Parameter base: the revision that the person saw.
    @discardableResult
    public func replace(
        _ note: String, markdown: String, base: String
    ) async throws(NoteFailure) -> NoteText { throw .notYet }

    /// Changes the block that the title comes from.
    @discardableResult
    public func rename(_ note: String, to title: String) async throws(NoteFailure) -> NoteSummary { throw .notYet }

    /// - Parameter folder: nil takes it out of its folder.
    @discardableResult
    public func move(_ note: String, to folder: String?) async throws(NoteFailure) -> NoteSummary { throw .notYet }

    @discardableResult
    public func pin(_ note: String, _ isPinned: Bool = true) async throws(NoteFailure) -> NoteSummary { throw .notYet }

    /// Puts a note among the deleted ones, where it is read-only. It is not pinned any more.
    @discardableResult
    public func delete(_ note: String) async throws(NoteFailure) -> NoteSummary { throw .notYet }

    @discardableResult
    public func restore(_ note: String) async throws(NoteFailure) -> NoteSummary { throw .notYet }

    /// Removes a deleted note and its files for good, on every device.
    public func purge(_ note: String) async throws(NoteFailure) { throw .notYet }
}
