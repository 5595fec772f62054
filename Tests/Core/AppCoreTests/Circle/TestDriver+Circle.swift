import AppCore
import Testing

extension TestDriver {
    mutating func circle(_ action: CircleAction) throws { try dispatch(.circle(action)) }

    /// Lets somebody tap what a node offers.
    mutating func tap(_ node: String) throws {
        try dispatch(try #require(tree.find(node)?.offers.first, "\(node) offers nothing").action)
    }

    /// The other side proves who it is, and keys are exchanged.
    mutating func introduce(_ room: RoomID, as fingerprint: String = "fox-1", keys: Int = 1000) throws {
        try event(.identityKnown(room: room, fingerprint: fingerprint, safetyNumber: "24680 13579"))
        try event(.keysChanged(room: room, ours: 1000, theirs: keys, epoch: 1, level: .enough))
    }

    /// A room in which both can talk, and each knows who the other is.
    mutating func roomThatKnows(_ outcome: Verification = .verified) throws -> RoomID {
        let room = try roomThatTalks(outcome)
        try introduce(room)
        return room
    }

    /// A room whose two people trust each other, and are connected.
    mutating func member() throws -> RoomID {
        let room = try roomThatKnows()
        try circle(.trustPeer(room: room, name: nil))
        try event(.acknowledged(effect: try waiting(\.isDelivery)))
        try receive(room, "peer-trust", .trust, sequence: 100)
        return room
    }

    /// A member who was found without a code once, and is connected.
    mutating func memberWhoWasMet() throws -> RoomID {
        let room = try member()
        try fail(try waiting(\.isLink), Failure(.roomGone))
        try pass(seconds: 6)
        try meet()
        try connect()
        return room
    }

    /// The search that is under way finds the other side.
    mutating func meet(at place: ServerRoomID = "meeting-1") throws {
        try event(.memberMet(effect: try waiting(\.isMeeting), role: .joiner, device: "device-2", serverRoom: place))
    }
}

extension Effect.Kind {
    var isMeeting: Bool { if case .meet = self { true } else { false } }
    var isRevocation: Bool { if case .revokeTrust = self { true } else { false } }
    var isSealing: Bool { if case .sealByHand = self { true } else { false } }
    var isOpening: Bool { if case .openByHand = self { true } else { false } }
    var isRenewal: Bool { if case .renewKeys = self { true } else { false } }
    var isDeletion: Bool { if case .deleteRooms = self { true } else { false } }
}
