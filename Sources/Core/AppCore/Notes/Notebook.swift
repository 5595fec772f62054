/// The notes of this person, as far as they are on the screen: the notes themselves live in a folder of files, merge there
/// by themselves, and are no records of the core. Only unsaved drafts are.
public struct Notebook: Sendable, Hashable, AddedLater {
    /// The ``Effect/Kind/openNotes`` under which the host tells what there is.
    public internal(set) var openEffect: EffectID?
    /// Whether the list has come.
    public internal(set) var isListed = false
    /// What is still to be read of what came from other devices.
    public internal(set) var remaining = 0
    /// What is wrong with the folder, or why the notes could not be opened.
    public internal(set) var failure: Failure?
    /// When notes that could not be opened are tried again.
    var reopenAt: Timestamp?

    public internal(set) var list = NoteList()
    public internal(set) var folders = FolderTree()
    public internal(set) var filter = NotebookFilter(.all)
    public internal(set) var search = NoteSearch()
    /// How many notes of the list are shown at most.
    public internal(set) var shown = NotebookLimits.page
    /// The name that the next folder gets.
    public internal(set) var folderForm = ""

    /// The note that is on the screen.
    public internal(set) var editor: NoteEditor?
    /// Unsaved texts, in the order in which they were begun. They are records, so nothing that was typed gets lost.
    public internal(set) var drafts: [NoteDraft] = []

    public init() {}

    public var isOpen: Bool { openEffect != nil }

    /// How the notes stand to the folder that they are in.
    public var sync: NotebookSync {
        if let failure { return .problem(failure) }
        guard isOpen else { return .closed }
        guard isListed else { return .opening }
        return remaining > 0 ? .catchingUp(remaining: remaining) : .ready
    }
}

public enum NotebookSync: Sendable, Hashable {
    case closed
    case opening
    /// Everything in the folder is in the list.
    case ready
    /// What came from other devices is still being read.
    case catchingUp(remaining: Int)
    case problem(Failure)
}

/// Which notes the list shows.
public struct NotebookFilter: Sendable, Hashable, Codable {
    public enum Show: String, Sendable, Hashable, Codable, CaseIterable {
        case all, folder, tag
        /// The trash.
        case deleted
    }

    public var show: Show
    public var folder: FolderID?
    public var tag: String?

    public init(_ show: Show, folder: FolderID? = nil, tag: String? = nil) {
        self.show = show
        self.folder = folder
        self.tag = tag
    }

    func matches(_ note: ListedNote) -> Bool {
        switch show {
        case .all: !note.deleted
        case .folder: !note.deleted && note.folder == folder
        case .tag: !note.deleted && (tag.map(note.tags.contains) ?? false)
        case .deleted: note.deleted
        }
    }
}

/// What the person looks for, and what was found.
public struct NoteSearch: Sendable, Hashable, Codable {
    public var query = ""
    /// The search that is under way.
    public var effect: EffectID?
    /// `nil` until something was looked for.
    public var results: [NoteHit]?
}

/// A note in which something was found.
public struct NoteHit: Sendable, Hashable, Codable {
    public var note: NoteID
    public var title: String
    /// The text around what was found.
    public var snippet: String

    public init(note: NoteID, title: String, snippet: String) {
        self.note = note
        self.title = title
        self.snippet = snippet
    }

    var fitted: NoteHit {
        NoteHit(
            note: note, title: title.noteTitle,
            snippet: snippet.withoutControls.limited(to: NotebookLimits.previewBytes))
    }
}
