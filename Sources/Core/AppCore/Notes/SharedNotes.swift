/// The notes that the two people of a room edit together. Part of the room's record.
public struct SharedNotes: Sendable, Hashable, AddedLater {
    /// Notes that this person shares.
    public var own: [NoteID] = []
    /// Notes that the other one shares, and that are here too without being shared back.
    public var offered: [NoteID] = []

    public init() {}

    /// Forgets a note; false if there was nothing to forget.
    mutating func remove(_ note: NoteID) -> Bool {
        guard own.contains(note) || offered.contains(note) else { return false }
        own.removeAll { $0 == note }
        offered.removeAll { $0 == note }
        return true
    }
}

/// A note that is shared over a link that stands.
public struct NoteShare: Sendable, Hashable, Codable {
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// The other person has not shared it back.
        case offered
        /// What one writes, the other one sees.
        case live
        /// The other person shares it no longer.
        case stopped
    }

    public let note: NoteID
    /// The ``Effect/Kind/shareNote(room:note:)`` that lasts; `nil` once it has failed.
    public var effect: EffectID?
    public var state = State.offered
    public var failure: Failure?
}

/// The shares of a room's link.
public struct NoteShares: Sendable, Hashable, AddedLater {
    public private(set) var all: [NoteShare] = []

    public init() {}

    public subscript(note: NoteID) -> NoteShare? { all.first { $0.note == note } }

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
public struct SharedNoteLine: Sendable, Hashable, Codable {
    public enum Outcome: String, Sendable, Hashable, Codable {
        /// Not live before the other side shares it too.
        case offered
        /// It was new here, and is live.
        case adopted
    }

    public var note: NoteID
    public var title: String
    public var by: Party
    public var outcome: Outcome
}
