import AppCore
import Testing

/// Two sides that differ for a moment about what they are to each other still come together, in one place or the other.
@Suite struct SeekingTests {
    /// What each side knows of the other.
    enum Knowledge: CaseIterable {
        /// Has said it, and does not know that the other one has too: sits in the old room.
        case trusts
        case isMember
        /// Has heard of the last meeting.
        case hasMet
    }

    static let pairs: [(Knowledge, Knowledge)] = [
        (.isMember, .trusts), (.isMember, .isMember), (.hasMet, .isMember), (.hasMet, .hasMet),
    ]

    @Test(arguments: pairs, Array(1...12) as [UInt64])
    func theyFindEachOther(_ pair: (Knowledge, Knowledge), seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var sides = [try Seeker(pair.0, seed: seed), try Seeker(pair.1, seed: seed + 100)]
        // One of them begins up to a minute later.
        try sides[0].pass(seconds: Int64.random(in: 0...60, using: &random))
        for second in 0..<900 {
            for side in [0, 1] { try sides[side].pass(seconds: 1) }
            if sides.compactMap(\.meeting).count == 2 {
                for side in [0, 1] { try sides[side].meet(at: ServerRoomID("meeting-\(second)"), isFirst: side == 0) }
            }
            if let place = sides[0].place, place == sides[1].place { return }
        }
        Issue.record("they did not find each other in a quarter of an hour")
    }
}

/// One side, before the other side is present.
private struct Seeker {
    private var driver: TestDriver
    private let room: RoomID

    init(_ knowledge: SeekingTests.Knowledge, seed: UInt64) throws {
        driver = try TestDriver(seed: seed)
        switch knowledge {
        case .trusts:
            room = try driver.roomThatKnows()
            try driver.circle(.trustPeer(room: room, name: nil))
        case .isMember: room = try driver.member()
        case .hasMet: room = try driver.memberWhoWasMet()
        }
        try driver.restart()
    }

    /// Where its link waits.
    var place: ServerRoomID? {
        driver.open.lazy.compactMap {
            if case .openLink(let address, _, _) = $0.kind { address.serverRoom } else { nil }
        }
        .first
    }

    var meeting: EffectID? { driver.open.first(where: { $0.kind.isMeeting })?.id }

    /// The world lets searches run out, as it was asked to.
    private var deadline: (effect: EffectID, at: Timestamp)?

    mutating func pass(seconds: Int64) throws {
        try driver.pass(seconds: seconds)
        for effect in driver.open {
            if case .meet(_, let limit?) = effect.kind, deadline?.effect != effect.id {
                deadline = (effect.id, driver.now.advanced(byMilliseconds: limit))
            }
        }
        guard let (effect, at) = deadline, at <= driver.now, driver.open.contains(where: { $0.id == effect }) else {
            return
        }
        try driver.fail(effect, Failure(.peerTimeout, retryable: true))
    }

    mutating func meet(at place: ServerRoomID, isFirst: Bool) throws {
        guard let meeting else { return }
        try driver.event(
            .memberMet(
                effect: meeting, role: isFirst ? .creator : .joiner, device: isFirst ? "d-1" : "d-2", serverRoom: place)
        )
    }
}
