/// A folder of notes with the folders in it, in their order.
package struct NoteFolder: Hashable, Sendable, Identifiable {
    package var id: String
    package var name: String
    /// The id of the folder that it is in; nil at the top.
    package var parent: String?
    package var folders: [NoteFolder]

    package init(id: String, name: String, parent: String? = nil, folders: [NoteFolder] = []) {
        self.id = id
        self.name = name
        self.parent = parent
        self.folders = folders
    }
}

/// What becomes of what is in a folder that is deleted.
package enum FolderDeletion: String, Hashable, Sendable, CaseIterable {
    /// Only the folder is flagged: what is in it is out of sight, and its notes stay in the list of all notes.
    case simple
    /// The folders in it are deleted too, and all their notes go to the folder above.
    case cascade
    /// The folders and notes in it go to the folder above.
    case reparent
}
