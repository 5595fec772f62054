extension NoteLibrary {
    /// Reads every file of the directory anew and compares it with the index.
    /// - Parameter rebuildingIndex: makes the index anew from the files alone.
    public func verify(rebuildingIndex: Bool = false) async throws(NoteFailure) -> NoteVerification { throw .notYet }
}
