/// Where somebody is in a note: the ends of a selection, as its document spells places. Opaque here.
package struct NoteCursor: Sendable, Equatable {
    package let note: String
    package let anchor: [UInt8]
    package let head: [UInt8]

    /// One without both ends, or with one that is too long, is nowhere.
    package init(note: String, anchor: [UInt8], head: [UInt8]) {
        let isSomewhere =
            !anchor.isEmpty && !head.isEmpty && max(anchor.count, head.count) <= NoteLimits.place
        self.note = note
        self.anchor = isSomewhere ? anchor : []
        self.head = isSomewhere ? head : []
    }

    /// Whether the person is in the note at all.
    package var isSomewhere: Bool { !anchor.isEmpty }
}
