import AppCore
import Testing

extension TestDriver {
    mutating func notes(_ action: NoteAction) throws { try dispatch(.notes(action)) }

    /// Notes are open, and these are in the folder.
    mutating func listNotes(_ notes: [ListedNote] = [.groceries, .plans], folders: [ListedFolder] = .some) throws {
        try self.notes(.openNotes)
        try event(.notesListed(effect: try waiting(\.opensNotes), notes: notes, folders: folders))
    }

    mutating func changeNotes(_ notes: [ListedNote] = [], removed: [NoteID] = []) throws {
        try event(.notesChanged(effect: try waiting(\.opensNotes), notes: notes, removed: removed))
    }

    mutating func tellText(_ revision: String, _ spans: NoteSpan...) throws {
        try event(.noteText(effect: try waiting(\.isReading), revision: revision, spans: spans))
    }

    /// The groceries are on the screen, in state `r1`.
    mutating func openGroceries() throws {
        if !state.notes.isListed { try listNotes() }
        try notes(.openNote(note: "groceries"))
        try tellText("r1", NoteSpan(text: "Groceries\n\nMilk"))
    }

    /// Something was written in them.
    mutating func writeGroceries(_ text: String = "Groceries\n\nMilk, bread") throws {
        try openGroceries()
        try notes(.editNote(text: text))
    }

    /// The save that is under way, and what it writes.
    func write() throws -> (effect: EffectID, base: String, text: String) {
        let effect = try waiting(\.isWriting)
        guard case .writeNote(_, let base, let text)? = state.pendingEffects[effect] else { return (effect, "", "") }
        return (effect, base, text)
    }

    var draft: NoteDraft? { state.notes.draft(of: "groceries") }
}

extension ListedNote {
    static let groceries = ListedNote(
        id: "groceries", title: "Groceries", preview: "Milk", folder: "home", created: .init(milliseconds: 1),
        modified: .init(milliseconds: 5), tags: ["shop"])
    static let plans = ListedNote(
        id: "plans", title: "Plans", created: .init(milliseconds: 2), modified: .init(milliseconds: 9))

    func with(_ change: (inout ListedNote) -> Void) -> ListedNote {
        var note = self
        change(&note)
        return note
    }
}

extension [ListedFolder] {
    static let some = [
        ListedFolder(id: "home", name: "Household"), ListedFolder(id: "cellar", name: "Cellar", parent: "home"),
    ]
}

extension Effect.Kind {
    var opensNotes: Bool { self == .openNotes }
    var isReading: Bool { if case .readNote = self { true } else { false } }
    var isWriting: Bool { if case .writeNote = self { true } else { false } }
    var isSearching: Bool { if case .searchNotes = self { true } else { false } }
    var isSharing: Bool { if case .shareNote = self { true } else { false } }
    var isAppend: Bool { if case .appendToNote = self { true } else { false } }
}
