/// The notes that the two people of a room edit together. Part of the room's record.
package struct SharedNotes: Sendable, Hashable, AddedLater {
    /// Notes that this person shares.
    package var own: [NoteID] = []
    /// Notes that the other one shares, and that are here too without being shared back.
    package var offered: [NoteID] = []

    package init() {}

    /// Forgets a note; false if there was nothing to forget.
    mutating func remove(_ note: NoteID) -> Bool {
        guard own.contains(note) || offered.contains(note) else { return false }
        own.removeAll { $0 == note }
        offered.removeAll { $0 == note }
        return true
    }
}

/// A note that is shared over a link that stands.
package struct NoteShare: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// The other person has not shared it back.
        case offered
        /// What one writes, the other one sees.
        case live
        /// The other person shares it no longer.
        case stopped
    }

    package let note: NoteID
    /// The ``Effect/Kind/shareNote(room:note:)`` that lasts; `nil` once it has failed.
    package var effect: EffectID?
    package var state = State.offered
    package var failure: Failure?
}

/// The shares of a room's link.
package struct NoteShares: Sendable, Hashable, AddedLater {
    package private(set) var all: [NoteShare] = []

    package init() {}

    package subscript(note: NoteID) -> NoteShare? { all.first { $0.note == note } }

    mutating func put(_ share: NoteShare) {
        if let index = all.firstIndex(where: { $0.note == share.note }) {
            all[index] = share
        } else {
            all.append(share)
        }
    }

    @discardableResult mutating func remove(_ note: NoteID) -> NoteShare? {
        all.firstIndex { $0.note == note }.map { all.remove(at: $0) }
    }
}

/// That one of the two shares a note: what the line in the chat says.
package struct SharedNoteLine: Sendable, Hashable, Codable {
    package enum Outcome: String, Sendable, Hashable, Codable {
        /// Not live before the other side shares it too.
        case offered
        /// It was new here, and is live.
        case adopted
    }

    package var note: NoteID
    package var title: String
    package var by: Party
    package var outcome: Outcome
}
