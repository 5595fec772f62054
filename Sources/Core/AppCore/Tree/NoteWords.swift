// Notes, folders and sharing in the words that a person reads.

extension String {
    /// As the title of a note, which may have none.
    var noteWords: Words { isEmpty ? "note.untitled" : .said(self) }

    /// The first line with something in it, as a title.
    var firstLine: String {
        let lines = split(whereSeparator: \.isNewline).lazy.map { String($0).noteTitle }
        return lines.first { !$0.isEmpty } ?? ""
    }
}

extension NotebookFilter {
    func title(in folders: FolderTree) -> Words {
        switch show {
        case .all: "notes.filter.all"
        case .pinned: "notes.filter.pinned"
        case .shared: "notes.filter.shared"
        case .folder: folder.flatMap { folders[$0]?.path }.map { .said($0) } ?? "notes.without_folder"
        case .tag: .said("#\(tag ?? "")")
        case .deleted: "notes.filter.deleted"
        }
    }
}

extension Room {
    /// Whether one more note can be shared here.
    var canShareNotes: Bool { canWrite && sharedNotes.own.count < NotebookLimits.sharedNotes }

    /// How a note that is shared here stands; nil for one that is not.
    func sharingText(of note: NoteID) -> Words? {
        guard sharedNotes.own.contains(note) else { return nil }
        let room: [String: Words.Arg] = ["room": .words(titleWords)]
        guard let share = live.shares[note] else { return .key("sharing.waiting", room) }
        if let failure = share.failure { return Words(failure) }
        return switch share.state {
        case .offered: .key("sharing.offered", room)
        case .live: .key("sharing.live", room)
        case .stopped: .key("sharing.stopped", room)
        }
    }
}

extension Presentation {
    /// Who each shared note is shared with.
    var namesOfPartners: [NoteID: [Words]] {
        var names: [NoteID: [Words]] = [:]
        for room in rooms { for note in room.sharedNotes.own { names[note, default: []].append(room.titleWords) } }
        return names
    }
}
