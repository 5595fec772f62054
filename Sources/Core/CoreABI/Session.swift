import AppCore
import CAlcoveCore
import Scenarios

/// The core and the pending effects behind one handle.
struct Session {
    private var core = Core()
    private var clock = LogicalClock()
    /// The JSON of each effect that was not drained, oldest first.
    private var waiting: [[UInt8]] = []
    private var log = TransitionLog()
    private var shown = ShownTrees()
    var lastError: CallError?

    init(_ configuration: Configuration) throws(CallError) {
        switch configuration {
        case .new(let seed): clock = LogicalClock(seed: seed)
        case .state(let state):
            core = Core(state: state)
            waiting = try CoreDriver(state: state).openEffects.map(encoded)
        case .scenario(let scenario):
            do {
                let performance = try scenario.play()
                for input in performance.inputs { log.append(input, core.dispatch(input).effects, size: 0) }
                clock = performance.driver.clock
                waiting = try performance.driver.openEffects.map(JSON.encode)
            } catch {
                throw CallError(.badScenario, (error as? ScenarioError)?.explanation ?? "it cannot be played")
            }
        }
    }

    /// Lets happen what the text says.
    /// - Returns: a ``Report``.
    mutating func dispatch(_ text: IncomingText) throws(CallError) -> [UInt8] {
        try checkQueue()
        let input: Input
        do { input = try clock.read(text.bytes) } catch {
            throw text.error(.notAnAction, (error as? DecodingError)?.explanation ?? "it is not an action")
        }
        return try perform(input, size: text.bytes.count)
    }

    /// Lets an event happen, and nothing else.
    /// - Returns: a ``Report``.
    mutating func platformEvent(_ text: IncomingText) throws(CallError) -> [UInt8] {
        try checkQueue()
        let event: PlatformEvent
        do { event = try JSON.decode(PlatformEvent.self, from: text.bytes) } catch {
            throw text.error(.notAnAction, (error as? DecodingError)?.explanation ?? "it is not an action")
        }
        guard event.isEvent else {
            throw CallError(.notAnEvent, "this is what a person does; pass it to alcove_core_dispatch")
        }
        guard let input = event.input else { return try perform(clock.input(event.action), size: text.bytes.count) }
        clock.follow(input)
        return try perform(input, size: text.bytes.count)
    }

    func state() throws(CallError) -> [UInt8] { try encoded(core.state) }
    func tree() throws(CallError) -> [UInt8] { try encoded(core.tree) }
    mutating func changes(_ text: IncomingText, since: UInt64) throws(CallError) -> [UInt8] {
        try encoded(shown.changes(of: core, ShownTrees.Look(text), since: since))
    }

    func logs(_ limit: UInt32) throws(CallError) -> [UInt8] { try encoded(log.newest(limit)) }

    mutating func drainEffects() -> [UInt8] {
        defer { waiting = [] }
        return Report.list(waiting)
    }

    private func checkQueue() throws(CallError) {
        guard waiting.count >= ALCOVE_CORE_EFFECT_LIMIT else { return }
        throw CallError(.effectsNotDrained, "\(waiting.count) effects wait; call alcove_core_drain_effects first")
    }

    private mutating func perform(_ input: Input, size: Int) throws(CallError) -> [UInt8] {
        let outcome = core.dispatch(input)
        var effects: [[UInt8]] = []
        for effect in outcome.effects { effects.append(try encoded(effect)) }
        waiting += effects
        // What was said must not outlive the lock.
        if core.state.lock.isLocked {
            log.forget()
            shown = ShownTrees()
        }
        log.append(input, outcome.effects, size: size)
        return Report(outcome, effects: effects, saved: core.saved(after: outcome), seq: log.last).json
    }
}

private func encoded(_ value: some Encodable) throws(CallError) -> [UInt8] {
    do { return try JSON.encode(value) } catch { throw CallError(.internal, "the answer cannot be written") }
}
