/// What a view shows of a note besides its text: its history, a look at an earlier state, and the comment that is being written.
package struct NoteInspector: Sendable, Hashable, AddedLater {
    /// Whether the view shows what is around its notes.
    package internal(set) var isOpen = false
    /// The note that all the following is about.
    package internal(set) var note: NoteID?
    /// The ``Effect/Kind/listVersions(note:)`` that is under way.
    package internal(set) var listing: EffectID?
    /// The newest last; `nil` until somebody asked for them.
    package internal(set) var versions: [NoteVersion]?
    package internal(set) var shown: ShownVersion?
    /// What the next comment is about, and what it says.
    package internal(set) var quoteForm = ""
    /// Which of several places with these words was selected; `nil` if they were typed.
    package internal(set) var quotePlace: Int?
    package internal(set) var commentForm = ""
    /// Why what stands there came back; `nil` if the person typed it.
    package internal(set) var unsent: Words?

    package init() {}

    /// What waits for an answer.
    var effects: [EffectID] { [listing, shown?.effect].compactMap(\.self) }

    /// The same, open or not, about no note yet.
    func emptied(for note: NoteID?) -> NoteInspector {
        var inspector = NoteInspector()
        inspector.isOpen = isOpen
        inspector.note = note
        return inspector
    }
}

/// A look at an earlier state of a note.
package struct ShownVersion: Sendable, Hashable, Codable {
    /// ``NoteVersion/end`` of it.
    package let at: Timestamp
    /// The ``Effect/Kind/readVersion(note:at:)`` that is under way.
    package var effect: EffectID?
    /// `nil` until the host has told it.
    package var text: String?
    /// Whether it is longer than what is shown.
    package var isCut = false
    /// Whether the person is asked if the note is really to say this again.
    package var isAsking = false
}
