internal import NoteFiles

/// What is known of the files of a document that is open.
struct OpenDocument {
    /// How far the files are read into the open document, and what is wrong with them.
    var reached: Checkpoint
    /// What the index knows of them.
    var indexed: FileMarks
    /// Records that the stored state does not have yet.
    var recordsSinceStored = 0
    /// Files with an update that was refused. Nothing of them is stored: once they are mended, the document may be another one.
    var refused: Set<String> = []
    /// Files with updates that were left out because the document has too many others. Nothing is stored until they are read; they
    /// are tried again when what is beside them changes.
    var crowdedOut: Set<String> = []
    /// Whether updates were found to be slow that the stored checkpoint does not know.
    var hasNewlySlow = false
    /// The authors behind these clients, as far as anybody asked.
    var authors: Authors?

    /// So many records make it worth while to store the whole state: reading them takes longer than reading the state.
    static let storeAfter = 64

    /// The index was told.
    mutating func wasIndexed(_ marks: FileMarks, isStored: Bool) {
        indexed = marks
        guard isStored else { return }
        recordsSinceStored = 0
        hasNewlySlow = false
    }
}

extension DocumentID {
    /// The name under which the CRDT's side and the index know it. No note id has a colon.
    var key: String {
        switch self {
        case .note(let note): note.text
        case .folderTree: "folders:"
        }
    }
}
