import AppCore
import Testing

/// Two people come to trust each other: each says so once, in whatever order.
@Suite struct TrustTests {
    @Test func aMemberIsWhoeverBothSaidItOf() throws {
        var stage = try Stage()
        let room = try stage.roomThatKnows()
        try stage.circle(.trustPeer(room: room, name: "Ann K."))
        guard case .deliver(room, _, .trust, _)? = stage.effects.first else {
            Issue.record("the peer is not told")
            return
        }
        #expect(stage.state.rooms[room]?.name == "Ann K.")
        #expect(stage.state.rooms[room]?.isMember == false)
        #expect(stage.state.rooms[room]?.messages.isEmpty == true, "what is said to the machine is no message")
        try stage.receive(room, "t", .trust)
        #expect(stage.state.rooms[room]?.isMember == true)
        #expect(stage.state.rooms[room]?.messages.last?.body == .becameMember)
    }

    @Test func trustThatIsSaidAgainGivesAName() throws {
        var stage = try Stage()
        let room = try stage.roomThatKnows()
        try stage.circle(.trustPeer(room: room, name: nil))
        try stage.circle(.trustPeer(room: room, name: "Ann"))
        #expect(stage.state.rooms[room]?.name == "Ann")
        #expect(stage.effects.isEmpty, "the other one is not told twice")
        try stage.receive(room, "t", .trust)
        try stage.circle(.trustPeer(room: room, name: "Ann K."))
        #expect(stage.state.rooms[room]?.name == "Ann K." && stage.state.rooms[room]?.isMember == true)
        try stage.circle(.trustPeer(room: room, name: nil))
        #expect(stage.state.rooms[room]?.name == "Ann K.")
    }

    @Test func theOtherOrderAndAtOnceLeadToTheSame() throws {
        var stage = try Stage()
        let room = try stage.roomThatKnows()
        try stage.receive(room, "t", .trust)
        #expect(stage.state.rooms[room]?.isMember == false, "nobody gets into a circle by saying so")
        try stage.tap("chat.offer.accept")
        #expect(stage.state.rooms[room]?.isMember == true)
        try stage.receive(room, "t2", .trust, sequence: 2)
        #expect(stage.state.rooms[room]?.messages.all.count { $0.body == .becameMember } == 1)
    }

    @Test(arguments: [Verification.unverified, .verified]) func onlyWhoeverIsKnownForCertainCanBeTrusted(
        outcome: Verification
    ) throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks(outcome)
        try stage.circle(.trustPeer(room: room, name: nil))
        #expect(stage.effects.isEmpty, "who they are is not known yet")
        #expect(stage.text.contains("verify each other first"))
        try stage.introduce(room)
        try stage.circle(.trustPeer(room: room, name: nil))
        #expect(stage.asked(\.isDelivery) == (outcome == .verified))
        guard outcome == .unverified else { return }
        try stage.chat(.compareSafetyNumber(room: room, matches: true))
        try stage.circle(.trustPeer(room: room, name: nil))
        #expect(stage.asked(\.isDelivery))
    }

    @Test func nobodyIsTrustedWhoIsNotThere() throws {
        var stage = try Stage()
        let room = try stage.roomThatKnows()
        try stage.event(.linkChanged(effect: try stage.waiting(\.isLink), link: .waitingForPeer, path: nil))
        try stage.circle(.trustPeer(room: room, name: nil))
        #expect(stage.state.rooms[room]?.trustGiven == nil)
    }

    @Test func anOfferCanBeLeftUnansweredAndAnsweredLater() throws {
        var stage = try Stage()
        let room = try stage.roomThatKnows()
        try stage.receive(room, "t", .trust)
        try stage.tap("chat.offer.decline")
        #expect(stage.tree.find("chat.offer") == nil)
        #expect(stage.effects.isEmpty, "the peer is not told")
        try stage.restart()
        #expect(stage.state.rooms[room]?.trustDeclined != nil)
        try stage.rooms(.openRoom(room: room))
        try stage.connect()
        try stage.circle(.trustPeer(room: room, name: nil))
        #expect(stage.state.rooms[room]?.isMember == false, "who is there now has not been shown yet")
        try stage.introduce(room)
        try stage.circle(.trustPeer(room: room, name: nil))
        #expect(stage.state.rooms[room]?.isMember == true, "both have said it")
    }

    @Test func trustThatCannotBeDeliveredIsTakenBack() throws {
        var stage = try Stage()
        let room = try stage.roomThatKnows()
        try stage.circle(.trustPeer(room: room, name: nil))
        try stage.fail(try stage.waiting(\.isDelivery), Failure(.timeout, retryable: true))
        #expect(stage.state.rooms[room]?.trustGiven != nil, "it is tried again")
        try stage.fail(try stage.waiting(\.isDelivery), Failure(.messageTooLarge))
        #expect(stage.state.rooms[room]?.trustGiven == nil)
        #expect(stage.text.contains("did not reach the other person"))
        try stage.circle(.trustPeer(room: room, name: nil))
        #expect(stage.asked(\.isDelivery))
    }

    @Test func trustIsSaidAlsoByTheNextProcess() throws {
        var stage = try Stage()
        let room = try stage.roomThatKnows()
        try stage.circle(.trustPeer(room: room, name: nil))
        let delivery = try stage.waiting(\.isDelivery)
        try stage.restart()
        #expect(stage.open.contains { $0.id == delivery })
        try stage.event(.acknowledged(effect: delivery))
        #expect(stage.state.rooms[room]?.trustGiven != nil)
    }

    // MARK: - Identities

    @Test func aTrustedIdentityIsNotExchanged() throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.event(.identityKnown(room: room, fingerprint: "wolf", safetyNumber: "1"))
        #expect(stage.state.rooms[room]?.identity?.fingerprint == "fox-1")
        #expect(stage.text.contains("The other machine is not the one you trust"))
        try stage.event(.identityKnown(room: room, fingerprint: "fox-1", safetyNumber: "24680 13579"))
        #expect(stage.outcome.changes.isEmpty)
    }

    @Test func anIdentityWhoseTrustWasEndedIsRefusedInEveryRoom() throws {
        var stage = try Stage()
        try stage.circle(.revokeTrust(room: try stage.member(), reason: nil))
        let room = try stage.roomThatTalks()
        try stage.introduce(room, as: "fox-1")
        #expect(stage.state.rooms[room]?.status == .closed)
        #expect(stage.state.rooms[room]?.failure?.code == .trustRevoked)
        #expect(stage.open.contains { if case .leaveRoom = $0.kind { true } else { false } })
        let other = try stage.roomThatTalks()
        try stage.introduce(other, as: "fox-2")
        try stage.circle(.trustPeer(room: other, name: nil))
        #expect(stage.state.rooms[other]?.trustGiven != nil, "a new meeting is a new beginning")
    }

    @Test func identitiesOfForeignLengthAreCut() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        let long = String(repeating: "x", count: 100_000)
        try stage.event(.identityKnown(room: room, fingerprint: long, safetyNumber: long))
        #expect(stage.state.rooms[room]?.identity?.fingerprint.utf8.count == CircleLimits.identityBytes)
    }
}
