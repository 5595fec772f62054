import AppCore
import Catalogues
import Testing

/// A ``CoreDriver`` whose test is the world: it answers the effects, sets the time as it likes, and looks at the trace.
struct TestDriver {
    private var driver = CoreDriver()
    var now = LogicalClock.beginning
    private(set) var trace: [Input] = []
    /// The state after every input, as bytes.
    private(set) var states: [[UInt8]] = []
    private(set) var outcome = Outcome()
    private var random: SplitMix64
    var keepsStates = true

    init(active: Bool = true, seed: UInt64 = 7) throws {
        random = SplitMix64(seed: seed)
        try event(.started(locked: false, records: []))
        if active { try app(.becameActive) }
    }

    var core: Core { driver.core }
    /// What a real host would have on disk.
    var disk: [String: String] { driver.disk }
    var state: AppState { core.state }
    var tree: SemanticNode { core.tree }
    var effects: [Effect.Kind] { outcome.effects.map(\.kind) }

    mutating func app(_ action: AppAction) throws { try dispatch(.app(action)) }
    mutating func rooms(_ action: RoomAction) throws { try dispatch(.rooms(action)) }
    mutating func chat(_ action: ChatAction) throws { try dispatch(.chat(action)) }
    mutating func event(_ event: Event) throws { try dispatch(.event(event)) }

    mutating func dispatch(_ action: Action, in view: ViewID? = nil) throws {
        now = now.advanced(byMilliseconds: 1)
        let input = Input(at: now, fresh: Fresh(using: &random), view: view, action: action)
        outcome = driver.dispatch(input).outcome
        trace.append(input)
        if keepsStates { states.append(try JSON.encode(core.state)) }
    }

    mutating func pass(seconds: Int64) throws {
        now = now.advanced(bySeconds: seconds)
        try event(.tick)
    }

    /// Effects that wait for an answer, oldest first.
    var open: [Effect] { driver.openEffects }

    /// The id of the newest open effect that fulfils `condition`.
    func waiting(_ condition: (Effect.Kind) -> Bool) throws -> EffectID {
        try #require(open.last { condition($0.kind) }, "no such effect is open").id
    }

    /// Whether the last input asked for an effect that fulfils `condition`.
    func asked(_ condition: (Effect.Kind) -> Bool) -> Bool { effects.contains(where: condition) }

    mutating func fail(_ effect: EffectID, _ failure: Failure) throws {
        try event(.effectFailed(effect: effect, failure: failure))
    }

    /// The process ends, and another begins with what is on disk.
    /// - Parameter recent: how many messages of each room it takes into memory; `nil` for all.
    mutating func restart(active: Bool = true, recent: Int? = nil) throws {
        driver = CoreDriver(disk: disk)
        trace = []
        states = []
        let records = recent == nil ? driver.records() : driver.recentRecords()
        try event(.started(locked: false, records: records, recent: recent))
        if active { try app(.becameActive) }
    }

    /// The disk says what the core wants of it, until it wants no more.
    /// - Returns: what the core asked for meanwhile.
    @discardableResult mutating func answerHistory() throws -> [Effect.Kind] {
        var asked: [Effect.Kind] = []
        while let answer = open.lazy.compactMap(driver.history).first {
            try event(answer)
            asked += effects
        }
        return asked
    }

    func records(where condition: (RecordKey) -> Bool) -> [Record] { driver.records(where: condition) }

    /// What stands in the composer of a room.
    func draft(in room: RoomID, of view: ViewID = .main) -> String { state.composers.text(in: room, of: view) }

    func tree(in view: ViewID) throws -> SemanticNode { try #require(core.tree(for: view), "there is no such view") }

    /// What the person reads: every label, value and detail, from top to bottom.
    var text: String { tree.lines.joined(separator: "\n") }
}

extension TestDriver {
    // MARK: - Common beginnings

    /// A room that waits for the other person.
    mutating func roomThatWaits(expiresIn: Int64 = 300) throws -> RoomID {
        try rooms(.createRoom(name: "Ann", expiresIn: expiresIn))
        let room = try #require(state.rooms.last).id
        try event(
            .roomCreated(
                effect: try waiting(\.isCreate), code: "482913", words: "words-1",
                expiresAt: now.advanced(bySeconds: expiresIn)))
        return room
    }

    /// A room whose link is being made.
    mutating func roomThatConnects() throws -> RoomID {
        let room = try roomThatWaits()
        try event(.roomAccepted(effect: try waiting(\.isWatch), serverRoom: "server-room-1"))
        return room
    }

    /// A room in which both can talk.
    mutating func roomThatTalks(_ outcome: Verification = .verified) throws -> RoomID {
        let room = try roomThatConnects()
        try connect(outcome)
        return room
    }

    mutating func connect(_ outcome: Verification = .verified) throws {
        let link = try waiting(\.isLink)
        try event(.linkChanged(effect: link, link: .verifying, path: nil))
        try event(.verificationChanged(effect: link, outcome: outcome, safetyNumber: "12345 67890"))
        try event(.linkChanged(effect: link, link: .connected, path: .direct))
    }

    mutating func receive(_ room: RoomID, _ message: MessageID, _ body: Body, sequence: UInt64 = 1) throws {
        try event(.messageReceived(room: room, message: message, sequence: sequence, sentAt: now, body: body))
    }
}

extension Effect.Kind {
    var isCreate: Bool { if case .createRoom = self { true } else { false } }
    var isJoin: Bool { if case .joinRoom = self { true } else { false } }
    var isWatch: Bool { if case .watchRoom = self { true } else { false } }
    var isCheck: Bool { if case .checkRoom = self { true } else { false } }
    var isLink: Bool { if case .openLink = self { true } else { false } }
    var isDelivery: Bool { if case .deliver = self { true } else { false } }
    var isLeave: Bool { if case .leaveRoom = self { true } else { false } }
}

extension SemanticNode {
    var all: [SemanticNode] { [self] + children.flatMap(\.all) }

    var lines: [String] {
        let shown: String? =
            switch value {
            case .text(let text): text
            case .words(let words): words.english
            case .count(let count): "\(count)"
            case .secret: "•••"
            case .time(let time): "\(time.milliseconds)"
            case .progress(let done, let total): "\(done)/\(total)"
            case nil: nil
            }
        return [[label.english, shown, detail?.english].compactMap(\.self).joined(separator: " · ")]
            + children.flatMap(\.lines)
    }
}
