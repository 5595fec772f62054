/// A core in logical time, with what a host would have on its disk: scenarios, the simulator, the C ABI
/// and the tests of the core drive it.
package struct CoreDriver: Sendable {
    package private(set) var core = Core()
    package private(set) var clock: LogicalClock
    /// The records as a host would have saved them: paths of ``RecordKey`` and their JSON.
    package private(set) var disk: [String: String] = [:]

    package init(clock: LogicalClock = LogicalClock()) { self.clock = clock }

    /// A new process, with what an earlier one left on its disk.
    package init(disk: [String: String], clock: LogicalClock = LogicalClock()) {
        self.disk = disk
        self.clock = clock
    }

    /// Goes on from a state, with its durable part on the disk.
    package init(state: AppState, clock: LogicalClock = LogicalClock()) {
        core = Core(state: state)
        self.clock = clock
        for key in state.recordKeys {
            guard let bytes = try? core.record(for: key) else { continue }
            disk[key.path] = String(decoding: bytes, as: UTF8.self)
        }
    }

    package var state: AppState { core.state }

    /// Effects that wait for an answer, oldest first.
    package var openEffects: [Effect] { state.pendingEffects.inOrder }

    /// The records that a host hands back when it starts, or once the vault is open; in the order of their paths.
    package func records(where isWanted: (RecordKey) -> Bool = { _ in true }) -> [Record] {
        disk.keys.sorted().compactMap { path in
            guard let key = RecordKey(path: path), isWanted(key), let json = disk[path] else { return nil }
            return Record(key: key, json: json)
        }
    }

    /// Lets something happen a millisecond later.
    @discardableResult package mutating func dispatch(_ action: Action, in view: ViewID? = nil) -> Step {
        perform(clock.input(action, in: view))
    }

    /// Lets something happen that brings its own time and ids.
    @discardableResult package mutating func dispatch(_ input: Input) -> Step {
        clock.follow(input)
        return perform(input)
    }

    /// Reads an ``Input`` or a bare action and lets it happen.
    /// - Throws: `DecodingError` for anything else, and then nothing has happened.
    @discardableResult package mutating func dispatch(json: some Sequence<UInt8>) throws -> Step {
        perform(try clock.read(json))
    }

    /// Lets time pass, with a `tick` where the core asked for one.
    /// - Returns: the steps that the ticks were.
    @discardableResult package mutating func pass(milliseconds: Int64) -> [Step] {
        let end = clock.now.advanced(byMilliseconds: max(milliseconds, 0))
        var steps: [Step] = []
        // A core that asks for a tick at once, over and over, gets a bounded number of them.
        while let alarm = state.pendingEffects.alarm, alarm.at <= end, steps.count < 10_000 {
            clock.advance(milliseconds: clock.now.milliseconds(until: alarm.at) - 1)
            steps.append(dispatch(.event(.tick)))
        }
        clock.advance(milliseconds: clock.now.milliseconds(until: end))
        return steps
    }

    private mutating func perform(_ input: Input) -> Step {
        if let event = recalled(for: input.action) {
            _ = core.dispatch(Input(at: input.at, fresh: input.fresh, action: .event(event)))
        }
        forgetHistory(input.action)
        let outcome = core.dispatch(input)
        let saved = core.saved(after: outcome)
        // Asked for again, it finds what is left of it: its own record.
        let erases = outcome.effects.contains { $0.kind.erasesEverything && outcome.changes.contains(.erasing) }
        if erases { disk = [:] }
        for record in saved {
            disk[record.key.path] = record.json
            guard case .log(let room) = record.key, record.json == nil else { continue }
            for (record, _) in kept(in: room) { disk[record.key.path] = nil }
        }
        return Step(input: input, outcome: outcome, saved: saved)
    }

    /// The disk has let messages go.
    private mutating func forgetHistory(_ action: Action) {
        guard case .event(.historyForgotten(let effect, let orders, _, _, _)) = action,
            case .forgetHistory(let room, _, _) = state.pendingEffects[effect]
        else { return }
        let gone = Set(orders)
        for (record, message) in kept(in: room) where gone.contains(message.order) { disk[record.key.path] = nil }
    }
}

/// One dispatch of a ``CoreDriver``.
package struct Step: Sendable, Hashable {
    package let input: Input
    package let outcome: Outcome
    /// What a host saves before it carries out the effects.
    package let saved: [Saved]
}

/// A record to save, or (with `json` null) to remove.
package struct Saved: Sendable, Hashable, Codable {
    package let key: RecordKey
    package let json: String?

    private enum Key: CodingKey { case key, json }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(key, forKey: .key)
        try container.encode(json, forKey: .json)
    }
}

extension Core {
    /// What to save after a dispatch, and before anything else happens to the core: see ``record(for:)``.
    package func saved(after outcome: Outcome) -> [Saved] {
        outcome.changes.compactMap { key in
            // What a locked core has forgotten stays on the disk as it is.
            guard let bytes = try? record(for: key) as [UInt8]?? else { return nil }
            return Saved(key: key, json: bytes.map { String(decoding: $0, as: UTF8.self) })
        }
    }
}

extension Effect.Kind {
    fileprivate var erasesEverything: Bool { if case .eraseAll = self { true } else { false } }
}
