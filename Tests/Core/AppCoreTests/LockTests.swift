import AppCore
import Catalogues
import Testing

/// Nothing of the content is in the state, the tree or the log while the app is locked.
@Suite struct LockTests {
    @Test func lockingDropsTheContentAndClosesTheLinks() throws {
        var driver = try TestDriver.withPassphrase()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "m1", .text("the treasure is buried here"))
        try driver.app(.lock)
        #expect(driver.effects == [.closeLink(room: room), .lock])
        #expect(driver.outcome.changes.isEmpty, "what is on disk stays there")
        let state = String(decoding: try JSON.encode(driver.state), as: UTF8.self)
        #expect(!state.contains("treasure") && !state.contains("Ann") && !state.contains("482913"))
        #expect(driver.tree.id == "lock")
    }

    @Test func aLockedCoreDoesNotLetContentBeDeletedByMistake() throws {
        var driver = try TestDriver.withPassphrase()
        let room = try driver.roomThatTalks()
        try driver.app(.lock)
        #expect(throws: RecordError.locked) { try driver.core.record(for: .room(room)) }
        #expect(throws: RecordError.locked) { try driver.core.record(for: .message(room, "m1")) }
    }

    @Test func unlockingBringsEverythingBackAndReconnects() throws {
        var driver = try TestDriver.withPassphrase()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "m1", .text("the treasure is buried here"))
        try driver.chat(.sendText(room: room, text: "still unsent"))
        let delivery = try driver.waiting(\.isDelivery)
        try driver.app(.lock)
        try driver.unlock()
        #expect(driver.outcome.effects.contains { $0.id == delivery }, "under its old number")
        #expect(driver.asked(\.isLink))
        #expect(driver.state.rooms[room]?.messages["m1"]?.body == .text("the treasure is buried here"))
    }

    @Test func anAnswerThatArrivesWhileLockedIsNotLost() throws {
        var driver = try TestDriver.withPassphrase()
        try driver.rooms(.createRoom(name: nil, expiresIn: 300))
        let create = try driver.waiting(\.isCreate)
        try driver.app(.lock)
        try driver.event(.roomCreated(effect: create, code: "111111", words: nil, expiresAt: driver.now))
        #expect(driver.outcome.changes.isEmpty)
        try driver.unlock()
        #expect(driver.outcome.effects.contains { $0.id == create })
    }

    @Test func nothingCanBeDoneWhileLocked() throws {
        var driver = try TestDriver.withPassphrase()
        let room = try driver.roomThatTalks()
        try driver.app(.lock)
        let locked = driver.state
        for action: Action in [
            .rooms(.createRoom(name: nil, expiresIn: 300)), .rooms(.openRoom(room: room)),
            .rooms(.deleteRoom(room: room)), .chat(.sendText(room: room, text: "x")),
            .app(.navigate(to: Screen(.settings))), .app(.setServer(url: "https://evil.example")),
            .app(.setPassphrase(passphrase: nil, current: "guess")), .app(.setAutoLock(on: true)),
            .event(.reachabilityChanged(online: true)),
        ] {
            try driver.dispatch(action)
            #expect(driver.state == locked && driver.effects.isEmpty)
        }
    }

    @Test func aWrongPassphraseMakesThePersonWait() throws {
        var driver = try TestDriver.withPassphrase()
        try driver.app(.lock)
        try driver.app(.unlock(passphrase: "guess-1"))
        let attempt = try driver.waiting(\.isUnlock)
        #expect(driver.tree.find("lock.passphrase")?.isEnabled == false)
        try driver.event(.vaultRejected(effect: attempt, retryAfter: 30_000))
        #expect(driver.text.contains("The passphrase is wrong. Try again in 30 seconds."))
        #expect(driver.tree.find("lock.passphrase")?.offers.isEmpty == true)
        try driver.app(.unlock(passphrase: "guess-2"))
        #expect(!driver.asked(\.isUnlock))
        try driver.pass(seconds: 31)
        #expect(driver.tree.find("lock.passphrase")?.isEnabled == true)
        try driver.app(.unlock(passphrase: "guess-3"))
        #expect(driver.asked(\.isUnlock))
    }

    @Test(arguments: [0, -1, .min] as [Int64]) func aWaitOfNothingIsNotTold(wait: Int64) throws {
        var driver = try TestDriver.withPassphrase()
        try driver.app(.lock)
        try driver.app(.unlock(passphrase: "guess"))
        try driver.event(.vaultRejected(effect: try driver.waiting(\.isUnlock), retryAfter: wait))
        #expect(driver.text.contains("The passphrase is wrong. Try again."))
        #expect(!driver.text.contains("Try again in"))
        for code in [Failure.Code.tooManyAttempts, .serverError, .timeout] {
            #expect(!Failure(code, retryAfter: wait).sentence.contains("second"))
        }
    }

    @Test func aPassphraseThatCameTooEarlyIsNotCalledWrong() throws {
        var driver = try TestDriver.withPassphrase()
        try driver.app(.lock)
        try driver.app(.unlock(passphrase: "right"))
        // Another process was told wrong ones; this one learns of the wait from the vault.
        try driver.fail(try driver.waiting(\.isUnlock), Failure(.tooManyAttempts, retryable: true, retryAfter: 4000))
        let sentence = "This passphrase was not tried, because those before it were wrong. Try again in 4 seconds."
        #expect(driver.state.notices.map(\.sentence) == [sentence])
        #expect(driver.tree.find("lock.passphrase")?.offers.isEmpty == true)
        try driver.app(.unlock(passphrase: "right"))
        #expect(!driver.asked(\.isUnlock))
        #expect(driver.state.notices.map(\.sentence) == [sentence])
        try driver.pass(seconds: 5)
        try driver.app(.unlock(passphrase: "right"))
        #expect(driver.asked(\.isUnlock))
    }

    @Test func onlyTheAttemptUnderWayCanUnlock() throws {
        var driver = try TestDriver.withPassphrase()
        try driver.app(.lock)
        let records = driver.records { _ in true }
        try driver.event(.vaultUnlocked(effect: EffectID(1), records: records))
        try driver.event(.vaultUnlocked(effect: EffectID(99_999), records: records))
        #expect(driver.state.lock.isLocked)
    }

    @Test func aProfileWithAPassphraseStartsLocked() throws {
        var driver = try TestDriver.withPassphrase()
        let room = try driver.roomThatTalks()
        try driver.restartLocked()
        #expect(driver.tree.id == "lock" && driver.state.settings.hasPassphrase)
        try driver.unlock()
        #expect(driver.state.rooms[room] != nil)
        #expect(driver.asked(\.isLink))
    }

    @Test func theCoverHidesEverythingAndAutoLockLocks() throws {
        var driver = try TestDriver.withPassphrase()
        _ = try driver.roomThatTalks()
        try driver.app(.becameInactive)
        #expect(driver.tree.all.map(\.id) == ["cover.screen", "cover"])
        #expect(!driver.state.lock.isLocked)
        try driver.app(.becameActive)
        try driver.app(.setAutoLock(on: true))
        try driver.app(.becameInactive)
        #expect(driver.state.lock.isLocked)
        #expect(driver.tree.id == "lock", "a window in the background holds nothing back")
    }

    @Test func withoutAPassphraseThereIsNothingToLockWith() throws {
        var driver = try TestDriver()
        try driver.app(.lock)
        #expect(!driver.state.lock.isLocked)
        #expect(driver.text.contains("Set a passphrase first"))
    }

    @Test func changingThePassphraseNeedsThePresentOne() throws {
        var driver = try TestDriver.withPassphrase()
        try driver.app(.setPassphrase(passphrase: "new", current: nil))
        #expect(driver.effects.isEmpty)
        try driver.app(.setPassphrase(passphrase: "new", current: "old"))
        #expect(driver.effects == [.setPassphrase(passphrase: "new", current: "old")])
        let change = try driver.waiting { if case .setPassphrase = $0 { true } else { false } }
        try driver.fail(change, Failure(.passphraseWrong))
        #expect(driver.text.contains("The passphrase is wrong."))
        #expect(driver.state.settings.hasPassphrase)
    }

    @Test func whoForgetsThePassphraseCanStillErase() throws {
        var driver = try TestDriver.withPassphrase()
        _ = try driver.roomThatTalks()
        try driver.app(.lock)
        try driver.dispatch(try #require(driver.tree.find("lock.erase")?.offers.first).action)
        #expect(driver.effects == [.eraseAll(rooms: [])])
        #expect(!driver.state.lock.isLocked)
    }
}

extension TestDriver {
    static func withPassphrase() throws -> TestDriver {
        var driver = try TestDriver()
        try driver.app(.setPassphrase(passphrase: "p", current: nil))
        try driver.event(
            .effectDone(effect: try driver.waiting { if case .setPassphrase = $0 { true } else { false } }))
        return driver
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
