import AppCore
import Testing

/// Erasing everything, with and without the key.
@Suite struct ErasingTests {
    @Test func whatIsErasedWhileLockedIsNotedWhereNoKeyIsNeeded() throws {
        var stage = try Stage.withPassphrase()
        _ = try stage.roomThatTalks()
        try stage.app(.lock)
        try stage.app(.eraseAll)
        #expect(
            stage.outcome.changes.filter { !$0.isReadableWhileLocked }.allSatisfy { key in
                (try? stage.core.record(for: key)) == .some(nil)
            })
        #expect(stage.outcome.changes.contains(.erasing))
    }

    @Test func aProcessThatFindsTheNoteErasesAtOnceWithoutTheKey() throws {
        var stage = try Stage.withPassphrase()
        _ = try stage.roomThatTalks()
        try stage.app(.lock)
        try stage.app(.eraseAll)
        let erasure = try stage.waiting { if case .eraseAll = $0 { true } else { false } }
        try stage.restart(active: false)
        let note = Record(key: .erasing, json: "{\"effect\":\(erasure.number)}")
        try stage.event(.started(locked: true, records: [note]))
        #expect(stage.outcome.effects.map(\.id) == [erasure])
        #expect(!stage.state.lock.isLocked)
        try stage.rooms(.createRoom(name: nil, expiresIn: 300))
        #expect(stage.state.rooms.isEmpty, "it would be erased with the rest")
        try stage.event(.effectDone(effect: erasure))
        #expect(stage.outcome.changes.contains(.erasing))
        #expect(try stage.core.record(for: .erasing) == nil)
        try stage.rooms(.createRoom(name: nil, expiresIn: 300))
        #expect(stage.state.rooms.count == 1)
    }

    @Test func theVaultAloneSaysWhetherThereIsAPassphrase() throws {
        var stage = try Stage.withPassphrase()
        try stage.app(.setAutoLock(on: true))
        let settings = stage.records { $0 == .settings }
        try stage.event(.started(locked: false, records: settings))
        #expect(!stage.state.settings.hasPassphrase && !stage.state.settings.autoLock)
        #expect(stage.outcome.changes.contains(.settings))
        try stage.event(.started(locked: true, records: []))
        #expect(stage.state.settings.hasPassphrase && stage.outcome.changes.contains(.settings))
    }

    @Test func removingAPassphraseThatIsNotThereIsAnswered() throws {
        var stage = try Stage()
        try stage.app(.setPassphrase(passphrase: nil, current: "x"))
        #expect(stage.effects.isEmpty && stage.text.contains("There is no passphrase to remove."))
    }

    @Test func anAttemptThatWasNotMadeSaysNothingAboutThePassphrase() throws {
        var stage = try Stage.withPassphrase()
        try stage.app(.lock)
        try stage.app(.unlock(passphrase: "right"))
        try stage.fail(stage.waiting(\.isUnlock), Failure(.tooManyAttempts, retryAfter: 4000))
        #expect(stage.text.contains("This passphrase was not tried") && stage.text.contains("Try again in 4 seconds."))
        #expect(!stage.text.contains("The passphrase is wrong"))
        #expect(stage.tree.find("lock.passphrase")?.isEnabled == false)
        try stage.pass(seconds: 5)
        #expect(stage.tree.find("lock.passphrase")?.isEnabled == true)
    }
}

/// While nothing can be saved, nothing new begins.
@Suite struct FullDiskTests {
    private static let failures: [Failure] = [Failure(.diskFull), Failure(.storageFailed)]

    @Test(arguments: failures)
    func aBannerStandsAndNothingNewIsBegunUntilThereIsRoom(failure: Failure) throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "m1", .file(FileOffer(name: "a", bytes: 1, media: .file)))
        try stage.event(.storageChanged(failure: failure))
        #expect(stage.tree.find("storage")?.role == .banner)
        let messages = stage.state.rooms[room]?.messages.count
        for action: Action in [
            .chat(.sendText(room: room, text: "lost?")),
            .chat(.sendFile(room: room, name: "f", bytes: 1, handle: "/f", media: nil)),
            .chat(.acceptFile(room: room, message: "m1")), .rooms(.createRoom(name: nil, expiresIn: 300)),
            .rooms(.joinRoom(code: "123456", words: nil, name: nil)), .circle(.openByHand(handle: "/x")),
        ] {
            try stage.dispatch(action)
            #expect(stage.effects.isEmpty)
        }
        #expect(stage.state.rooms.count == 1 && stage.state.rooms[room]?.messages.count == messages)
        #expect(stage.state.notices.contains { $0.kind == .problem && $0.room == room })
        try stage.chat(.setDraft(room: room, text: "lost?"))
        #expect(stage.tree.find("chat.send")?.isEnabled == false)
        try stage.event(.storageChanged(failure: nil))
        #expect(stage.tree.find("storage") == nil && stage.tree.find("chat.send")?.isEnabled == true)
        try stage.chat(.sendText(room: room, text: "kept"))
        #expect(stage.asked(\.isDelivery))
    }

    @Test func whatComesIsShownAndAcknowledgedOnlyOnceItIsSaved() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.event(.storageChanged(failure: Failure(.diskFull)))
        try stage.receive(room, "m1", .text("hello"))
        // The host keeps back the acknowledgement together with the record.
        #expect(stage.outcome.changes.contains(.message(room, "m1")))
        #expect(stage.state.rooms[room]?.messages["m1"] != nil)
    }

    @Test func theLockScreenSaysItToo() throws {
        var stage = try Stage.withPassphrase()
        try stage.event(.storageChanged(failure: Failure(.diskFull)))
        try stage.app(.lock)
        #expect(stage.tree.find("storage") != nil)
        try stage.app(.eraseAll)
        #expect(stage.tree.find("storage") != nil, "erasing alone makes no room")
    }
}
