/// What is left of trust that has ended. People who are trusted now are rooms: see ``Room/isMember``.
package struct Circle: Sendable, Hashable, AddedLater {
    /// By the room that the trust was in. They stay until everything is erased.
    package internal(set) var tombstones: [RoomID: Tombstone] = [:]

    package init() {}

    /// In the order in which they came to be.
    package var inOrder: [Tombstone] { tombstones.values.sorted { ($0.revokedAt, $0.id) < ($1.revokedAt, $1.id) } }

    /// The tombstone of an identity, which is never trusted again.
    func tombstone(of fingerprint: String) -> Tombstone? {
        tombstones.isEmpty ? nil : tombstones.values.first { $0.fingerprint == fingerprint }
    }
}

/// The end of the trust in one person: their keys are destroyed, and are never taken again.
package struct Tombstone: Sendable, Hashable, Codable, Identifiable {
    /// The room that the trust was in.
    package let id: RoomID
    /// What this person called the other one.
    package var name: String
    /// The identity that is refused from now on; `nil` if it was never learnt.
    package var fingerprint: String?
    package var revokedAt: Timestamp
    package var by: Party
    /// Why, in this person's words; it stays on this device.
    package var reason: String?
}

/// One of the two people of a room.
package enum Party: String, Sendable, Hashable, Codable, CaseIterable {
    /// The person at this device.
    case own
    case peer
}

/// Bounds that the circle keeps.
package enum CircleLimits {
    /// With so many tombstones, no new person is trusted.
    package static let tombstones = 10_000
    /// Milliseconds that are spent in one place looking for a member: at random in between, so that two machines that
    /// look in turns do not miss each other for ever.
    package static let patience: ClosedRange<Int64> = 15_000...30_000
    /// Milliseconds between the end of a link, or of a search that failed, and the next search, unless a failure names another time.
    package static let pause: Int64 = 5000
    /// Bytes of UTF-8 of a reason for a revocation.
    package static let reasonBytes = 256
    /// Bytes of what is shown of an identity: its fingerprint, its safety number.
    package static let identityBytes = 256
    /// Bytes of the name of a sealed file.
    package static let handleBytes = 4096
    /// Refused messages that are counted for each reason.
    package static let refusals = 1_000_000
}

extension Circle: Codable {
    package init(from decoder: any Decoder) throws {
        for tombstone in try decoder.singleValueContainer().decode([Tombstone].self) {
            tombstones[tombstone.id] = tombstone
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(inOrder)
    }
}
