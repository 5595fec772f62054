import AppCore
import Testing

/// Erasing everything, with and without the key.
@Suite struct ErasingTests {
    @Test func whatIsErasedWhileLockedIsNotedWhereNoKeyIsNeeded() throws {
        var driver = try TestDriver.withPassphrase()
        _ = try driver.roomThatTalks()
        try driver.app(.lock)
        try driver.app(.eraseAll)
        #expect(
            driver.outcome.changes.filter { !$0.isReadableWhileLocked }.allSatisfy { key in
                (try? driver.core.record(for: key)) == .some(nil)
            })
        #expect(driver.outcome.changes.contains(.erasing))
    }

    @Test func aProcessThatFindsTheNoteErasesAtOnceWithoutTheKey() throws {
        var driver = try TestDriver.withPassphrase()
        _ = try driver.roomThatTalks()
        try driver.app(.lock)
        try driver.app(.eraseAll)
        let erasure = try driver.waiting { if case .eraseAll = $0 { true } else { false } }
        try driver.restart(active: false)
        let note = Record(key: .erasing, json: "{\"effect\":\(erasure.number)}")
        try driver.event(.started(locked: true, records: [note]))
        #expect(driver.outcome.effects.map(\.id) == [erasure])
        #expect(!driver.state.lock.isLocked)
        try driver.rooms(.createRoom(name: nil, expiresIn: 300))
        #expect(driver.state.rooms.isEmpty, "it would be erased with the rest")
        try driver.event(.effectDone(effect: erasure))
        #expect(driver.outcome.changes.contains(.erasing))
        #expect(try driver.core.record(for: .erasing) == nil)
        try driver.rooms(.createRoom(name: nil, expiresIn: 300))
        #expect(driver.state.rooms.count == 1)
    }

    @Test func theVaultAloneSaysWhetherThereIsAPassphrase() throws {
        var driver = try TestDriver.withPassphrase()
        try driver.app(.setAutoLock(on: true))
        let settings = driver.records { $0 == .settings }
        try driver.event(.started(locked: false, records: settings))
        #expect(!driver.state.settings.hasPassphrase && !driver.state.settings.autoLock)
        #expect(driver.outcome.changes.contains(.settings))
        try driver.event(.started(locked: true, records: []))
        #expect(driver.state.settings.hasPassphrase && driver.outcome.changes.contains(.settings))
    }

    @Test func removingAPassphraseThatIsNotThereIsAnswered() throws {
        var driver = try TestDriver()
        try driver.app(.setPassphrase(passphrase: nil, current: "x"))
        #expect(driver.effects.isEmpty && driver.text.contains("There is no passphrase to remove."))
    }

    @Test func anAttemptThatWasNotMadeSaysNothingAboutThePassphrase() throws {
        var driver = try TestDriver.withPassphrase()
        try driver.app(.lock)
        try driver.app(.unlock(passphrase: "right"))
        try driver.fail(driver.waiting(\.isUnlock), Failure(.tooManyAttempts, retryAfter: 4000))
        #expect(
            driver.text.contains("This passphrase was not tried") && driver.text.contains("Try again in 4 seconds."))
        #expect(!driver.text.contains("The passphrase is wrong"))
        #expect(driver.tree.find("lock.passphrase")?.isEnabled == false)
        try driver.pass(seconds: 5)
        #expect(driver.tree.find("lock.passphrase")?.isEnabled == true)
    }
}

/// While nothing can be saved, nothing new begins.
@Suite struct FullDiskTests {
    private static let failures: [Failure] = [Failure(.diskFull), Failure(.storageFailed)]

    @Test(arguments: failures)
    func aBannerStandsAndNothingNewIsBegunUntilThereIsRoom(failure: Failure) throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "m1", .file(FileOffer(name: "a", bytes: 1, media: .file)))
        try driver.event(.storageChanged(failure: failure))
        #expect(driver.tree.find("storage")?.role == .banner)
        let messages = driver.state.rooms[room]?.messages.count
        for action: Action in [
            .chat(.sendText(room: room, text: "lost?")),
            .chat(.sendFile(room: room, name: "f", bytes: 1, handle: "/f", media: nil)),
            .chat(.acceptFile(room: room, message: "m1")), .rooms(.createRoom(name: nil, expiresIn: 300)),
            .rooms(.joinRoom(code: "123456", words: nil, name: nil)), .circle(.openByHand(handle: "/x")),
        ] {
            try driver.dispatch(action)
            #expect(driver.effects.isEmpty)
        }
        #expect(driver.state.rooms.count == 1 && driver.state.rooms[room]?.messages.count == messages)
        #expect(driver.state.notices.contains { $0.kind == .problem && $0.room == room })
        try driver.chat(.setDraft(room: room, text: "lost?"))
        #expect(driver.tree.find("chat.send")?.isEnabled == false)
        try driver.event(.storageChanged(failure: nil))
        #expect(driver.tree.find("storage") == nil && driver.tree.find("chat.send")?.isEnabled == true)
        try driver.chat(.sendText(room: room, text: "kept"))
        #expect(driver.asked(\.isDelivery))
    }

    @Test func whatComesIsShownAndAcknowledgedOnlyOnceItIsSaved() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.event(.storageChanged(failure: Failure(.diskFull)))
        try driver.receive(room, "m1", .text("hello"))
        // The host keeps back the acknowledgement together with the record.
        #expect(driver.outcome.changes.contains(.message(room, "m1")))
        #expect(driver.state.rooms[room]?.messages["m1"] != nil)
    }

    @Test func theLockScreenSaysItToo() throws {
        var driver = try TestDriver.withPassphrase()
        try driver.event(.storageChanged(failure: Failure(.diskFull)))
        try driver.app(.lock)
        #expect(driver.tree.find("storage") != nil)
        try driver.app(.eraseAll)
        #expect(driver.tree.find("storage") != nil, "erasing alone makes no room")
    }
}
