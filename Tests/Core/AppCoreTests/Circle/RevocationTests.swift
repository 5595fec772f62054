import AppCore
import Testing

/// How trust ends, and that it stays ended.
@Suite struct RevocationTests {
    @Test func endingTrustIsAskedAboutFirstAndThenHappensAtOnce() throws {
        var stage = try Stage()
        let room = try stage.memberWhoWasMet()
        try stage.chat(.sendText(room: room, text: "waits"))
        let address = try #require(stage.state.rooms[room]?.address)
        try stage.app(.navigate(to: Screen(.member, room: room)))
        try stage.tap("member.revoke")
        #expect(stage.effects.isEmpty)
        #expect(stage.text.contains("keys of both directions are destroyed"))
        try stage.tap("revoke.confirm")
        #expect(stage.effects == [.revokeTrust(address: address, reason: nil)])
        #expect(stage.state.rooms[room]?.status == .revoked)
        #expect(stage.state.rooms[room]?.revokedBy == .own)
        #expect(stage.state.rooms[room]?.messages.last?.failure?.code == .trustRevoked, "what waited is given up")
        #expect(stage.disk["tombstone/\(room)"]?.contains("fox-1") == true)
        #expect(stage.tree.id == "member")
    }

    @Test func thePeersNoticeEndsItOnThisSide() throws {
        var stage = try Stage()
        let room = try stage.memberWhoWasMet()
        try stage.event(.trustRevoked(room: room))
        #expect(stage.state.rooms[room]?.revokedBy == .peer)
        #expect(stage.asked(\.isLeave))
        #expect(!stage.asked(\.isRevocation), "the wing has done its part")
        try stage.event(.trustRevoked(room: room))
        #expect(stage.effects.isEmpty)
        #expect(stage.state.circle.tombstones.count == 1)
    }

    @Test func aPeerThatDeletesTheRoomEndsTheTrust() throws {
        var stage = try Stage()
        let room = try stage.memberWhoWasMet()
        try stage.event(.peerLeft(room: room, forever: false))
        #expect(stage.state.rooms[room]?.isMember == true)
        try stage.event(.peerLeft(room: room, forever: true))
        #expect(stage.state.rooms[room]?.status == .revoked)
        #expect(stage.asked(\.isRevocation), "no notice came: the keys are still here")
    }

    @Test func safetyNumbersThatDifferEndTheTrust() throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.chat(.compareSafetyNumber(room: room, matches: false))
        #expect(stage.state.rooms[room]?.status == .revoked)
        #expect(stage.asked(\.isRevocation))
    }

    @Test func nothingThatIsDoneInARevokedRoomDoesAnything() throws {
        var stage = try Stage()
        let room = try stage.memberWhoWasMet()
        try stage.chat(.sendText(room: room, text: "before"))
        let message = try #require(stage.state.rooms[room]?.messages.last?.id)
        try stage.circle(.revokeTrust(room: room, reason: nil))
        let actions: [Action] = [
            .chat(.sendText(room: room, text: "x")), .chat(.setDraft(room: room, text: "x")),
            .chat(.setTyping(room: room, on: true)), .chat(.retryMessage(room: room, message: message)),
            .chat(.proposeLifetime(room: room, lifetime: .oneHour)), .circle(.trustPeer(room: room, name: "Eve")),
            .circle(.renewKeys(room: room)), .circle(.revokeTrust(room: room, reason: "again")),
            .circle(.sealByHand(room: room, text: "x")), .circle(.declineTrust(room: room)),
            .rooms(.retryRoom(room: room)), .rooms(.leaveRoom(room: room)),
            .event(.identityKnown(room: room, fingerprint: "wolf", safetyNumber: "1")),
            .event(.keysChanged(room: room, ours: 1, theirs: 1, epoch: 9, level: .enough)),
            .event(.trustRevoked(room: room)), .event(.sealedRefused(room: room, reason: .forged)),
            .event(.messageReceived(room: room, message: "m", sequence: 9, sentAt: stage.now, body: .text("x"))),
            .event(.messageReceived(room: room, message: "t", sequence: 10, sentAt: stage.now, body: .trust)),
            .event(.peerLeft(room: room, forever: true)),
        ]
        let (rooms, circle) = (stage.state.rooms, stage.state.circle)
        for action in actions {
            try stage.dispatch(action)
            #expect(stage.effects.isEmpty, "\(action)")
            #expect(stage.state.rooms == rooms && stage.state.circle == circle, "\(action)")
        }
        for _ in 0..<3 {
            try stage.restart()
            try stage.rooms(.openRoom(room: room))
            try stage.pass(seconds: 3600)
            #expect(!stage.asked(\.isMeeting) && !stage.asked(\.isLink))
        }
    }

    @Test func aRevocationUnderWayIsAskedForAgainByTheNextProcess() throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.circle(.revokeTrust(room: room, reason: "moved away"))
        let revocation = try stage.waiting(\.isRevocation)
        try stage.fail(revocation, Failure(.serverUnreachable, retryable: true))
        try stage.restart()
        #expect(stage.open.contains { $0.id == revocation && $0.kind.isRevocation })
        #expect(stage.state.circle.tombstones[room]?.reason == "moved away")
        try stage.event(.effectDone(effect: revocation))
        #expect(stage.disk["effect/\(revocation.number)"] == nil)
    }

    @Test func deletingAMemberEndsTheTrustFirst() throws {
        var stage = try Stage()
        let room = try stage.memberWhoWasMet()
        try stage.rooms(.deleteRoom(room: room))
        #expect(stage.asked(\.isRevocation) && !stage.asked(\.isDeletion))
        #expect(stage.state.rooms.isEmpty && stage.state.circle.tombstones[room] != nil)
        try stage.restart()
        try stage.event(.effectDone(effect: try stage.waiting(\.isRevocation)))
        #expect(stage.asked(\.isDeletion))
        #expect(stage.state.circle.tombstones[room] != nil)
    }

    @Test func aRevokedRoomThatIsDeletedWaitsForItsRevocation() throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.circle(.revokeTrust(room: room, reason: nil))
        try stage.rooms(.clearClosed)
        #expect(!stage.asked(\.isDeletion))
        try stage.fail(try stage.waiting(\.isRevocation), Failure(.other))
        #expect(stage.asked(\.isDeletion))
    }

    @Test func tombstonesGoOnlyWithEverything() throws {
        var stage = try Stage()
        let room = try stage.member()
        let line = "Ann\u{202E}\n" + String(repeating: "x", count: 1000)
        try stage.circle(.revokeTrust(room: room, reason: line))
        #expect(stage.state.circle.tombstones[room]?.reason?.utf8.count == CircleLimits.reasonBytes)
        try stage.rooms(.deleteRoom(room: room))
        try stage.rooms(.clearClosed)
        try stage.restart()
        #expect(stage.state.circle.tombstones.count == 1)
        try stage.app(.eraseAll)
        #expect(stage.state.circle.tombstones.isEmpty)
        #expect(!stage.disk.keys.contains { $0.hasPrefix("tombstone/") })
    }

    @Test func aLockedStateKnowsNobody() throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.circle(.revokeTrust(room: room, reason: nil))
        try stage.app(.setPassphrase(passphrase: "p", current: nil))
        try stage.event(.effectDone(effect: try stage.waiting { if case .setPassphrase = $0 { true } else { false } }))
        let saved = stage.disk
        try stage.app(.lock)
        #expect(try !String(decoding: JSON.encode(stage.state), as: UTF8.self).contains("fox-1"))
        #expect(throws: RecordError.self) { try stage.core.record(for: .tombstone(room)) }
        try stage.circle(.openByHand(handle: "x"))
        #expect(stage.effects.isEmpty)
        #expect(stage.disk["tombstone/\(room)"] == saved["tombstone/\(room)"])
        try stage.app(.unlock(passphrase: "p"))
        let unlock = try stage.waiting { if case .unlock = $0 { true } else { false } }
        try stage.event(.vaultUnlocked(effect: unlock, records: stage.records { _ in true }))
        #expect(stage.state.circle.tombstones[room] != nil)
        #expect(stage.asked(\.isRevocation), "it is asked for again")
    }
}
