internal import NoteFiles

/// What listeners were told last of the documents that changed since the library was opened.
///
/// The index does not tell: another process of the same profile may have brought it up to date before this one looked.
struct ToldChanges {
    enum State: Hashable {
        /// A hash of how far the files were read.
        case read(Int)
        /// The files of the note are gone.
        case missing
        /// Somebody removed the note for good.
        case removed

        static func read(_ marks: FileMarks) -> State { .read(marks.hashValue) }
    }

    private var states: [DocumentID: State] = [:]

    /// Remembers what is being told.
    /// - Returns: whether it is something else than what was told before.
    mutating func update(_ document: DocumentID, _ state: State) -> Bool {
        states.updateValue(state, forKey: document) != state
    }

    func hasTold(_ document: DocumentID) -> Bool { states[document] != nil }
}

extension NoteLibrary {
    /// Tells of a note that is fresh, and that the index shows already, unless that was told.
    func tellOfNote(_ note: NoteID, author: String?) {
        guard options.watches, let marks = documents[.note(note)]?.reached.marks,
            told.update(.note(note), .read(marks)), let summary = try? summary(of: note.text)
        else { return }
        broadcast.send(.note(summary, author: author))
    }

    /// Tells that a note is not here any more, unless that was told.
    func tellOfLoss(_ note: NoteID) {
        let isForGood = deletions.notes.contains(note.text)
        guard told.update(.note(note), isForGood ? .removed : .missing) else { return }
        broadcast.send(.removed(note: note.text, forGood: isForGood))
    }

    /// Tells of folders that are fresh, and that the index shows already, unless that was told. What was there at first is no news.
    func tellOfFolders() {
        guard options.watches, let marks = documents[.folderTree]?.reached.marks else { return }
        let isFirst = !told.hasTold(.folderTree)
        if told.update(.folderTree, .read(marks)), !isFirst { broadcast.send(.folders) }
    }
}
