import AppCore
import Testing

/// Two people come to trust each other: each says so once, in whatever order.
@Suite struct TrustTests {
    @Test func aMemberIsWhoeverBothSaidItOf() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatKnows()
        try driver.circle(.trustPeer(room: room, name: "Ann K."))
        guard case .deliver(room, _, .trust, _)? = driver.effects.first else {
            Issue.record("the peer is not told")
            return
        }
        #expect(driver.state.rooms[room]?.name == "Ann K.")
        #expect(driver.state.rooms[room]?.isMember == false)
        #expect(driver.state.rooms[room]?.messages.isEmpty == true, "what is said to the machine is no message")
        try driver.receive(room, "t", .trust)
        #expect(driver.state.rooms[room]?.isMember == true)
        #expect(driver.state.rooms[room]?.messages.last?.body == .becameMember)
    }

    @Test func trustThatIsSaidAgainGivesAName() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatKnows()
        try driver.circle(.trustPeer(room: room, name: nil))
        try driver.circle(.trustPeer(room: room, name: "Ann"))
        #expect(driver.state.rooms[room]?.name == "Ann")
        #expect(driver.effects.isEmpty, "the other one is not told twice")
        try driver.receive(room, "t", .trust)
        try driver.circle(.trustPeer(room: room, name: "Ann K."))
        #expect(driver.state.rooms[room]?.name == "Ann K." && driver.state.rooms[room]?.isMember == true)
        try driver.circle(.trustPeer(room: room, name: nil))
        #expect(driver.state.rooms[room]?.name == "Ann K.")
    }

    @Test func theOtherOrderAndAtOnceLeadToTheSame() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatKnows()
        try driver.receive(room, "t", .trust)
        #expect(driver.state.rooms[room]?.isMember == false, "nobody gets into a circle by saying so")
        try driver.tap("chat.offer.accept")
        #expect(driver.state.rooms[room]?.isMember == true)
        try driver.receive(room, "t2", .trust, sequence: 2)
        #expect(driver.state.rooms[room]?.messages.all.count { $0.body == .becameMember } == 1)
    }

    @Test(arguments: [Verification.unverified, .verified]) func onlyWhoeverIsKnownForCertainCanBeTrusted(
        outcome: Verification
    ) throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks(outcome)
        try driver.circle(.trustPeer(room: room, name: nil))
        #expect(driver.effects.isEmpty, "who they are is not known yet")
        #expect(driver.text.contains("verify each other first"))
        try driver.introduce(room)
        try driver.circle(.trustPeer(room: room, name: nil))
        #expect(driver.asked(\.isDelivery) == (outcome == .verified))
        guard outcome == .unverified else { return }
        try driver.chat(.compareSafetyNumber(room: room, matches: true))
        try driver.circle(.trustPeer(room: room, name: nil))
        #expect(driver.asked(\.isDelivery))
    }

    @Test func nobodyIsTrustedWhoIsNotThere() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatKnows()
        try driver.event(.linkChanged(effect: try driver.waiting(\.isLink), link: .waitingForPeer, path: nil))
        try driver.circle(.trustPeer(room: room, name: nil))
        #expect(driver.state.rooms[room]?.trustGiven == nil)
    }

    @Test func anOfferCanBeLeftUnansweredAndAnsweredLater() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatKnows()
        try driver.receive(room, "t", .trust)
        try driver.tap("chat.offer.decline")
        #expect(driver.tree.find("chat.offer") == nil)
        #expect(driver.effects.isEmpty, "the peer is not told")
        try driver.restart()
        #expect(driver.state.rooms[room]?.trustDeclined != nil)
        try driver.rooms(.openRoom(room: room))
        try driver.connect()
        try driver.circle(.trustPeer(room: room, name: nil))
        #expect(driver.state.rooms[room]?.isMember == false, "who is there now has not been shown yet")
        try driver.introduce(room)
        try driver.circle(.trustPeer(room: room, name: nil))
        #expect(driver.state.rooms[room]?.isMember == true, "both have said it")
    }

    @Test func trustThatCannotBeDeliveredIsTakenBack() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatKnows()
        try driver.circle(.trustPeer(room: room, name: nil))
        try driver.fail(try driver.waiting(\.isDelivery), Failure(.timeout, retryable: true))
        #expect(driver.state.rooms[room]?.trustGiven != nil, "it is tried again")
        try driver.fail(try driver.waiting(\.isDelivery), Failure(.messageTooLarge))
        #expect(driver.state.rooms[room]?.trustGiven == nil)
        #expect(driver.text.contains("did not reach the other person"))
        try driver.circle(.trustPeer(room: room, name: nil))
        #expect(driver.asked(\.isDelivery))
    }

    @Test func trustIsSaidAlsoByTheNextProcess() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatKnows()
        try driver.circle(.trustPeer(room: room, name: nil))
        let delivery = try driver.waiting(\.isDelivery)
        try driver.restart()
        #expect(driver.open.contains { $0.id == delivery })
        try driver.event(.acknowledged(effect: delivery))
        #expect(driver.state.rooms[room]?.trustGiven != nil)
    }

    // MARK: - Identities

    @Test func aTrustedIdentityIsNotExchanged() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.event(.identityKnown(room: room, fingerprint: "wolf", safetyNumber: "1"))
        #expect(driver.state.rooms[room]?.identity?.fingerprint == "fox-1")
        #expect(driver.text.contains("The other machine is not the one you trust"))
        try driver.event(.identityKnown(room: room, fingerprint: "fox-1", safetyNumber: "24680 13579"))
        #expect(driver.outcome.changes.isEmpty)
    }

    @Test func anIdentityWhoseTrustWasEndedIsRefusedInEveryRoom() throws {
        var driver = try TestDriver()
        try driver.circle(.revokeTrust(room: try driver.member(), reason: nil))
        let room = try driver.roomThatTalks()
        try driver.introduce(room, as: "fox-1")
        #expect(driver.state.rooms[room]?.status == .closed)
        #expect(driver.state.rooms[room]?.failure?.code == .trustRevoked)
        #expect(driver.open.contains { if case .leaveRoom = $0.kind { true } else { false } })
        let other = try driver.roomThatTalks()
        try driver.introduce(other, as: "fox-2")
        try driver.circle(.trustPeer(room: other, name: nil))
        #expect(driver.state.rooms[other]?.trustGiven != nil, "a new meeting is a new beginning")
    }

    @Test func identitiesOfForeignLengthAreCut() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        let long = String(repeating: "x", count: 100_000)
        try driver.event(.identityKnown(room: room, fingerprint: long, safetyNumber: long))
        #expect(driver.state.rooms[room]?.identity?.fingerprint.utf8.count == CircleLimits.identityBytes)
    }
}
