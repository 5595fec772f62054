import AppCore
import Testing

/// The same inputs give the same states and the same outcomes, byte for byte, also after a way through JSON.
@Suite struct ReplayTests {
    @Test func aTalkReplaysByteForByte() throws {
        var driver = try TestDriver.withPassphrase()
        let room = try driver.roomThatTalks(.unverified)
        try driver.chat(.sendText(room: room, text: "Grüße 👋🏽 \u{0}\u{1F} \"quoted\" \\ / <tag>"))
        try driver.event(.acknowledged(effect: try driver.waiting(\.isDelivery)))
        try driver.receive(room, "m1", .location(Location(latitude: 0.1 + 0.2, longitude: -1e-7, accuracy: 12.5)))
        try driver.chat(
            .sendFile(
                room: room, name: "a.m4a", bytes: 5, handle: "h", media: .voice(duration: 10, waveform: [0, 255])))
        try driver.agree(room, on: .oneHour)
        try driver.rooms(.pinRoom(room: room, pinned: true))
        try driver.app(.lock)
        try driver.unlock()
        try driver.pass(seconds: 7200)
        try driver.rooms(.deleteRoom(room: room))
        try driver.app(.eraseAll)

        var replay = Core()
        for (step, input) in driver.trace.enumerated() {
            let written = try JSON.encode(input)
            let read = try JSON.decode(Input.self, from: written)
            #expect(read == input)
            _ = replay.dispatch(read)
            #expect(try JSON.encode(replay.state) == driver.states[step], "step \(step)")
        }
    }

    @Test func aStateCanBeSavedWholeAndContinued() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "m1", .text("hello"))
        try driver.chat(.sendText(room: room, text: "unsent"))
        let bytes = try JSON.encode(driver.state)
        let state = try JSON.decode(AppState.self, from: bytes)
        #expect(state == driver.state)
        #expect(try JSON.encode(state) == bytes)

        var copy = Core(state: state)
        let input = Input(at: driver.now, fresh: Fresh(1, 2, 3, 4), action: .chat(.sendText(room: room, text: "more")))
        var original = driver.core
        #expect(copy.dispatch(input) == original.dispatch(input))
        #expect(copy.state == original.state)
    }

    @Test func outcomesAndTreesGoThroughJSON() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks(.unverified)
        try driver.receive(room, "f1", .file(FileOffer(name: "a", bytes: 10)))
        try driver.chat(.acceptFile(room: room, message: "f1"))
        #expect(try JSON.decode(Outcome.self, from: try JSON.encode(driver.outcome)) == driver.outcome)
        #expect(try JSON.decode(SemanticNode.self, from: try JSON.encode(driver.tree)) == driver.tree)
    }
}
