import AppCore
import Testing

/// Members find each other without a code.
@Suite struct MeetingTests {
    @Test(arguments: [Failure.Code.roomGone, .codeUnknown, .peerGone, .roomFull, .codeSpent])
    func noServerEndsTheRoomOfAMember(code: Failure.Code) throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.fail(try stage.waiting(\.isLink), Failure(code))
        #expect(stage.state.rooms[room]?.status == .accepted)
        #expect(!stage.asked(\.isMeeting), "there is a pause")
        try stage.pass(seconds: 6)
        #expect(stage.asked(\.isMeeting))
    }

    @Test func aMeetingGivesTheRoomANewPlace() throws {
        var stage = try Stage()
        let room = try stage.memberWhoWasMet()
        let address = try #require(stage.state.rooms[room]?.address)
        #expect(address.role == .joiner && address.device == "device-2" && address.serverRoom == "meeting-1")
        #expect(address.code == nil, "a code finds the first place only")
        #expect(stage.state.rooms[room]?.isTalking == true)
        try stage.restart(active: false)
        #expect(stage.state.rooms[room]?.address == address)
    }

    @Test func whoeverWasMetIsLookedForWithoutALimit() throws {
        var stage = try Stage()
        let room = try stage.memberWhoWasMet()
        try stage.restart()
        let address = try #require(stage.state.rooms[room]?.address)
        #expect(stage.effects.contains(.meet(address: address, limit: nil)))
        try stage.meet(at: "meeting-2")
        #expect(stage.asked(\.isLink))
        #expect(stage.state.rooms[room]?.serverRoom == "meeting-2")
    }

    @Test func aMemberWhoWasNeverMetIsLookedForInBothPlacesInTurns() throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.restart()
        for _ in 0..<3 {
            guard case .meet(_, let limit?) = stage.open.map(\.kind).first(where: \.isMeeting) else {
                Issue.record("the search has no limit")
                return
            }
            #expect(CircleLimits.patience.contains(limit))
            try stage.fail(try stage.waiting(\.isMeeting), Failure(.peerTimeout, retryable: true))
            #expect(stage.asked(\.isLink))
            try stage.event(.linkChanged(effect: try stage.waiting(\.isLink), link: .waitingForPeer, path: nil))
            try stage.pass(seconds: 14)
            #expect(stage.state.rooms[room]?.live.linkEffect != nil)
            try stage.pass(seconds: 17)
            #expect(stage.state.rooms[room]?.live.linkEffect == nil)
            #expect(stage.effects.contains(.closeLink(room: room)))
        }
    }

    @Test func aLinkThatStandsIsNotGivenUp() throws {
        var stage = try Stage()
        let room = try stage.memberWhoWasMet()
        try stage.pass(seconds: 600)
        #expect(stage.state.rooms[room]?.isTalking == true)
        try stage.event(.linkChanged(effect: try stage.waiting(\.isLink), link: .reconnecting, path: nil))
        try stage.pass(seconds: 10)
        try stage.event(.linkChanged(effect: try stage.waiting(\.isLink), link: .connected, path: .direct))
        try stage.pass(seconds: 600)
        #expect(stage.state.rooms[room]?.isTalking == true)
    }

    @Test func aMemberWhoGoesAwayIsLookedForWithoutThePersonDoingAnything() throws {
        var stage = try Stage()
        let room = try stage.memberWhoWasMet()
        try stage.chat(.sendText(room: room, text: "see you"))
        try stage.event(.linkChanged(effect: try stage.waiting(\.isLink), link: .waitingForPeer, path: nil))
        try stage.pass(seconds: 31)
        #expect(stage.asked(\.isMeeting))
        #expect(stage.state.rooms[room]?.messages.last?.status == .pending, "it waits in the outbox")
        #expect(stage.tree.find("chat.status")?.label == "Looking for the other person")
    }

    @Test func strangersAtThePlaceDoNotSpendTheTrust() throws {
        var stage = try Stage()
        let room = try stage.memberWhoWasMet()
        try stage.event(
            .verificationChanged(effect: try stage.waiting(\.isLink), outcome: .failed, safetyNumber: nil))
        #expect(stage.state.rooms[room]?.isMember == true)
        #expect(stage.effects.contains(.closeLink(room: room)))
        #expect(stage.text.contains("not the one you trust"))
        try stage.pass(seconds: 31)
        #expect(stage.asked(\.isMeeting))
        try stage.meet(at: "meeting-3")
        try stage.fail(try stage.waiting(\.isLink), Failure(.wordsMismatch))
        #expect(stage.state.rooms[room]?.status == .accepted)
        #expect(stage.state.notices.contains { $0.room == room && $0.kind == .problem })
        try stage.pass(seconds: 31)
        #expect(stage.asked(\.isMeeting))
    }

    @Test func leavingEndsTheSearch() throws {
        var stage = try Stage()
        let room = try stage.memberWhoWasMet()
        try stage.restart()
        let search = try stage.waiting(\.isMeeting)
        try stage.rooms(.leaveRoom(room: room))
        #expect(stage.effects == [.stopMeeting(room: room)])
        try stage.event(.memberMet(effect: search, role: .creator, device: "d", serverRoom: "late"))
        #expect(stage.state.rooms[room]?.serverRoom == "meeting-1", "too late")
        try stage.pass(seconds: 600)
        #expect(!stage.asked(\.isMeeting))
        try stage.rooms(.openRoom(room: room))
        #expect(stage.asked(\.isMeeting))
    }

    @Test func aSearchThatFailsIsTakenUpAgain() throws {
        var stage = try Stage()
        _ = try stage.memberWhoWasMet()
        try stage.restart()
        try stage.fail(
            try stage.waiting(\.isMeeting), Failure(.serverUnreachable, retryable: true, retryAfter: 60_000))
        try stage.pass(seconds: 59)
        #expect(!stage.asked(\.isMeeting))
        try stage.pass(seconds: 2)
        #expect(stage.asked(\.isMeeting))
        try stage.fail(try stage.waiting(\.isMeeting), Failure(.trustRevoked))
        #expect(stage.state.rooms.first?.status == .revoked, "the wing knows what the last process did not save")
        #expect(stage.state.rooms.first?.revokedBy == .peer)
    }

    @Test func aMemberIsSearchedForOnlyWhileUnlocked() throws {
        var stage = try Stage()
        let room = try stage.memberWhoWasMet()
        try stage.restart()
        try stage.app(.setPassphrase(passphrase: "p", current: nil))
        try stage.event(.effectDone(effect: try stage.waiting { if case .setPassphrase = $0 { true } else { false } }))
        let search = try stage.waiting(\.isMeeting)
        try stage.app(.lock)
        #expect(stage.effects.contains(.stopMeeting(room: room)))
        try stage.event(.memberMet(effect: search, role: .creator, device: "d", serverRoom: "late"))
        #expect(stage.effects.isEmpty && stage.state.rooms.isEmpty)
    }
}
