package import AppCore
package import Scenarios

/// A core in a world that answers it, in logical time: a value, the same for the same seed, scenario and actions.
///
/// Each transition takes a millisecond, and so does each effect that it asks for. What is due is answered before a
/// call returns; what is due later comes when time passes.
package struct Simulation: Sendable {
    private(set) var core: any SimulatedCore
    package internal(set) var world: World
    private(set) var clock: LogicalClock
    private(set) var log: Log
    /// How the core came to where the log begins.
    private(set) var setup: [Input]
    package let scenario: String
    package let seed: UInt64
    /// The time from which the log counts.
    let origin: Timestamp

    /// Plays a scenario and puts a world around what came of it.
    /// - Parameter core: a core to which nothing has happened.
    /// - Throws: ``SimulatorError`` if the scenario cannot be played, or whatever a foreign core throws.
    package init(core: any SimulatedCore = BuiltInCore(), scenario: Scenario, seed: UInt64 = 0) throws {
        try self.init(
            core: core, setup: try scenario.perform().inputs, scenario: scenario.name,
            settings: try scenario.worldSettings(), seed: seed)
        takeOver(online: scenario.world?["online"]?.bool)
    }

    /// Plays the inputs before the first step, while the world looks on.
    init(
        core: any SimulatedCore, setup: [Input], scenario: String, settings: WorldSettings = WorldSettings(),
        seed: UInt64, beginning: Timestamp = LogicalClock.beginning
    ) throws {
        self.core = core
        self.scenario = scenario
        self.seed = seed
        self.setup = setup
        clock = LogicalClock(now: beginning)
        world = World(settings: settings, seed: seed)
        log = Log(from: nil)
        if setup.isEmpty { for effect in try core.openEffects ?? [] { world.notice(effect) } }
        for input in setup {
            // The ids go on where the setup leaves them.
            _ = clock.input(input.action)
            clock.follow(input)
            world.notice(input, leadingTo: try self.core.dispatch(input))
        }
        origin = clock.now.advanced(byMilliseconds: 1)
        log = Log(from: self.core.copy)
        world.follow(clock.now)
    }

    /// From here on the world answers.
    /// - Parameter online: whether there is a network; `nil` leaves it as the setup did.
    mutating func takeOver(online: Bool? = nil) {
        world.settings.online = online ?? world.settings.online
        world.takeOver()
    }

    /// Takes a step of a trace, while the world looks on.
    mutating func follow(_ input: Input, _ source: Log.Source) throws {
        _ = clock.input(input.action)
        clock.follow(input)
        let effects = try core.dispatch(input)
        world.notice(input, leadingTo: effects)
        clock.advance(milliseconds: Int64(effects.count))
        log.append(Log.Entry(input: input, source: source, effects: effects), after: core)
    }

    // MARK: - Happening

    /// Lets something happen, and the world answer.
    /// - Parameter fresh: ids that a client made; `nil` takes those of this run.
    package mutating func dispatch(_ action: Action, in view: ViewID? = nil, fresh: Fresh? = nil) throws {
        var input = clock.input(action, in: view)
        input.fresh = fresh ?? input.fresh
        try dispatch(input)
    }

    /// Lets something happen that brings its own time and ids, and the world answer.
    package mutating func dispatch(_ input: Input) throws {
        clock.follow(input)
        if case .event(let event) = input.action { world.observe(event, isOwn: false) }
        try perform(input, .person)
        try settle()
    }

    /// Reads an action, or a whole input, and lets it happen.
    package mutating func dispatch(json: JSONValue, in view: ViewID? = nil) throws {
        var input: Input
        do { input = try clock.read(JSON.encode(json)) } catch let error as DecodingError {
            throw SimulatorError(.badRequest, "This is no action", error)
        }
        input.view = input.view ?? view
        try dispatch(input)
    }

    /// Lets the core hear everything that is due.
    package mutating func settle() throws {
        world.follow(clock.now)
        var count = 0
        while let event = world.next() {
            world.observe(event, isOwn: true)
            try perform(clock.input(.event(try complete(event))), .world)
            count += 1
            guard count < Self.settleLimit else {
                throw SimulatorError(
                    .coreFailed, "The core and the world keep each other busy: \(count) answers in a row.")
            }
        }
    }

    private static let settleLimit = 100_000

    private mutating func perform(_ input: Input, _ source: Log.Source) throws {
        world.follow(clock.now)
        let effects = try core.dispatch(input)
        clock.advance(milliseconds: Int64(effects.count))
        world.follow(clock.now)
        log.append(Log.Entry(input: input, source: source, effects: effects), after: core)
        world.take(effects)
        if log.last % 256 == 0 { try forgetSettledEffects() }
    }

    /// Only the disk knows what is on it.
    private func complete(_ event: Event) throws -> Event {
        switch event {
        case .vaultUnlocked(let effect, _):
            return .vaultUnlocked(effect: effect, records: try core.records(whileLocked: false))
        case .historyLoaded(let effect, _, _, _), .historyForgotten(let effect, _, _, _, _),
            .messagesFound(let effect, _, _), .receivedListed(let effect, _, _), .summaryText(let effect, _, _):
            return try core.history(for: effect) ?? event
        default: return event
        }
    }

    /// The core drops effects that nothing waits for without saying so; the world forgets them too.
    private mutating func forgetSettledEffects() throws {
        guard let open = try core.openEffects else { return }
        world.books.keep(Set(open.map(\.id)))
    }

    // MARK: - Time

    /// Lets logical time pass, with everything that falls due.
    package mutating func advance(milliseconds: Int64) throws {
        let end = clock.now.advanced(byMilliseconds: max(milliseconds, 0))
        while let due = world.agenda.nextDue, due <= end { try run(to: due) }
        clock.advance(milliseconds: clock.now.milliseconds(until: end))
        world.follow(clock.now)
    }

    /// Lets time pass while nothing can happen, as when a machine sleeps; what fell due happens at the end.
    mutating func sleep(milliseconds: Int64) throws {
        clock.advance(milliseconds: milliseconds)
        try settle()
    }

    /// Lets time pass until the next thing happens; false if nothing is going to.
    @discardableResult package mutating func runToNextEvent() throws -> Bool {
        guard let due = world.agenda.nextDue else { return false }
        try run(to: due)
        return true
    }

    private mutating func run(to due: Timestamp) throws {
        clock.advance(milliseconds: clock.now.milliseconds(until: due) - 1)
        world.follow(max(clock.now, due))
        try settle()
    }

    // MARK: - Looking

    package var tree: SemanticNode { get throws { try core.tree } }
    package var now: Timestamp { clock.now }
    /// How many transitions there were.
    package var transitions: Int { log.last }

    /// Changes the world and lets the core hear what comes of it.
    package mutating func change(_ change: (inout World) throws -> Void) throws {
        world.follow(clock.now)
        try change(&world)
        try settle()
    }

    /// The disk is full, or no longer. As with a real host, the core is told.
    package mutating func setDiskFull(_ isFull: Bool) throws {
        try change { $0.setDiskFull(isFull) }
        try dispatch(.event(.storageChanged(failure: isFull ? Failure(.diskFull) : nil)))
    }

    /// Keeps a secret, for an action that refers to it.
    mutating func keepSecret(_ secret: String) -> SecretRef { world.secrets.keep(secret) }

    /// The process ends, and another one begins with what was saved.
    /// - Parameter recent: how many messages of each room it hands back; `nil` for as many as before.
    package mutating func restart(locked: Bool, recent: Int? = nil) throws {
        let recent = try recent ?? core.recentMessages
        let records = try core.records(whileLocked: locked)
        try dispatch(.event(.started(locked: locked, records: records, recent: recent)))
        try dispatch(.app(.becameActive))
    }

    /// Open effects that the world will never answer, except those that a rule dropped. Any entry is a fault.
    package func forgottenEffects() throws -> [Effect] {
        try core.openEffects.map { world.books.forgotten(among: $0) } ?? []
    }
}

extension World {
    /// Looks on while somebody else plays the world.
    fileprivate mutating func notice(_ input: Input, leadingTo effects: [Effect]) {
        follow(input.at)
        if case .event(let event) = input.action { observe(event, isOwn: false) }
        for effect in effects { notice(effect) }
    }

    /// Goes on from where a scenario ends. Nothing happens at once, or nobody would see the scenario: what is open is
    /// looked at after a second of logical time.
    fileprivate mutating func takeOver() {
        agenda.removeAll()
        for (effect, _) in books.open {
            switch effect.kind {
            case .schedule: treat(effect)
            case .openLink(let address, _, _) where rooms[address.room]?.hasReported == true:
                books.note(effect.id, .lasting)
            case .recordVoice where voices.since[effect.id] != nil: books.note(effect.id, .lasting)
            default: wait(effect, milliseconds: 1000)
            }
        }
    }
}

extension Scenario {
    func perform() throws -> Performance {
        do { return try play() } catch let error as ScenarioError {
            throw SimulatorError(.unknownScenario, "\(error)")
        }
    }

    /// How the world behaves from the end of the scenario on.
    func worldSettings() throws -> WorldSettings {
        guard let world else { return WorldSettings() }
        do { return try JSON.decode(WorldSettings.self, from: JSON.encode(world)) } catch let error as DecodingError {
            throw SimulatorError(.badRequest, "The world of scenario \(name)", error)
        }
    }
}
