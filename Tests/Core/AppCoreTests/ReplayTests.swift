import AppCore
import Testing

/// The same inputs give the same states and the same outcomes, byte for byte, also after a way through JSON.
@Suite struct ReplayTests {
    @Test func aTalkReplaysByteForByte() throws {
        var stage = try Stage.withPassphrase()
        let room = try stage.roomThatTalks(.unverified)
        try stage.chat(.sendText(room: room, text: "Grüße 👋🏽 \u{0}\u{1F} \"quoted\" \\ / <tag>"))
        try stage.event(.acknowledged(effect: try stage.waiting(\.isDelivery)))
        try stage.receive(room, "m1", .location(Location(latitude: 0.1 + 0.2, longitude: -1e-7, accuracy: 12.5)))
        try stage.chat(
            .sendFile(
                room: room, name: "a.m4a", bytes: 5, handle: "h", media: .voice(duration: 10, waveform: [0, 255])))
        try stage.agree(room, on: .oneHour)
        try stage.rooms(.pinRoom(room: room, pinned: true))
        try stage.app(.lock)
        try stage.unlock()
        try stage.pass(seconds: 7200)
        try stage.rooms(.deleteRoom(room: room))
        try stage.app(.eraseAll)

        var replay = Core()
        for (step, input) in stage.trace.enumerated() {
            let written = try JSON.encode(input)
            let read = try JSON.decode(Input.self, from: written)
            #expect(read == input)
            _ = replay.dispatch(read)
            #expect(try JSON.encode(replay.state) == stage.states[step], "step \(step)")
        }
    }

    @Test func aStateCanBeSavedWholeAndContinued() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "m1", .text("hello"))
        try stage.chat(.sendText(room: room, text: "unsent"))
        let bytes = try JSON.encode(stage.state)
        let state = try JSON.decode(AppState.self, from: bytes)
        #expect(state == stage.state)
        #expect(try JSON.encode(state) == bytes)

        var copy = Core(state: state)
        let input = Input(at: stage.now, fresh: Fresh(1, 2, 3, 4), action: .chat(.sendText(room: room, text: "more")))
        var original = stage.core
        #expect(copy.dispatch(input) == original.dispatch(input))
        #expect(copy.state == original.state)
    }

    @Test func outcomesAndTreesGoThroughJSON() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks(.unverified)
        try stage.receive(room, "f1", .file(FileOffer(name: "a", bytes: 10)))
        try stage.chat(.acceptFile(room: room, message: "f1"))
        #expect(try JSON.decode(Outcome.self, from: try JSON.encode(stage.outcome)) == stage.outcome)
        #expect(try JSON.decode(SemanticNode.self, from: try JSON.encode(stage.tree)) == stage.tree)
    }
}
