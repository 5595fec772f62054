import AppCore
import Testing

/// What is on disk, and what a new process makes of it.
@Suite struct RecordTests {
    @Test func aRestartFindsEverythingThatMatters() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "m1", .text("hello"))
        try driver.chat(.sendText(room: room, text: "unsent"))
        try driver.app(.setServer(url: "https://rooms.example/"))
        let before = try #require(driver.state.rooms[room])
        let delivery = try driver.waiting(\.isDelivery)
        try driver.restart(active: false)
        let after = try #require(driver.state.rooms[room])
        #expect(after.messages == before.messages)
        #expect(after.address == before.address && after.words == before.words)
        #expect(driver.state.settings.server == "https://rooms.example")
        #expect(driver.outcome.effects.contains { $0.id == delivery }, "issued again under its old number")
    }

    @Test func numbersAreNeverUsedTwice() throws {
        var driver = try TestDriver()
        var seen: Set<EffectID> = []
        for _ in 0..<3 {
            for _ in 0..<20 {
                try driver.rooms(.createRoom(name: nil, expiresIn: 60))
                for effect in driver.outcome.effects { #expect(seen.insert(effect.id).inserted) }
            }
            for room in driver.state.rooms.map(\.id) { try driver.rooms(.deleteRoom(room: room)) }
            for effect in driver.open { try driver.event(.effectDone(effect: effect.id)) }
            try driver.restart()
        }
    }

    @Test func roomsInTheMakingGoOn() throws {
        var driver = try TestDriver()
        try driver.rooms(.createRoom(name: nil, expiresIn: 300))
        let create = try driver.waiting(\.isCreate)
        try driver.restart()
        try driver.event(.roomCreated(effect: create, code: "111111", words: "w", expiresAt: driver.now))
        #expect(driver.state.rooms.last?.status == .pending)
        #expect(driver.asked(\.isWatch))
    }

    @Test func roomsThatWaitAreWatchedAgain() throws {
        var driver = try TestDriver()
        _ = try driver.roomThatWaits()
        try driver.restart()
        #expect(driver.asked(\.isWatch))
    }

    @Test func aDamagedRecordHarmsNothingElse() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "m1", .text("one"))
        try driver.receive(room, "m2", .text("two"), sequence: 2)
        var records = driver.records { _ in true }
        for index in records.indices where records[index].key == .message(room, "m1") {
            records[index].json = #"{"id":"m1","order":"#
        }
        try driver.event(.started(locked: false, records: records))
        #expect(driver.outcome.unreadable == [.message(room, "m1")])
        #expect(!driver.outcome.changes.contains(.message(room, "m1")), "left as it is")
        #expect(driver.state.rooms[room]?.messages["m2"] != nil)
    }

    @Test(arguments: ["settings", "counters", "room/a", "message/a/b", "tombstone/a", "agent/a", "effect/12"])
    func keysReadAsTheyAreWritten(
        path: String
    ) throws { #expect(RecordKey(path: path)?.path == path) }

    @Test(arguments: [
        "", "/", "room", "room/", "room/a/b", "room/../x", "tombstone/", "tombstone/a/b", "agent/", "agent/a/b",
        "message/a", "message/a/b/c",
        "effect/-1", "effect/x",
        "Settings", "room/a b", "effect/99999999999999999999",
    ]) func otherKeysAreNone(path: String) { #expect(RecordKey(path: path) == nil) }

    @Test func aRecordUnderAForeignKeyIsNotTaken() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatWaits()
        let json = try #require(driver.disk["room/\(room)"])
        try driver.event(.started(locked: false, records: [Record(key: .room("other"), json: json)]))
        #expect(driver.state.rooms.isEmpty)
        #expect(driver.outcome.unreadable == [.room("other")])
    }

    @Test func aRoomWhoseRequestWasLostCanBeTriedAgain() throws {
        var driver = try TestDriver()
        try driver.rooms(.createRoom(name: nil, expiresIn: 300))
        let records = driver.records { if case .effect = $0 { false } else { true } }
        try driver.event(.started(locked: false, records: records))
        #expect(driver.state.rooms.last?.status == .failed)
        #expect(driver.state.rooms.last?.failure?.retryable == true)
    }
}
