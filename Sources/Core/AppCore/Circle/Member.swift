// A member of the circle is a room whose two people trust each other: it outlives its code and its place on the server.

/// The identity that a person's machine seals with, in one room and nowhere else.
package struct PeerIdentity: Sendable, Hashable, Codable {
    /// Names the peer's identity key.
    package var fingerprint: String
    /// 60 digits in 12 groups, made of both identity keys: the same on both machines, for as long as they keep them.
    package var safetyNumber: String
}

/// How many one-time keys are left in a room.
package struct KeyState: Sendable, Hashable, Codable {
    package enum Level: String, Sendable, Hashable, Codable, CaseIterable {
        case enough
        /// Below a tenth: new ones come while the two are connected.
        case low
        /// None: messages are sealed with a key that is used more than once.
        case lastResort = "last_resort"
    }

    /// Keys of this side that the peer can still seal with.
    package var ours: Int
    /// Keys of the peer that this side can still seal with.
    package var theirs: Int
    /// Counts the pools of keys that the peer has made.
    package var epoch: Int
    package var level: Level

    package init(ours: Int, theirs: Int, epoch: Int, level: Level) {
        self.ours = ours
        self.theirs = theirs
        self.epoch = epoch
        self.level = level
    }
}

/// Which kind of key a message was sealed with.
package enum Seal: String, Sendable, Hashable, Codable, CaseIterable {
    /// A key for this message alone.
    case oneTime = "one_time"
    /// The key for when no other is left: a thief who finds it can open every message that was sealed with it.
    case lastResort = "last_resort"
}

/// How many sealed messages could not be opened, by reason.
package struct Refusals: Sendable, Hashable, AddedLater {
    package private(set) var counts: [Failure.Code: Int] = [:]

    package init() {}

    package var isEmpty: Bool { counts.isEmpty }

    /// Counts one, up to ``CircleLimits/refusals``; true for the first one of its reason.
    mutating func add(_ reason: Failure.Code) -> Bool {
        let count = counts[reason] ?? 0
        counts[reason] = min(count + 1, CircleLimits.refusals)
        return count == 0
    }

    /// By the names of the reasons.
    var inOrder: [(reason: Failure.Code, count: Int)] {
        counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    }

    private struct Count: Codable {
        var reason: Failure.Code
        var count: Int
    }

    package init(from decoder: any Decoder) throws {
        for entry in try decoder.singleValueContainer().decode([Count].self) { counts[entry.reason] = entry.count }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(inOrder.map { Count(reason: $0.reason, count: $0.count) })
    }
}

extension Room {
    /// Whether the two people are in each other's circle.
    package var isMember: Bool { trustGiven != nil && trustReceived != nil && status != .revoked }

    /// Whether they have found each other once without a code.
    package var hasMet: Bool { metAt != nil }

    /// Whether this person knows for certain who is at the other end now.
    var isVerified: Bool {
        isTalking && (live.verification == .verified || live.comparison == true)
    }

    /// Whether this person can say that the other one is in their circle: the identity that is trusted was shown over the
    /// very connection that is verified, not over an earlier one.
    package var canTrust: Bool {
        status == .accepted && trustGiven == nil && identity != nil && live.introducedOver != nil && isVerified
    }

    /// Whether there is trust to end.
    package var canRevoke: Bool { trustGiven != nil && status != .revoked }

    /// Whether the other person waits for an answer to their trust.
    var hasOffer: Bool { status == .accepted && trustReceived != nil && trustGiven == nil && trustDeclined == nil }

    /// Whether both sides can make new keys now: only a peer that has introduced itself on this connection can be asked.
    package var canRenewKeys: Bool { isTalking && live.introducedOver != nil && live.renewEffect == nil }

    /// Whether a message can be sealed into a file: the keys of the other side are here.
    var canSealByHand: Bool { canWrite && identity != nil }
}
