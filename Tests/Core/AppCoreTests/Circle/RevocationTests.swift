import AppCore
import Testing

/// How trust ends, and that it does not return.
@Suite struct RevocationTests {
    @Test func endingTrustIsAskedAboutFirstAndThenHappensAtOnce() throws {
        var driver = try TestDriver()
        let room = try driver.memberWhoWasMet()
        try driver.chat(.sendText(room: room, text: "waits"))
        let address = try #require(driver.state.rooms[room]?.address)
        try driver.app(.navigate(to: Screen(.member, room: room)))
        try driver.tap("member.revoke")
        #expect(driver.effects.isEmpty)
        #expect(driver.text.contains("keys of both directions are destroyed"))
        try driver.tap("revoke.confirm")
        #expect(driver.effects == [.revokeTrust(address: address, reason: nil)])
        #expect(driver.state.rooms[room]?.status == .revoked)
        #expect(driver.state.rooms[room]?.revokedBy == .own)
        #expect(driver.state.rooms[room]?.messages.last?.failure?.code == .trustRevoked, "what waited is given up")
        #expect(driver.disk["tombstone/\(room)"]?.contains("fox-1") == true)
        #expect(driver.tree.id == "member")
    }

    @Test func thePeersNoticeEndsItOnThisSide() throws {
        var driver = try TestDriver()
        let room = try driver.memberWhoWasMet()
        try driver.event(.trustRevoked(room: room))
        #expect(driver.state.rooms[room]?.revokedBy == .peer)
        #expect(driver.asked(\.isLeave))
        #expect(!driver.asked(\.isRevocation), "the host has done its part")
        try driver.event(.trustRevoked(room: room))
        #expect(driver.effects.isEmpty)
        #expect(driver.state.circle.tombstones.count == 1)
    }

    @Test func aPeerThatDeletesTheRoomEndsTheTrust() throws {
        var driver = try TestDriver()
        let room = try driver.memberWhoWasMet()
        try driver.event(.peerLeft(room: room, forever: false))
        #expect(driver.state.rooms[room]?.isMember == true)
        try driver.event(.peerLeft(room: room, forever: true))
        #expect(driver.state.rooms[room]?.status == .revoked)
        #expect(driver.asked(\.isRevocation), "no notice came: the keys are still here")
    }

    @Test func safetyNumbersThatDifferEndTheTrust() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.chat(.compareSafetyNumber(room: room, matches: false))
        #expect(driver.state.rooms[room]?.status == .revoked)
        #expect(driver.asked(\.isRevocation))
    }

    @Test func nothingThatIsDoneInARevokedRoomDoesAnything() throws {
        var driver = try TestDriver()
        let room = try driver.memberWhoWasMet()
        try driver.chat(.sendText(room: room, text: "before"))
        let message = try #require(driver.state.rooms[room]?.messages.last?.id)
        try driver.circle(.revokeTrust(room: room, reason: nil))
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
            .event(.messageReceived(room: room, message: "m", sequence: 9, sentAt: driver.now, body: .text("x"))),
            .event(.messageReceived(room: room, message: "t", sequence: 10, sentAt: driver.now, body: .trust)),
            .event(.peerLeft(room: room, forever: true)),
        ]
        let (rooms, circle) = (driver.state.rooms, driver.state.circle)
        for action in actions {
            try driver.dispatch(action)
            #expect(driver.effects.isEmpty, "\(action)")
            #expect(driver.state.rooms == rooms && driver.state.circle == circle, "\(action)")
        }
        for _ in 0..<3 {
            try driver.restart()
            try driver.rooms(.openRoom(room: room))
            try driver.pass(seconds: 3600)
            #expect(!driver.asked(\.isMeeting) && !driver.asked(\.isLink))
        }
    }

    @Test func aRevocationUnderWayIsAskedForAgainByTheNextProcess() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.circle(.revokeTrust(room: room, reason: "moved away"))
        let revocation = try driver.waiting(\.isRevocation)
        try driver.fail(revocation, Failure(.serverUnreachable, retryable: true))
        try driver.restart()
        #expect(driver.open.contains { $0.id == revocation && $0.kind.isRevocation })
        #expect(driver.state.circle.tombstones[room]?.reason == "moved away")
        try driver.event(.effectDone(effect: revocation))
        #expect(driver.disk["effect/\(revocation.number)"] == nil)
    }

    @Test func deletingAMemberEndsTheTrustFirst() throws {
        var driver = try TestDriver()
        let room = try driver.memberWhoWasMet()
        try driver.rooms(.deleteRoom(room: room))
        #expect(driver.asked(\.isRevocation) && !driver.asked(\.isDeletion))
        #expect(driver.state.rooms.isEmpty && driver.state.circle.tombstones[room] != nil)
        try driver.restart()
        try driver.event(.effectDone(effect: try driver.waiting(\.isRevocation)))
        #expect(driver.asked(\.isDeletion))
        #expect(driver.state.circle.tombstones[room] != nil)
    }

    @Test func aRevokedRoomThatIsDeletedWaitsForItsRevocation() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.circle(.revokeTrust(room: room, reason: nil))
        try driver.rooms(.clearClosed)
        #expect(!driver.asked(\.isDeletion))
        try driver.fail(try driver.waiting(\.isRevocation), Failure(.other))
        #expect(driver.asked(\.isDeletion))
    }

    @Test func tombstonesGoOnlyWithEverything() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        let line = "Ann\u{202E}\n" + String(repeating: "x", count: 1000)
        try driver.circle(.revokeTrust(room: room, reason: line))
        #expect(driver.state.circle.tombstones[room]?.reason?.utf8.count == CircleLimits.reasonBytes)
        try driver.rooms(.deleteRoom(room: room))
        try driver.rooms(.clearClosed)
        try driver.restart()
        #expect(driver.state.circle.tombstones.count == 1)
        try driver.app(.eraseAll)
        #expect(driver.state.circle.tombstones.isEmpty)
        #expect(!driver.disk.keys.contains { $0.hasPrefix("tombstone/") })
    }

    @Test func aLockedStateKnowsNobody() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.circle(.revokeTrust(room: room, reason: nil))
        try driver.app(.setPassphrase(passphrase: "p", current: nil))
        try driver.event(
            .effectDone(effect: try driver.waiting { if case .setPassphrase = $0 { true } else { false } }))
        let saved = driver.disk
        try driver.app(.lock)
        #expect(try !String(decoding: JSON.encode(driver.state), as: UTF8.self).contains("fox-1"))
        #expect(throws: RecordError.self) { try driver.core.record(for: .tombstone(room)) }
        try driver.circle(.openByHand(handle: "x"))
        #expect(driver.effects.isEmpty)
        #expect(driver.disk["tombstone/\(room)"] == saved["tombstone/\(room)"])
        try driver.app(.unlock(passphrase: "p"))
        let unlock = try driver.waiting { if case .unlock = $0 { true } else { false } }
        try driver.event(.vaultUnlocked(effect: unlock, records: driver.records { _ in true }))
        #expect(driver.state.circle.tombstones[room] != nil)
        #expect(driver.asked(\.isRevocation), "it is asked for again")
    }
}
