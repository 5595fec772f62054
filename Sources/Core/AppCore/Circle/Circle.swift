/// What is left of trust that has ended. People who are trusted now are rooms: see ``Room/isMember``.
public struct Circle: Sendable, Hashable, AddedLater {
    /// By the room that the trust was in. They stay until everything is erased.
    public internal(set) var tombstones: [RoomID: Tombstone] = [:]

    public init() {}

    /// In the order in which they came to be.
    public var inOrder: [Tombstone] { tombstones.values.sorted { ($0.revokedAt, $0.id) < ($1.revokedAt, $1.id) } }

    /// The tombstone of an identity; nobody is trusted under it again.
    func tombstone(of fingerprint: String) -> Tombstone? {
        tombstones.isEmpty ? nil : tombstones.values.first { $0.fingerprint == fingerprint }
    }
}

/// The end of the trust in one person: their keys are destroyed, and are never taken again.
public struct Tombstone: Sendable, Hashable, Codable, Identifiable {
    /// The room that the trust was in.
    public let id: RoomID
    /// What this person called the other one.
    public var name: String
    /// The identity that is refused from now on; `nil` if it was never learnt.
    public var fingerprint: String?
    public var revokedAt: Timestamp
    public var by: Party
    /// Why, in this person's words; it stays on this device.
    public var reason: String?
}

/// One of the two people of a room.
public enum Party: String, Sendable, Hashable, Codable, CaseIterable {
    /// The person at this device.
    case own
    case peer
}

/// Bounds that the circle keeps.
public enum CircleLimits {
    /// With so many tombstones nobody new is trusted.
    public static let tombstones = 10_000
    /// Milliseconds that are spent in one place looking for a member: at random in between, so that two machines that
    /// look in turns do not miss each other for ever.
    public static let patience: ClosedRange<Int64> = 15_000...30_000
    /// Milliseconds between the end of a link, or of a search that failed, and the next search, when nobody says otherwise.
    public static let pause: Int64 = 5000
    /// Bytes of UTF-8 of a reason for a revocation.
    public static let reasonBytes = 256
    /// Bytes of what is shown of an identity: its fingerprint, its safety number.
    public static let identityBytes = 256
    /// Bytes of the name of a sealed file.
    public static let handleBytes = 4096
    /// Refused messages that are counted for each reason.
    public static let refusals = 1_000_000
}

extension Circle: Codable {
    public init(from decoder: any Decoder) throws {
        for tombstone in try decoder.singleValueContainer().decode([Tombstone].self) {
            tombstones[tombstone.id] = tombstone
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(inOrder)
    }
}
