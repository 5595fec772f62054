import AppCore

// Traces: made from a log, played into one.

extension Simulation {
    /// Transitions with their changes are written up to so many; a longer trace has only inputs and states.
    static let detailLimit = 1000

    /// The whole log as a trace.
    package func trace(named name: String) throws -> Trace {
        var trace = Trace(name: name)
        trace.scenario = scenario
        trace.setup = log.isCut ? nil : setup
        trace.firstSeq = log.isCut ? log.first : nil
        let entries = log.numbers.compactMap { seq in log[seq].map { (seq: seq, entry: $0) } }
        let written = { (source: Log.Source) in
            entries.filter { $0.entry.source == source }.map {
                Trace.Entry(seq: $0.seq, input: $0.entry.input, action: $0.entry.input.action)
            }
        }
        trace.actions = written(.person)
        trace.answers = written(.world)
        trace.initialState = try JSON.decode(JSONValue.self, from: try coreAtStart().state)
        trace.finalState = try JSON.decode(JSONValue.self, from: core.state)
        guard entries.count <= Self.detailLimit else { return trace }
        trace.transitions = try transitionsWithChanges()
        trace.effects = try log.numbers.flatMap { try effectRecords(of: $0) }
        return trace
    }

    private func coreAtStart() throws -> any SimulatedCore {
        log.isCut || core.copy != nil ? try log.core(before: log.first) : try played(upTo: 0)
    }

    /// The core as it was after the transition `seq`; 0 is where the log begins.
    package func core(after seq: Int) throws -> any SimulatedCore {
        guard seq >= log.first - 1, seq <= log.last else {
            throw SimulatorError(.badRequest, "There is no step \(seq): the log has \(log.first) to \(log.last).")
        }
        if seq == log.last { return core }
        return core.copy == nil ? try played(upTo: seq) : try log.core(before: seq + 1)
    }

    /// Another core of the same kind, brought to the transition `seq` from nothing.
    private func played(upTo seq: Int) throws -> any SimulatedCore {
        var core = try core.another()
        for input in setup { _ = try core.dispatch(input) }
        for number in log.numbers.prefix(while: { $0 <= seq }) {
            if let entry = log[number] { _ = try core.dispatch(entry.input) }
        }
        return core
    }

    private func transitionsWithChanges() throws -> [JSONValue] {
        var core = try coreAtStart()
        var before = try JSON.decode(JSONValue.self, from: core.state)
        return try log.numbers.compactMap { seq in
            guard let entry = log[seq], var transition = try transition(seq) else { return nil }
            _ = try core.dispatch(entry.input)
            let after = try JSON.decode(JSONValue.self, from: core.state)
            transition["changes"] = try JSONValue(before.changes(to: after))
            before = after
            return transition
        }
    }

    // MARK: - Playing

    /// Plays a trace, and puts a world around what came of it.
    /// - Parameters:
    ///   - core: a core to which nothing has happened.
    ///   - limit: how many steps to play; all without it.
    package init(core: any SimulatedCore, playing trace: Trace, until limit: Int? = nil, seed: UInt64 = 0) throws {
        let begun = try trace.setup == nil ? trace.initialState.flatMap { try core.another(in: $0) } : nil
        let first = begun == nil ? nil : trace.entries.first?.entry.input?.at.advanced(byMilliseconds: -1)
        try self.init(
            core: begun ?? core, setup: begun == nil ? try trace.beginning() : [],
            scenario: trace.scenario ?? trace.name, seed: seed,
            beginning: first ?? LogicalClock.beginning)
        if let initial = trace.initialState {
            let expected = AppState.upgraded(initial)
            let actual = try JSON.decode(JSONValue.self, from: self.core.state)
            if let change = expected.changes(to: actual).first {
                throw SimulatorError(.badTrace, "The trace begins in another state: \(change).")
            }
        }
        let entries = trace.entries.prefix(limit ?? .max)
        guard trace.isComplete else {
            for (entry, _) in entries {
                if let input = entry.input { try dispatch(input) } else { try dispatch(entry.action) }
            }
            return
        }
        for (entry, isWorld) in entries {
            if let input = entry.input { try follow(input, isWorld ? .world : .person) }
        }
        takeOver()
    }
}

extension Trace {
    /// The inputs before the first step. A trace of bare actions begins on the first day; one of whole inputs begins
    /// with nothing, for its first input is the first of a process.
    fileprivate func beginning() throws -> [Input] {
        if let setup { return setup }
        return isComplete && !actions.isEmpty ? [] : try Self.firstRun()
    }

    private static func firstRun() throws -> [Input] {
        var driver = CoreDriver()
        return [.event(.started(locked: false, records: [])), .app(.becameActive)].map { driver.dispatch($0).input }
    }
}
