import AppCore
import Testing

/// Nothing of the content is in the state, the tree or the log while the app is locked.
@Suite struct LockTests {
    @Test func lockingDropsTheContentAndClosesTheLinks() throws {
        var stage = try Stage.withPassphrase()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "m1", .text("the treasure is buried here"))
        try stage.app(.lock)
        #expect(stage.effects == [.closeLink(room: room), .lock])
        #expect(stage.outcome.changes.isEmpty, "what is on disk stays there")
        let state = String(decoding: try JSON.encode(stage.state), as: UTF8.self)
        #expect(!state.contains("treasure") && !state.contains("Ann") && !state.contains("482913"))
        #expect(stage.tree.id == "lock")
    }

    @Test func aLockedCoreDoesNotLetContentBeDeletedByMistake() throws {
        var stage = try Stage.withPassphrase()
        let room = try stage.roomThatTalks()
        try stage.app(.lock)
        #expect(throws: RecordError.locked) { try stage.core.record(for: .room(room)) }
        #expect(throws: RecordError.locked) { try stage.core.record(for: .message(room, "m1")) }
    }

    @Test func unlockingBringsEverythingBackAndReconnects() throws {
        var stage = try Stage.withPassphrase()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "m1", .text("the treasure is buried here"))
        try stage.chat(.sendText(room: room, text: "still unsent"))
        let delivery = try stage.waiting(\.isDelivery)
        try stage.app(.lock)
        try stage.unlock()
        #expect(stage.outcome.effects.contains { $0.id == delivery }, "under its old number")
        #expect(stage.asked(\.isLink))
        #expect(stage.state.rooms[room]?.messages["m1"]?.body == .text("the treasure is buried here"))
    }

    @Test func anAnswerThatArrivesWhileLockedIsNotLost() throws {
        var stage = try Stage.withPassphrase()
        try stage.rooms(.createRoom(name: nil, expiresIn: 300))
        let create = try stage.waiting(\.isCreate)
        try stage.app(.lock)
        try stage.event(.roomCreated(effect: create, code: "111111", words: nil, expiresAt: stage.now))
        #expect(stage.outcome.changes.isEmpty)
        try stage.unlock()
        #expect(stage.outcome.effects.contains { $0.id == create })
    }

    @Test func nothingCanBeDoneWhileLocked() throws {
        var stage = try Stage.withPassphrase()
        let room = try stage.roomThatTalks()
        try stage.app(.lock)
        let locked = stage.state
        for action: Action in [
            .rooms(.createRoom(name: nil, expiresIn: 300)), .rooms(.openRoom(room: room)),
            .rooms(.deleteRoom(room: room)), .chat(.sendText(room: room, text: "x")),
            .app(.navigate(to: Screen(.settings))), .app(.setServer(url: "https://evil.example")),
            .app(.setPassphrase(passphrase: nil, current: "guess")), .app(.setAutoLock(on: true)),
            .event(.reachabilityChanged(online: true)),
        ] {
            try stage.dispatch(action)
            #expect(stage.state == locked && stage.effects.isEmpty)
        }
    }

    @Test func aWrongPassphraseMakesThePersonWait() throws {
        var stage = try Stage.withPassphrase()
        try stage.app(.lock)
        try stage.app(.unlock(passphrase: "guess-1"))
        let attempt = try stage.waiting(\.isUnlock)
        #expect(stage.tree.find("lock.passphrase")?.isEnabled == false)
        try stage.event(.vaultRejected(effect: attempt, retryAfter: 30_000))
        #expect(stage.text.contains("The passphrase is wrong. Try again in 30 seconds."))
        #expect(stage.tree.find("lock.passphrase")?.offers.isEmpty == true)
        try stage.app(.unlock(passphrase: "guess-2"))
        #expect(!stage.asked(\.isUnlock))
        try stage.pass(seconds: 31)
        #expect(stage.tree.find("lock.passphrase")?.isEnabled == true)
        try stage.app(.unlock(passphrase: "guess-3"))
        #expect(stage.asked(\.isUnlock))
    }

    @Test(arguments: [0, -1, .min] as [Int64]) func aWaitOfNothingIsNotTold(wait: Int64) throws {
        var stage = try Stage.withPassphrase()
        try stage.app(.lock)
        try stage.app(.unlock(passphrase: "guess"))
        try stage.event(.vaultRejected(effect: try stage.waiting(\.isUnlock), retryAfter: wait))
        #expect(stage.text.contains("The passphrase is wrong. Try again."))
        #expect(!stage.text.contains("Try again in"))
        for code in [Failure.Code.tooManyAttempts, .serverError, .timeout] {
            #expect(!Failure(code, retryAfter: wait).sentence.contains("second"))
        }
    }

    @Test func aPassphraseThatCameTooEarlyIsNotCalledWrong() throws {
        var stage = try Stage.withPassphrase()
        try stage.app(.lock)
        try stage.app(.unlock(passphrase: "right"))
        // Another process was told wrong ones; this one learns of the wait from the vault.
        try stage.fail(try stage.waiting(\.isUnlock), Failure(.tooManyAttempts, retryable: true, retryAfter: 4000))
        let sentence = "This passphrase was not tried, because those before it were wrong. Try again in 4 seconds."
        #expect(stage.state.notices.map(\.text) == [sentence])
        #expect(stage.tree.find("lock.passphrase")?.offers.isEmpty == true)
        try stage.app(.unlock(passphrase: "right"))
        #expect(!stage.asked(\.isUnlock))
        #expect(stage.state.notices.map(\.text) == [sentence])
        try stage.pass(seconds: 5)
        try stage.app(.unlock(passphrase: "right"))
        #expect(stage.asked(\.isUnlock))
    }

    @Test func onlyTheAttemptUnderWayCanUnlock() throws {
        var stage = try Stage.withPassphrase()
        try stage.app(.lock)
        let records = stage.records { _ in true }
        try stage.event(.vaultUnlocked(effect: EffectID(1), records: records))
        try stage.event(.vaultUnlocked(effect: EffectID(99_999), records: records))
        #expect(stage.state.lock.isLocked)
    }

    @Test func aProfileWithAPassphraseStartsLocked() throws {
        var stage = try Stage.withPassphrase()
        let room = try stage.roomThatTalks()
        try stage.restartLocked()
        #expect(stage.tree.id == "lock" && stage.state.settings.hasPassphrase)
        try stage.unlock()
        #expect(stage.state.rooms[room] != nil)
        #expect(stage.asked(\.isLink))
    }

    @Test func theCoverHidesEverythingAndAutoLockLocks() throws {
        var stage = try Stage.withPassphrase()
        _ = try stage.roomThatTalks()
        try stage.app(.becameInactive)
        #expect(stage.tree.all.map(\.id) == ["cover.screen", "cover"])
        #expect(!stage.state.lock.isLocked)
        try stage.app(.becameActive)
        try stage.app(.setAutoLock(on: true))
        try stage.app(.becameInactive)
        #expect(stage.state.lock.isLocked)
    }

    @Test func withoutAPassphraseThereIsNothingToLockWith() throws {
        var stage = try Stage()
        try stage.app(.lock)
        #expect(!stage.state.lock.isLocked)
        #expect(stage.text.contains("Set a passphrase first"))
    }

    @Test func changingThePassphraseNeedsThePresentOne() throws {
        var stage = try Stage.withPassphrase()
        try stage.app(.setPassphrase(passphrase: "new", current: nil))
        #expect(stage.effects.isEmpty)
        try stage.app(.setPassphrase(passphrase: "new", current: "old"))
        #expect(stage.effects == [.setPassphrase(passphrase: "new", current: "old")])
        let change = try stage.waiting { if case .setPassphrase = $0 { true } else { false } }
        try stage.fail(change, Failure(.passphraseWrong))
        #expect(stage.text.contains("The passphrase is wrong."))
        #expect(stage.state.settings.hasPassphrase)
    }

    @Test func whoForgetsThePassphraseCanStillErase() throws {
        var stage = try Stage.withPassphrase()
        _ = try stage.roomThatTalks()
        try stage.app(.lock)
        try stage.dispatch(try #require(stage.tree.find("lock.erase")?.offers.first).action)
        #expect(stage.effects == [.eraseAll(rooms: [])])
        #expect(!stage.state.lock.isLocked)
    }
}

extension Stage {
    static func withPassphrase() throws -> Stage {
        var stage = try Stage()
        try stage.app(.setPassphrase(passphrase: "p", current: nil))
        try stage.event(.effectDone(effect: try stage.waiting { if case .setPassphrase = $0 { true } else { false } }))
        return stage
    }

    mutating func unlock() throws {
        try app(.unlock(passphrase: "p"))
        try event(.vaultUnlocked(effect: try waiting(\.isUnlock), records: records { _ in true }))
    }

    mutating func restartLocked() throws {
        try restart(active: false)
        try event(.started(locked: true, records: records(where: \.isReadableWhileLocked)))
        try app(.becameActive)
    }
}

extension Effect.Kind { var isUnlock: Bool { if case .unlock = self { true } else { false } } }
