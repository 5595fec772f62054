extension NoteLibrary {
    /// Edits this note together with somebody: see ``NoteSession``.
    public func session(for note: String) async throws(NoteFailure) -> NoteSession { throw .notYet }

    /// Takes a note of somebody else into this directory, under the id that it has there. If it is here already, the two are
    /// merged.
    /// - Parameter state: the whole note as a Yjs V1 update.
    @discardableResult
    public func adopt(_ note: String, state: [UInt8]) async throws(NoteFailure) -> NoteSummary { throw .notYet }
}
