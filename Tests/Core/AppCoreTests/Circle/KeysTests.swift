import AppCore
import Catalogues
import Testing

/// One-time keys, messages that none of them opens, and messages that are carried by hand.
@Suite struct KeysTests {
    @Test(arguments: [(KeyState.Level.enough, nil), (.low, "Few one-time keys"), (.lastResort, "last-resort key")])
    func whatIsLeftIsSaid(level: KeyState.Level, text: String?) throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.event(.keysChanged(room: room, ours: -1, theirs: 7, epoch: .min, level: level))
        #expect((driver.tree.find("chat.keys")?.label.english.contains(text ?? "nothing") ?? false) == (text != nil))
        #expect(driver.state.rooms[room]?.live.keys == KeyState(ours: 0, theirs: 7, epoch: 0, level: level))
    }

    @Test func keysAreRenewedOnceAtATime() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.circle(.renewKeys(room: room))
        #expect(driver.effects == [.renewKeys(room: room)])
        try driver.circle(.renewKeys(room: room))
        #expect(driver.effects.isEmpty)
        try driver.fail(try driver.waiting(\.isRenewal), Failure(.peerTimeout, retryable: true))
        #expect(driver.text.contains("did not answer"))
        try driver.circle(.renewKeys(room: room))
        try driver.event(.effectDone(effect: try driver.waiting(\.isRenewal)))
        #expect(driver.state.rooms[room]?.live.renewEffect == nil)
    }

    @Test func theLastResortShowsOnTheMessage() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        for (number, seal) in [Seal.oneTime, .lastResort].enumerated() {
            try driver.event(
                .messageReceived(
                    room: room, message: MessageID("m\(number)"), sequence: 200 + UInt64(number), sentAt: driver.now,
                    body: .text("hi"), seal: seal))
        }
        #expect(driver.tree.find("message.m0")?.detail == nil)
        #expect(driver.tree.find("message.m1")?.detail?.english.contains("last-resort") == true)
        try driver.restart()
        #expect(driver.state.rooms[room]?.messages["m1"]?.seal == .lastResort)
    }

    @Test func eachReasonIsToldOnceAndAllAreCounted() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        for reason in Failure.Code.allCases + [.forged, .forged, .replayed] {
            try driver.event(.sealedRefused(room: room, reason: reason))
        }
        let refusals = try #require(driver.state.rooms[room]?.live.refusals)
        #expect(Set(refusals.counts.keys) == [.forged, .replayed, .keyReused, .unknownKey, .unreadable])
        #expect(refusals.counts[.forged] == 3)
        for notice in driver.state.notices { try driver.app(.dismissNotice(notice: notice.id)) }
        try driver.event(.sealedRefused(room: room, reason: .forged))
        #expect(driver.state.notices.isEmpty)
        #expect(driver.tree.find("chat.refused")?.label.english.contains("4 not from this person") == true)
    }

    // MARK: - By hand

    @Test func aMessageIsSealedIntoAFile() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.circle(.sealByHand(room: room, text: "by hand \n"))
        let message = try #require(driver.state.rooms[room]?.messages.last)
        #expect(
            driver.effects == [
                .sealByHand(room: room, message: message.id, body: .text("by hand"), sentAt: driver.now)
            ])
        let seal = try driver.waiting(\.isSealing)
        try driver.event(.sealedByHand(effect: seal, handle: "letter.ntdf"))
        #expect(driver.state.rooms[room]?.messages[message.id]?.status == .carried)
        #expect(driver.disk["message/\(room)/\(message.id)"]?.contains("letter.ntdf") == true)
        try driver.event(.receipts(room: room, messages: [message.id]))
        #expect(driver.state.rooms[room]?.messages[message.id]?.status == .read)
    }

    @Test func whatCannotBeSealedFailsAndIsSealedAgain() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.circle(.sealByHand(room: room, text: "x"))
        try driver.fail(try driver.waiting(\.isSealing), Failure(.noKeys))
        let message = try #require(driver.state.rooms[room]?.messages.last)
        #expect(message.failure?.code == .noKeys)
        try driver.tap("message.\(message.id).retry")
        #expect(driver.asked(\.isSealing))
        try driver.event(.effectDone(effect: try driver.waiting(\.isSealing)))
        #expect(driver.state.rooms[room]?.messages.last?.status == .failed, "done without a file")
    }

    @Test(arguments: [Failure.Code.noKeys, .storageFailed]) func whatIsNotSealedNowIsNotSealedLater(
        code: Failure.Code
    ) throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.circle(.sealByHand(room: room, text: "x"))
        try driver.fail(try driver.waiting(\.isSealing), Failure(code, retryable: true))
        #expect(driver.state.rooms[room]?.messages.last?.failure?.code == code)
        #expect(!driver.open.contains { $0.kind.isSealing })
        try driver.restart()
        #expect(!driver.open.contains { $0.kind.isSealing })
    }

    @Test func whatAProcessLeftUnsealedHasFailedAndCanBeTriedAgain() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.circle(.sealByHand(room: room, text: "x"))
        let message = try #require(driver.state.rooms[room]?.messages.last)
        try driver.restart()
        #expect(!driver.open.contains { $0.kind.isSealing })
        #expect(driver.state.rooms[room]?.messages.last?.status == .failed)
        #expect(driver.disk["message/\(room)/\(message.id)"]?.contains("failed") == true)
        try driver.circle(.sealByHand(room: room, text: "y"))
        #expect(driver.state.rooms[room]?.messages[message.id]?.status == .failed)
    }

    @Test func withoutKeysNothingIsSealed() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.circle(.sealByHand(room: room, text: "x"))
        #expect(driver.effects.isEmpty)
        #expect(driver.text.contains("no key to seal with"))
    }

    @Test func whatIsNotSealedIsSaidAndComesBack() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.circle(.sealByHand(room: room, text: " \n"))
        #expect(driver.text.contains("nothing to seal"))
        let long = String(repeating: "x", count: 65_537)
        try driver.circle(.sealByHand(room: room, text: long))
        #expect(driver.text.contains("longer than 64 KiB"))
        #expect(driver.draft(in: room) == long)
        try driver.circle(.revokeTrust(room: room, reason: nil))
        try driver.circle(.sealByHand(room: room, text: "x"))
        #expect(!driver.asked(\.isSealing))
        #expect(driver.state.notices.last?.sentence.contains("The trust between you has ended") == true)
    }

    @Test func aCarriedMessageIsStoredBeforeItsKeyGoes() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.circle(.openByHand(handle: "f"))
        try driver.circle(.openByHand(handle: "f"))
        #expect(driver.effects.isEmpty, "once at a time")
        let opened = { (effect: EffectID, room: RoomID, body: Body) in
            Event.openedByHand(
                effect: effect, room: room, message: "c", sentAt: driver.now, body: body, seal: .oneTime)
        }
        try driver.event(opened(try driver.waiting(\.isOpening), room, .text("carried")))
        #expect(driver.effects.contains(.acknowledgeByHand(room: room, message: "c")))
        #expect(driver.outcome.changes.contains(.message(room, "c")), "in the commit that carries the effect")
        try driver.circle(.openByHand(handle: "f"))
        try driver.event(opened(try driver.waiting(\.isOpening), room, .text("carried")))
        #expect(driver.state.rooms[room]?.messages.all.count { $0.id == "c" } == 1)
        #expect(driver.effects == [.acknowledgeByHand(room: room, message: "c")])
    }

    @Test(arguments: [Body.trust, .lifetimeProposal(.oneHour), .becameMember, .peerLeft]) func onlyWordsAreCarried(
        body: Body
    ) throws {
        var driver = try TestDriver()
        let room = try driver.roomThatKnows()
        try driver.circle(.openByHand(handle: "f"))
        let before = driver.state.rooms
        try driver.event(
            .openedByHand(
                effect: try driver.waiting(\.isOpening), room: room, message: "c", sentAt: driver.now, body: body,
                seal: nil))
        #expect(driver.state.rooms == before)
    }

    @Test(arguments: [
        (Failure.Code.forged, "not from this person"), (.replayed, "opened before"), (.unknownKey, "no longer here"),
        (.keyReused, "another message had used already"), (.unreadable, "was damaged"),
        (.trustRevoked, "trust between you has ended"),
    ]) func whatCannotBeOpenedSaysWhy(code: Failure.Code, text: String) throws {
        var driver = try TestDriver()
        try driver.circle(.openByHand(handle: "f"))
        try driver.fail(try driver.waiting(\.isOpening), Failure(code))
        #expect(driver.text.contains(text))
    }

    @Test func nothingIsStoredInARoomThatIsOver() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.circle(.revokeTrust(room: room, reason: nil))
        try driver.circle(.openByHand(handle: "f"))
        try driver.event(
            .openedByHand(
                effect: try driver.waiting(\.isOpening), room: room, message: "c", sentAt: driver.now, body: .text("x"),
                seal: nil))
        #expect(driver.effects.isEmpty, "not acknowledged")
        #expect(driver.state.rooms[room]?.messages["c"] == nil)
    }
}
