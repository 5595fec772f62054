import AppCore

/// What the world knows about trust and keys.
struct CircleWorld: Sendable {
    private var people: [RoomID: WorldPerson] = [:]
    /// Files with sealed messages that somebody carried here, by their handles.
    var files: [String: CarriedFile] = [:]

    subscript(id: RoomID) -> WorldPerson { people[id] ?? WorldPerson() }

    mutating func update(_ id: RoomID, _ change: (inout WorldPerson) -> Void) {
        change(&people[id, default: WorldPerson()])
    }

    mutating func remove(_ id: RoomID) { people[id] = nil }

    /// Searches end with the process; declarations of trust remain.
    mutating func processEnded() { for id in people.keys { update(id) { $0.meeting = nil } } }
}

/// The trust and the keys of the other person in one room.
struct WorldPerson: Sendable {
    /// The search of this side.
    var meeting: EffectID?
    /// Whether the peer has said that this side is in its circle.
    var trusts = false
    /// Whether one of the two has ended the trust.
    var isRevoked = false
    /// Keys of the peer that this side has left; `nil` until the two have met.
    var keys: Int?
    var epoch = 1
}

/// A message that somebody carried here.
struct CarriedFile: Sendable {
    var room: RoomID
    var message: MessageID
    var sentAt: Timestamp
    var body: Body
    var seal: Seal
    var isOpened = false
}
