import AppCore

extension Suite {
    static let core = Suite(name: "core", about: "dispatches, trees and replays of the core") { recorder in
        // First, while the allocator has nothing left over that would be used again unseen.
        try await recordMemory(recorder)
        let pairs = 50_000
        try await recorder.rate("dispatches", unit: "dispatches/s", aim: 200_000, count: 2 * pairs) {
            var talk = try Conversation()
            for _ in 0..<pairs { try talk.exchange() }
        }
        let long = try Conversation(messages: 10_000)
        try await recorder.rate(
            "dispatches in a room of 10 000 messages", unit: "dispatches/s", aim: 200_000, count: 10_000
        ) {
            var talk = long
            for _ in 0..<5000 { try talk.exchange() }
        }
        await recorder.time("tree of 10 000 messages", aim: 16) {
            blackHole(Core(state: long.core.state).tree.children.count)
        }
        try await recorder.record(
            "new message among 10 000: dispatch, tree and diff", newMessages(in: long), unit: "ms", better: .lower,
            aim: 1)
        let record = try recordKey(in: long)
        try await recorder.rate("message records", unit: "records/s", count: 10_000) {
            for _ in 0..<10_000 { blackHole(try long.core.record(for: record)?.count ?? 0) }
        }
        for count in [1000, 10_000] { try await recordHistory(of: count, recorder) }
        let inputs = try Conversation(messages: 50_000).trace.map { try JSON.encode($0) }
        try await recorder.time("replay of \(inputs.count) actions from JSON", aim: 5000, rounds: 3) {
            var core = Core()
            for input in inputs { blackHole(core.dispatch(try JSON.decode(Input.self, from: input)).effects.count) }
        }
    }

    /// Milliseconds for each of 500 messages, from what the person does to what the renderer has to do.
    private static func newMessages(in talk: Conversation) throws -> [Double] {
        var talk = talk
        var shown = talk.core.tree
        return try (0..<500).map { _ in
            let duration = try ContinuousClock().measure {
                try talk.exchange()
                let tree = talk.core.tree
                blackHole(TreeDiff(from: shown, to: tree).placed.count)
                shown = tree
            }
            return seconds(duration) * 1000
        }
    }

    /// What a history of so many messages, none of them seen, costs at the start and when the person opens the room.
    private static func recordHistory(of count: Int, _ recorder: Recorder) async throws {
        var talk = try Conversation(keepsTrace: false)
        talk.dispatch(.rooms(.closeRoom(room: talk.room)))
        for number in 1...UInt64(count) { talk.receive(number) }
        let unread = talk
        await recorder.time("opening a room of \(count) unread messages", aim: 20) {
            var talk = unread
            blackHole(talk.dispatch(.rooms(.openRoom(room: talk.room))).changes.count)
        }
        let records = CoreDriver(state: talk.core.state).records()
        await recorder.time("start with \(count) messages in a room") {
            var core = Core()
            let input = Input(
                at: Timestamp(milliseconds: 1_700_000_000_000), fresh: Fresh(1, 2, 3, 4),
                action: .event(.started(locked: false, records: records)))
            blackHole(core.dispatch(input).effects.count)
        }
    }

    private static func recordMemory(_ recorder: Recorder) async throws {
        var talks: [Conversation] = []
        var trees: [SemanticNode] = []
        let before = Machine.residentBytes()
        for _ in 0..<5 {
            var talk = try Conversation(keepsTrace: false)
            for number in 0..<10_000 { try talk.exchange("The quick brown fox jumps over lazy dog \(number)") }
            talks.append(talk)
        }
        let state = Machine.residentBytes()
        for talk in talks { trees.append(talk.core.tree) }
        let all = Machine.residentBytes()
        let megabytes = { (bytes: Int) in Double(bytes) / Double(talks.count) / 1e6 }
        await recorder.record("memory of 10 000 messages", megabytes(state - before), unit: "MB", better: .lower)
        await recorder.record("memory of their tree", megabytes(all - state), unit: "MB", better: .lower)
        blackHole(trees.count)
    }
}

private struct NoRoom: Error {}

private func recordKey(in talk: Conversation) throws -> RecordKey {
    guard let message = talk.core.state.rooms[talk.room]?.messages.last else { throw NoRoom() }
    return .message(talk.room, message.id)
}

/// Keeps the optimiser from leaving out what nobody looks at.
@inline(never) private func blackHole(_ value: Int) {}

/// A core in which two people talk.
private struct Conversation: Sendable {
    private(set) var core = Core()
    private(set) var trace: [Input] = []
    let room: RoomID
    private let keepsTrace: Bool
    private var clock: Int64 = 1_700_000_000_000
    private var number: UInt64 = 0

    init(messages: Int = 0, keepsTrace: Bool = true) throws {
        self.keepsTrace = keepsTrace
        var core = Core()
        var number: UInt64 = 0
        var trace: [Input] = []
        func step(_ action: Action) -> [Effect] {
            number += 1
            let input = Input(
                at: Timestamp(milliseconds: 1_700_000_000_000), fresh: Fresh(1, number, 2, number), action: action)
            trace.append(input)
            return core.dispatch(input).effects
        }
        _ = step(.event(.started(locked: false, records: [])))
        _ = step(.app(.becameActive))
        let join = step(.rooms(.joinRoom(code: "482913", words: nil, name: nil)))
        guard let join = join.first, let room = core.state.rooms.last?.id else { throw NoRoom() }
        guard let link = step(.event(.roomJoined(effect: join.id, serverRoom: "s"))).first else { throw NoRoom() }
        _ = step(.event(.verificationChanged(effect: link.id, outcome: .verified, safetyNumber: nil)))
        _ = step(.event(.linkChanged(effect: link.id, link: .connected, path: .direct)))
        self.core = core
        self.number = number
        self.room = room
        for _ in 0..<messages { try exchange() }
        self.trace = trace + self.trace
    }

    /// Sends a message, and has it acknowledged.
    mutating func exchange(_ text: String = "The quick brown fox jumps over the lazy dog") throws {
        let first = input(.chat(.sendText(room: room, text: text)))
        if keepsTrace { trace.append(first) }
        guard let delivery = core.dispatch(first).effects.first else { throw NoRoom() }
        let second = input(.event(.acknowledged(effect: delivery.id)))
        if keepsTrace { trace.append(second) }
        _ = core.dispatch(second)
    }

    /// Takes a message of the other person.
    mutating func receive(_ sequence: UInt64) {
        dispatch(
            .event(
                .messageReceived(
                    room: room, message: MessageID("m\(sequence)"), sequence: sequence,
                    sentAt: Timestamp(milliseconds: clock), body: .text("The quick brown fox jumps over the lazy dog")))
        )
    }

    @discardableResult mutating func dispatch(_ action: Action) -> Outcome { core.dispatch(input(action)) }

    private mutating func input(_ action: Action) -> Input {
        number += 1
        clock += 1
        return Input(at: Timestamp(milliseconds: clock), fresh: Fresh(1, number, 2, number), action: action)
    }
}
