/// The notes of this person, as far as views show them: the notes themselves live in a folder of files, merge there
/// by themselves, and are not records of the core. Only unsaved drafts are.
package struct Notebook: Sendable, Hashable, AddedLater {
    /// The ``Effect/Kind/openNotes`` under which the host tells what there is.
    package internal(set) var openEffect: EffectID?
    /// Whether the list has come.
    package internal(set) var isListed = false
    /// What is still to be read of what came from other devices.
    package internal(set) var remaining = 0
    /// What is wrong with the folder, or why the notes could not be opened.
    package internal(set) var failure: Failure?
    /// When notes that could not be opened are tried again.
    var reopenAt: Timestamp?

    package internal(set) var list = NoteList()
    package internal(set) var folders = FolderTree()

    /// The notes that views show, each once.
    package internal(set) var editors: [NoteEditor] = []
    /// The notes whose surroundings views show, each once.
    package internal(set) var followed: FollowedNotes {
        get { following ?? FollowedNotes() }
        set { following = newValue.all.isEmpty ? nil : newValue }
    }
    /// `nil` for none, so that a state is written as it was before there were any.
    private var following: FollowedNotes?
    /// Unsaved texts, in the order in which they were begun. They are records, so nothing that was typed gets lost.
    package internal(set) var drafts: [NoteDraft] = []

    package init() {}

    package var isOpen: Bool { openEffect != nil }

    /// How the notes stand to the folder that they are in.
    package var sync: NotebookSync {
        if let failure { return .problem(failure) }
        guard isOpen else { return .closed }
        guard isListed else { return .opening }
        return remaining > 0 ? .catchingUp(remaining: remaining) : .ready
    }
}

package enum NotebookSync: Sendable, Hashable {
    case closed
    case opening
    /// Everything in the folder is in the list.
    case ready
    /// What came from other devices is still being read.
    case catchingUp(remaining: Int)
    case problem(Failure)
}

/// Which notes the list shows.
package struct NotebookFilter: Sendable, Hashable, Codable {
    package enum Show: String, Sendable, Hashable, Codable, CaseIterable {
        case all, pinned, folder, tag
        /// What is shared with somebody.
        case shared
        /// The trash.
        case deleted
    }

    package var show: Show
    package var folder: FolderID?
    package var tag: String?

    package init(_ show: Show, folder: FolderID? = nil, tag: String? = nil) {
        self.show = show
        self.folder = folder
        self.tag = tag
    }

    /// - Parameter shared: the notes that are shared in some room.
    func matches(_ note: ListedNote, shared: Set<NoteID>) -> Bool {
        switch show {
        case .all: !note.deleted
        case .pinned: !note.deleted && note.pinned
        case .shared: !note.deleted && shared.contains(note.id)
        case .folder: !note.deleted && note.folder == folder
        case .tag: !note.deleted && (tag.map(note.tags.contains) ?? false)
        case .deleted: note.deleted
        }
    }
}

/// What the person looks for, and what was found.
package struct NoteSearch: Sendable, Hashable, Codable {
    package var query = ""
    /// The search that is under way.
    package var effect: EffectID?
    /// `nil` until something was looked for.
    package var results: [NoteHit]?
}

/// A note in which something was found.
package struct NoteHit: Sendable, Hashable, Codable {
    package var note: NoteID
    package var title: String
    /// The text around what was found.
    package var snippet: String

    package init(note: NoteID, title: String, snippet: String) {
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
