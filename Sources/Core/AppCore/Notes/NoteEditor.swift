/// A note that is on the screen of one or more views.
package struct NoteEditor: Sendable, Hashable, Codable {
    package let note: NoteID
    /// The ``Effect/Kind/readNote(note:)`` under which the host tells the text.
    package var effect: EffectID?
    /// As it is now, with everybody's changes; `nil` until the host has told it.
    package var text: ShownText?
    /// How often the text changed since this person began to write.
    package var remoteChanges = 0
    /// Whether the last save went together with changes of others.
    package var isMerged = false
    package var failure: Failure?
}

/// The whole text of a note as Markdown, in parts by who wrote them.
package struct ShownText: Sendable, Hashable, Codable {
    /// Names this state of the note: the host finds it again, also after a restart.
    package var revision: String
    package var spans: [NoteSpan]
    /// Whether the note is longer than ``NotebookLimits/textBytes``: then this is its beginning, and it is not edited here.
    package var isCut: Bool

    init(revision: String, spans: [NoteSpan]) {
        self.revision = revision
        self.spans = []
        isCut = false
        var left = NotebookLimits.textBytes
        for span in spans where !span.text.isEmpty {
            let text = span.text.limited(to: left)
            left -= text.utf8.count
            isCut = isCut || text.utf8.count < span.text.utf8.count
            let author = span.author.map { $0.withoutControls.limited(to: NotebookLimits.titleBytes) }
            if let last = self.spans.indices.last,
                self.spans[last].author == author || self.spans.count == NotebookLimits.spans
            {
                self.spans[last].text += text
            } else if !text.isEmpty {
                self.spans.append(NoteSpan(text: text, author: author))
            }
            if isCut { return }
        }
    }

    package var string: String { spans.map(\.text).joined() }
}

/// A part of a note that one person wrote.
package struct NoteSpan: Sendable, Hashable, Codable {
    package var text: String
    /// The name that the author goes by; `nil` for this person.
    package var author: String?

    package init(text: String, author: String? = nil) {
        self.text = text
        self.author = author
    }
}

/// What a person wrote in a note and the note does not say yet. The encoded form is the durable record.
package struct NoteDraft: Sendable, Hashable, Codable {
    package let note: NoteID
    /// The state of the note that was on the screen when the person began.
    package var base: String
    /// The whole note as the person wants it, as Markdown.
    package var text: String
    /// The save that is under way.
    package var saving: Saving?
    /// Why the last save did not work out.
    package var failure: Failure?

    package struct Saving: Sendable, Hashable, Codable {
        package var effect: EffectID
        package var text: String
    }

    /// The effect that saves it.
    var write: Effect.Kind? { saving.map { .writeNote(note: note, base: base, text: $0.text) } }
}

extension Notebook {
    /// The unsaved text of a note.
    package func draft(of note: NoteID) -> NoteDraft? { drafts.first { $0.note == note } }

    /// The text of a note that some view shows.
    package func editor(of note: NoteID) -> NoteEditor? { editors.first { $0.note == note } }

    mutating func updateEditor(of note: NoteID, _ change: (inout NoteEditor) -> Void) {
        if let index = editors.firstIndex(where: { $0.note == note }) { change(&editors[index]) }
    }

    func draftIndex(of note: NoteID) -> Int? { drafts.firstIndex { $0.note == note } }

    /// Whether the text of a note that is shown can be changed here.
    package func canEdit(_ note: NoteID) -> Bool {
        guard let text = editor(of: note)?.text, !text.isCut else { return false }
        // One that is gone is read-only, like one in the trash.
        return list[note].map { !$0.deleted && $0.problem == nil } ?? !isListed
    }
}
