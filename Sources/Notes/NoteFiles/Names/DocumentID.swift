/// A CRDT document of a storage directory: a note, or the tree of folders.
package enum DocumentID: Hashable, Sendable, CustomStringConvertible {
    case note(NoteID)
    case folderTree

    /// The names of the folders that lead to its files.
    var steps: [String] {
        switch self {
        case .note(let note): ["notes", note.text]
        case .folderTree: ["folders"]
        }
    }

    package var description: String { steps.joined(separator: "/") }
}
