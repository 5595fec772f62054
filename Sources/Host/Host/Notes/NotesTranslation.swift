import AppCore
import Notes

/// The core's words and the words of Notes for the same things.
extension ListedNote {
    init(_ note: NoteSummary) {
        self.init(
            id: NoteID(note.id), title: note.title, preview: note.preview, folder: note.folder.map { FolderID($0) },
            created: Timestamp(milliseconds: note.created), modified: Timestamp(milliseconds: note.modified),
            deleted: note.isDeleted, pinned: note.isPinned, tags: note.tags,
            problem: note.problem == nil ? nil : .noteUnreadable)
    }
}

extension ListedFolder {
    /// A folder and those in it, depth first.
    static func all(_ folder: NoteFolder) -> [ListedFolder] {
        [ListedFolder(id: FolderID(folder.id), name: folder.name, parent: folder.parent.map { FolderID($0) })]
            + folder.folders.flatMap(all)
    }
}

extension NoteHit {
    init(_ found: NoteFound) { self.init(note: NoteID(found.id), title: found.title, snippet: found.snippet) }
}

extension NoteSpan {
    init(_ span: NoteText.Span) { self.init(text: span.text, author: span.author) }
}

extension FolderDeletion {
    init(_ removal: FolderRemoval) {
        self =
            switch removal {
            case .simple: .simple
            case .cascade: .cascade
            case .reparent: .reparent
            }
    }
}

extension Event {
    /// How far the library is with its files.
    static func notesSyncChanged(effect: EffectID, _ sync: NoteSync) -> Event {
        switch sync {
        case .ready: .notesSyncChanged(effect: effect, remaining: 0, failure: nil)
        case .catchingUp(let remaining): .notesSyncChanged(effect: effect, remaining: remaining, failure: nil)
        case .problem(let failure): .notesSyncChanged(effect: effect, remaining: 0, failure: Failure(failure))
        }
    }
}

extension Failure {
    init(_ failure: NoteFailure) {
        let code: Code =
            switch failure.code {
            case .noteUnknown: .noteUnknown
            case .noteUnreadable: .noteUnreadable
            case .folderUnknown: .noteFolderUnknown
            case .textUnknown: .noteTextUnknown
            case .commentUnknown: .commentUnknown
            case .commentChanged: .commentChanged
            case .commentTooLong: .commentTooLong
            case .notOwn: .notOwn
            case .noteDeleted: .noteDeleted
            case .directoryUnreadable: .folderUnavailable
            case .directoryUnwritable: .folderUnwritable
            case .diskFull: .diskFull
            case .tooLarge: .noteTooLarge
            case .fileUnreadable: .fileUnreadable
            case .closed: .cancelled
            default: .other
            }
        let isPassing = [.folderUnavailable, .folderUnwritable, .diskFull].contains(code)
        self.init(code, failure.message, retryable: isPassing)
    }
}
