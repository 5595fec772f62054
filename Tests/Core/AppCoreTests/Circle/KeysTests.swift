import AppCore
import Testing

/// One-time keys, messages that none of them opens, and messages that are carried by hand.
@Suite struct KeysTests {
    @Test(arguments: [(KeyState.Level.enough, nil), (.low, "Few one-time keys"), (.lastResort, "last-resort key")])
    func whatIsLeftIsSaid(level: KeyState.Level, text: String?) throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.event(.keysChanged(room: room, ours: -1, theirs: 7, epoch: .min, level: level))
        #expect((stage.tree.find("chat.keys")?.label.contains(text ?? "nothing") ?? false) == (text != nil))
        #expect(stage.state.rooms[room]?.live.keys == KeyState(ours: 0, theirs: 7, epoch: 0, level: level))
    }

    @Test func keysAreRenewedOnceAtATime() throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.circle(.renewKeys(room: room))
        #expect(stage.effects == [.renewKeys(room: room)])
        try stage.circle(.renewKeys(room: room))
        #expect(stage.effects.isEmpty)
        try stage.fail(try stage.waiting(\.isRenewal), Failure(.peerTimeout, retryable: true))
        #expect(stage.text.contains("did not answer"))
        try stage.circle(.renewKeys(room: room))
        try stage.event(.effectDone(effect: try stage.waiting(\.isRenewal)))
        #expect(stage.state.rooms[room]?.live.renewEffect == nil)
    }

    @Test func theLastResortShowsOnTheMessage() throws {
        var stage = try Stage()
        let room = try stage.member()
        for (number, seal) in [Seal.oneTime, .lastResort].enumerated() {
            try stage.event(
                .messageReceived(
                    room: room, message: MessageID("m\(number)"), sequence: 200 + UInt64(number), sentAt: stage.now,
                    body: .text("hi"), seal: seal))
        }
        #expect(stage.tree.find("message.m0")?.detail == nil)
        #expect(stage.tree.find("message.m1")?.detail?.contains("last-resort") == true)
        try stage.restart()
        #expect(stage.state.rooms[room]?.messages["m1"]?.seal == .lastResort)
    }

    @Test func eachReasonIsToldOnceAndAllAreCounted() throws {
        var stage = try Stage()
        let room = try stage.member()
        for reason in Failure.Code.allCases + [.forged, .forged, .replayed] {
            try stage.event(.sealedRefused(room: room, reason: reason))
        }
        let refusals = try #require(stage.state.rooms[room]?.live.refusals)
        #expect(Set(refusals.counts.keys) == [.forged, .replayed, .keyReused, .unknownKey, .unreadable])
        #expect(refusals.counts[.forged] == 3)
        for notice in stage.state.notices { try stage.app(.dismissNotice(notice: notice.id)) }
        try stage.event(.sealedRefused(room: room, reason: .forged))
        #expect(stage.state.notices.isEmpty)
        #expect(stage.tree.find("chat.refused")?.label.contains("4 not from this person") == true)
    }

    // MARK: - By hand

    @Test func aMessageIsSealedIntoAFile() throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.circle(.sealByHand(room: room, text: "by hand \n"))
        let message = try #require(stage.state.rooms[room]?.messages.last)
        #expect(
            stage.effects == [
                .sealByHand(room: room, message: message.id, body: .text("by hand"), sentAt: stage.now)
            ])
        let seal = try stage.waiting(\.isSealing)
        try stage.event(.sealedByHand(effect: seal, handle: "letter.ntdf"))
        #expect(stage.state.rooms[room]?.messages[message.id]?.status == .carried)
        #expect(stage.disk["message/\(room)/\(message.id)"]?.contains("letter.ntdf") == true)
        try stage.event(.receipts(room: room, messages: [message.id]))
        #expect(stage.state.rooms[room]?.messages[message.id]?.status == .read)
    }

    @Test func whatCannotBeSealedFailsAndIsSealedAgain() throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.circle(.sealByHand(room: room, text: "x"))
        try stage.fail(try stage.waiting(\.isSealing), Failure(.noKeys))
        let message = try #require(stage.state.rooms[room]?.messages.last)
        #expect(message.failure?.code == .noKeys)
        try stage.tap("message.\(message.id).retry")
        #expect(stage.asked(\.isSealing))
        try stage.event(.effectDone(effect: try stage.waiting(\.isSealing)))
        #expect(stage.state.rooms[room]?.messages.last?.status == .failed, "done without a file")
    }

    @Test(arguments: [Failure.Code.noKeys, .storageFailed]) func whatIsNotSealedNowIsNotSealedLater(
        code: Failure.Code
    ) throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.circle(.sealByHand(room: room, text: "x"))
        try stage.fail(try stage.waiting(\.isSealing), Failure(code, retryable: true))
        #expect(stage.state.rooms[room]?.messages.last?.failure?.code == code)
        #expect(!stage.open.contains { $0.kind.isSealing })
        try stage.restart()
        #expect(!stage.open.contains { $0.kind.isSealing })
    }

    @Test func whatAProcessLeftUnsealedHasFailedAndCanBeTriedAgain() throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.circle(.sealByHand(room: room, text: "x"))
        let message = try #require(stage.state.rooms[room]?.messages.last)
        try stage.restart()
        #expect(!stage.open.contains { $0.kind.isSealing })
        #expect(stage.state.rooms[room]?.messages.last?.status == .failed)
        #expect(stage.disk["message/\(room)/\(message.id)"]?.contains("failed") == true)
        try stage.circle(.sealByHand(room: room, text: "y"))
        #expect(stage.state.rooms[room]?.messages[message.id]?.status == .failed)
    }

    @Test func withoutKeysNothingIsSealed() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.circle(.sealByHand(room: room, text: "x"))
        #expect(stage.effects.isEmpty)
        #expect(stage.text.contains("no key to seal with"))
    }

    @Test func whatIsNotSealedIsSaidAndComesBack() throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.circle(.sealByHand(room: room, text: " \n"))
        #expect(stage.text.contains("nothing to seal"))
        let long = String(repeating: "x", count: 65_537)
        try stage.circle(.sealByHand(room: room, text: long))
        #expect(stage.text.contains("longer than 64 KiB"))
        #expect(stage.state.rooms[room]?.live.draft == long)
        try stage.circle(.revokeTrust(room: room, reason: nil))
        try stage.circle(.sealByHand(room: room, text: "x"))
        #expect(!stage.asked(\.isSealing))
        #expect(stage.state.notices.last?.text.contains("The trust between you has ended") == true)
    }

    @Test func aCarriedMessageIsStoredBeforeItsKeyGoes() throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.circle(.openByHand(handle: "f"))
        try stage.circle(.openByHand(handle: "f"))
        #expect(stage.effects.isEmpty, "once at a time")
        let opened = { (effect: EffectID, room: RoomID, body: Body) in
            Event.openedByHand(
                effect: effect, room: room, message: "c", sentAt: stage.now, body: body, seal: .oneTime)
        }
        try stage.event(opened(try stage.waiting(\.isOpening), room, .text("carried")))
        #expect(stage.effects.contains(.acknowledgeByHand(room: room, message: "c")))
        #expect(stage.outcome.changes.contains(.message(room, "c")), "in the commit that carries the effect")
        try stage.circle(.openByHand(handle: "f"))
        try stage.event(opened(try stage.waiting(\.isOpening), room, .text("carried")))
        #expect(stage.state.rooms[room]?.messages.all.count { $0.id == "c" } == 1)
        #expect(stage.effects == [.acknowledgeByHand(room: room, message: "c")])
    }

    @Test(arguments: [Body.trust, .lifetimeProposal(.oneHour), .becameMember, .peerLeft]) func onlyWordsAreCarried(
        body: Body
    ) throws {
        var stage = try Stage()
        let room = try stage.roomThatKnows()
        try stage.circle(.openByHand(handle: "f"))
        let before = stage.state.rooms
        try stage.event(
            .openedByHand(
                effect: try stage.waiting(\.isOpening), room: room, message: "c", sentAt: stage.now, body: body,
                seal: nil))
        #expect(stage.state.rooms == before)
    }

    @Test(arguments: [
        (Failure.Code.forged, "not from this person"), (.replayed, "opened before"), (.unknownKey, "no longer here"),
        (.keyReused, "another message had used already"), (.unreadable, "was damaged"),
        (.trustRevoked, "trust between you has ended"),
    ]) func whatCannotBeOpenedSaysWhy(code: Failure.Code, text: String) throws {
        var stage = try Stage()
        try stage.circle(.openByHand(handle: "f"))
        try stage.fail(try stage.waiting(\.isOpening), Failure(code))
        #expect(stage.text.contains(text))
    }

    @Test func nothingIsStoredInARoomThatIsOver() throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.circle(.revokeTrust(room: room, reason: nil))
        try stage.circle(.openByHand(handle: "f"))
        try stage.event(
            .openedByHand(
                effect: try stage.waiting(\.isOpening), room: room, message: "c", sentAt: stage.now, body: .text("x"),
                seal: nil))
        #expect(stage.effects.isEmpty, "not acknowledged")
        #expect(stage.state.rooms[room]?.messages["c"] == nil)
    }
}
