import AppCore
import Catalogues
import Testing

/// Members find each other without a code.
@Suite struct MeetingTests {
    @Test(arguments: [Failure.Code.roomGone, .codeUnknown, .peerGone, .roomFull, .codeSpent])
    func noServerEndsTheRoomOfAMember(code: Failure.Code) throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.fail(try driver.waiting(\.isLink), Failure(code))
        #expect(driver.state.rooms[room]?.status == .accepted)
        #expect(!driver.asked(\.isMeeting), "there is a pause")
        try driver.pass(seconds: 6)
        #expect(driver.asked(\.isMeeting))
    }

    @Test func aMeetingGivesTheRoomANewPlace() throws {
        var driver = try TestDriver()
        let room = try driver.memberWhoWasMet()
        let address = try #require(driver.state.rooms[room]?.address)
        #expect(address.role == .joiner && address.device == "device-2" && address.serverRoom == "meeting-1")
        #expect(address.code == nil, "a code finds the first place only")
        #expect(driver.state.rooms[room]?.isTalking == true)
        try driver.restart(active: false)
        #expect(driver.state.rooms[room]?.address == address)
    }

    @Test func whoeverWasMetIsLookedForWithoutALimit() throws {
        var driver = try TestDriver()
        let room = try driver.memberWhoWasMet()
        try driver.restart()
        let address = try #require(driver.state.rooms[room]?.address)
        #expect(driver.effects.contains(.meet(address: address, limit: nil)))
        try driver.meet(at: "meeting-2")
        #expect(driver.asked(\.isLink))
        #expect(driver.state.rooms[room]?.serverRoom == "meeting-2")
    }

    @Test func aMemberWhoWasNeverMetIsLookedForInBothPlacesInTurns() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.restart()
        for _ in 0..<3 {
            guard case .meet(_, let limit?) = driver.open.map(\.kind).first(where: \.isMeeting) else {
                Issue.record("the search has no limit")
                return
            }
            #expect(CircleLimits.patience.contains(limit))
            try driver.fail(try driver.waiting(\.isMeeting), Failure(.peerTimeout, retryable: true))
            #expect(driver.asked(\.isLink))
            try driver.event(.linkChanged(effect: try driver.waiting(\.isLink), link: .waitingForPeer, path: nil))
            try driver.pass(seconds: 14)
            #expect(driver.state.rooms[room]?.live.linkEffect != nil)
            try driver.pass(seconds: 17)
            #expect(driver.state.rooms[room]?.live.linkEffect == nil)
            #expect(driver.effects.contains(.closeLink(room: room)))
        }
    }

    @Test func aLinkThatStandsIsNotGivenUp() throws {
        var driver = try TestDriver()
        let room = try driver.memberWhoWasMet()
        try driver.pass(seconds: 600)
        #expect(driver.state.rooms[room]?.isTalking == true)
        try driver.event(.linkChanged(effect: try driver.waiting(\.isLink), link: .reconnecting, path: nil))
        try driver.pass(seconds: 10)
        try driver.event(.linkChanged(effect: try driver.waiting(\.isLink), link: .connected, path: .direct))
        try driver.pass(seconds: 600)
        #expect(driver.state.rooms[room]?.isTalking == true)
    }

    @Test func aMemberWhoGoesAwayIsLookedForWithoutThePersonDoingAnything() throws {
        var driver = try TestDriver()
        let room = try driver.memberWhoWasMet()
        try driver.chat(.sendText(room: room, text: "see you"))
        try driver.event(.linkChanged(effect: try driver.waiting(\.isLink), link: .waitingForPeer, path: nil))
        try driver.pass(seconds: 31)
        #expect(driver.asked(\.isMeeting))
        #expect(driver.state.rooms[room]?.messages.last?.status == .pending, "it waits in the outbox")
        #expect(driver.tree.find("chat.status")?.label.english == "Looking for the other person")
    }

    @Test func strangersAtThePlaceDoNotSpendTheTrust() throws {
        var driver = try TestDriver()
        let room = try driver.memberWhoWasMet()
        try driver.event(
            .verificationChanged(effect: try driver.waiting(\.isLink), outcome: .failed, safetyNumber: nil))
        #expect(driver.state.rooms[room]?.isMember == true)
        #expect(driver.effects.contains(.closeLink(room: room)))
        #expect(driver.text.contains("not the one you trust"))
        try driver.pass(seconds: 31)
        #expect(driver.asked(\.isMeeting))
        try driver.meet(at: "meeting-3")
        try driver.fail(try driver.waiting(\.isLink), Failure(.wordsMismatch))
        #expect(driver.state.rooms[room]?.status == .accepted)
        #expect(driver.state.notices.contains { $0.room == room && $0.kind == .problem })
        try driver.pass(seconds: 31)
        #expect(driver.asked(\.isMeeting))
    }

    @Test func leavingEndsTheSearch() throws {
        var driver = try TestDriver()
        let room = try driver.memberWhoWasMet()
        try driver.restart()
        let search = try driver.waiting(\.isMeeting)
        try driver.rooms(.leaveRoom(room: room))
        #expect(driver.effects == [.stopMeeting(room: room)])
        try driver.event(.memberMet(effect: search, role: .creator, device: "d", serverRoom: "late"))
        #expect(driver.state.rooms[room]?.serverRoom == "meeting-1", "too late")
        try driver.pass(seconds: 600)
        #expect(!driver.asked(\.isMeeting))
        try driver.rooms(.openRoom(room: room))
        #expect(driver.asked(\.isMeeting))
    }

    @Test func aSearchThatFailsIsTakenUpAgain() throws {
        var driver = try TestDriver()
        _ = try driver.memberWhoWasMet()
        try driver.restart()
        try driver.fail(
            try driver.waiting(\.isMeeting), Failure(.serverUnreachable, retryable: true, retryAfter: 60_000))
        try driver.pass(seconds: 59)
        #expect(!driver.asked(\.isMeeting))
        try driver.pass(seconds: 2)
        #expect(driver.asked(\.isMeeting))
        try driver.fail(try driver.waiting(\.isMeeting), Failure(.trustRevoked))
        #expect(driver.state.rooms.first?.status == .revoked, "the host knows what the last process did not save")
        #expect(driver.state.rooms.first?.revokedBy == .peer)
    }

    @Test func aMemberIsSearchedForOnlyWhileUnlocked() throws {
        var driver = try TestDriver()
        let room = try driver.memberWhoWasMet()
        try driver.restart()
        try driver.app(.setPassphrase(passphrase: "p", current: nil))
        try driver.event(
            .effectDone(effect: try driver.waiting { if case .setPassphrase = $0 { true } else { false } }))
        let search = try driver.waiting(\.isMeeting)
        try driver.app(.lock)
        #expect(driver.effects.contains(.stopMeeting(room: room)))
        try driver.event(.memberMet(effect: search, role: .creator, device: "d", serverRoom: "late"))
        #expect(driver.effects.isEmpty && driver.state.rooms.isEmpty)
    }
}
