import AppCore
import Testing

/// What is on disk, and what a new process makes of it.
@Suite struct RecordTests {
    @Test func aRestartFindsEverythingThatMatters() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "m1", .text("hello"))
        try stage.chat(.sendText(room: room, text: "unsent"))
        try stage.app(.setServer(url: "https://rooms.example/"))
        let before = try #require(stage.state.rooms[room])
        let delivery = try stage.waiting(\.isDelivery)
        try stage.restart(active: false)
        let after = try #require(stage.state.rooms[room])
        #expect(after.messages == before.messages)
        #expect(after.address == before.address && after.words == before.words)
        #expect(stage.state.settings.server == "https://rooms.example")
        #expect(stage.outcome.effects.contains { $0.id == delivery }, "issued again under its old number")
    }

    @Test func numbersAreNeverUsedTwice() throws {
        var stage = try Stage()
        var seen: Set<EffectID> = []
        for _ in 0..<3 {
            for _ in 0..<20 {
                try stage.rooms(.createRoom(name: nil, expiresIn: 60))
                for effect in stage.outcome.effects { #expect(seen.insert(effect.id).inserted) }
            }
            for room in stage.state.rooms.map(\.id) { try stage.rooms(.deleteRoom(room: room)) }
            for effect in stage.open { try stage.event(.effectDone(effect: effect.id)) }
            try stage.restart()
        }
    }

    @Test func roomsInTheMakingGoOn() throws {
        var stage = try Stage()
        try stage.rooms(.createRoom(name: nil, expiresIn: 300))
        let create = try stage.waiting(\.isCreate)
        try stage.restart()
        try stage.event(.roomCreated(effect: create, code: "111111", words: "w", expiresAt: stage.now))
        #expect(stage.state.rooms.last?.status == .pending)
        #expect(stage.asked(\.isWatch))
    }

    @Test func roomsThatWaitAreWatchedAgain() throws {
        var stage = try Stage()
        _ = try stage.roomThatWaits()
        try stage.restart()
        #expect(stage.asked(\.isWatch))
    }

    @Test func aDamagedRecordHarmsNothingElse() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "m1", .text("one"))
        try stage.receive(room, "m2", .text("two"), sequence: 2)
        var records = stage.records { _ in true }
        for index in records.indices where records[index].key == .message(room, "m1") {
            records[index].json = #"{"id":"m1","order":"#
        }
        try stage.event(.started(locked: false, records: records))
        #expect(stage.outcome.unreadable == [.message(room, "m1")])
        #expect(!stage.outcome.changes.contains(.message(room, "m1")), "left as it is")
        #expect(stage.state.rooms[room]?.messages["m2"] != nil)
    }

    @Test(arguments: ["settings", "counters", "room/a", "message/a/b", "tombstone/a", "effect/12"])
    func keysReadAsTheyAreWritten(
        path: String
    ) throws { #expect(RecordKey(path: path)?.path == path) }

    @Test(arguments: [
        "", "/", "room", "room/", "room/a/b", "room/../x", "tombstone/", "tombstone/a/b", "message/a", "message/a/b/c",
        "effect/-1", "effect/x",
        "Settings", "room/a b", "effect/99999999999999999999",
    ]) func otherKeysAreNone(path: String) { #expect(RecordKey(path: path) == nil) }

    @Test func aRecordUnderAForeignKeyIsNotTaken() throws {
        var stage = try Stage()
        let room = try stage.roomThatWaits()
        let json = try #require(stage.disk["room/\(room)"])
        try stage.event(.started(locked: false, records: [Record(key: .room("other"), json: json)]))
        #expect(stage.state.rooms.isEmpty)
        #expect(stage.outcome.unreadable == [.room("other")])
    }

    @Test func aRoomWhoseRequestWasLostCanBeTriedAgain() throws {
        var stage = try Stage()
        try stage.rooms(.createRoom(name: nil, expiresIn: 300))
        let records = stage.records { if case .effect = $0 { false } else { true } }
        try stage.event(.started(locked: false, records: records))
        #expect(stage.state.rooms.last?.status == .failed)
        #expect(stage.state.rooms.last?.failure?.retryable == true)
    }
}
