// Notes, folders and sharing in the words that a person reads.

extension String {
    var orUntitled: String { isEmpty ? "Untitled" : self }

    /// The first line with something in it, as a title.
    var firstLine: String {
        let lines = split(whereSeparator: \.isNewline).lazy.map { String($0).noteTitle }
        return lines.first { !$0.isEmpty } ?? ""
    }
}

extension NotebookFilter {
    func title(in folders: FolderTree) -> String {
        switch show {
        case .all: "All notes"
        case .folder: folder.flatMap { folders[$0]?.path } ?? "Notes without a folder"
        case .tag: "#\(tag ?? "")"
        case .deleted: "Trash"
        }
    }
}

extension Room {
    /// Whether one more note can be shared here.
    var canShareNotes: Bool { canWrite && sharedNotes.own.count < NotebookLimits.sharedNotes }

    /// How a note that is shared here stands; nil for one that is not.
    func sharingText(of note: NoteID) -> String? {
        guard sharedNotes.own.contains(note) else { return nil }
        guard let share = live.shares[note] else { return "Shared with \(title), as soon as you are connected" }
        if let failure = share.failure { return Wording.sentence(for: failure) }
        return switch share.state {
        case .offered: "Shared with \(title), who has not shared it back"
        case .live: "Edited together with \(title)"
        case .stopped: "\(title) shares it no longer"
        }
    }
}

extension Presentation {
    /// Who each shared note is shared with.
    var namesOfPartners: [NoteID: [String]] {
        var names: [NoteID: [String]] = [:]
        for room in rooms { for note in room.sharedNotes.own { names[note, default: []].append(room.title) } }
        return names
    }
}
