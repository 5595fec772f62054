extension NoteLibrary {
    /// The tree of folders. Those that are deleted, or are in a deleted or missing one, are not in it.
    public func folders() async throws(NoteFailure) -> [NoteFolder] { throw .notYet }

    /// The folder with this id, or the only one with this name.
    public func folder(_ reference: String) async throws(NoteFailure) -> NoteFolder { throw .notYet }

    /// - Parameter id: the id that it gets; a folder that has it already is returned.
    @discardableResult
    public func createFolder(
        _ name: String, in parent: String? = nil, id: String? = nil
    ) async throws(NoteFailure) -> NoteFolder { throw .notYet }

    public func renameFolder(_ folder: String, to name: String) async throws(NoteFailure) { throw .notYet }

    /// - Parameter parent: nil brings it to the top.
    public func moveFolder(_ folder: String, to parent: String?) async throws(NoteFailure) { throw .notYet }

    public func deleteFolder(_ folder: String, _ mode: FolderDeletion) async throws(NoteFailure) { throw .notYet }
}
