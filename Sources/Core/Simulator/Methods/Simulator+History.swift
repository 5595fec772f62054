import AppCore
import Layout

// The log, and going back in it.

extension Simulator {
    static let history: [String: Method] = [
        "log": { simulator, parameters in try simulator.log(parameters) },
        "replay": { simulator, parameters in
            parameters["trace"] == nil ? try simulator.export(parameters) : try simulator.play(parameters)
        },
        "export_replay": { simulator, parameters in try simulator.export(parameters) },
        "step": { simulator, parameters in try simulator.step(parameters) },
        "assert_replay": { simulator, parameters in try simulator.assertReplay(parameters) },
        "diff": { simulator, parameters in try simulator.difference(parameters) },
        "lint": { simulator, parameters in try simulator.lint(parameters) },
        "walk": { simulator, parameters in try await simulator.walk(parameters) },
    ]

    private static let usualLimit: Int64 = 100

    private func log(_ parameters: Parameters) throws -> JSONValue {
        let limit = try parameters.whole("limit", in: 0...10_000) ?? Self.usualLimit
        let withStates = try parameters.flag("states") ?? true
        let numbers = simulation.log.numbers.suffix(Int(limit))
        let transitions = withStates ? try simulation.wholeTransitions(numbers) : try simulation.transitions(numbers)
        return .object([
            "transitions": .array(transitions),
            "effects": .array(try numbers.flatMap { try simulation.effectRecords(of: $0) }),
            "total": .integer(Int64(simulation.log.last)),
            "first_seq": .integer(Int64(simulation.log.first)),
        ])
    }

    // MARK: - Traces

    private func export(_ parameters: Parameters) throws -> JSONValue {
        try JSONValue(simulation.trace(named: parameters.text("name") ?? simulation.scenario))
    }

    private func trace(_ parameters: Parameters) throws -> Trace {
        try Trace(json: JSON.encode(parameters.need("trace")))
    }

    /// Plays a trace, up to a step if one is named, and goes on from there.
    private func play(_ parameters: Parameters) throws -> JSONValue {
        let trace = try trace(parameters)
        let until = try parameters.whole("until", in: 0...Int64(Trace.limit)).map(Int.init)
        playback = trace
        return try play(trace, until: until)
    }

    private func play(_ trace: Trace, until: Int?) throws -> JSONValue {
        let played = try Simulation(core: try newCore(), playing: trace, until: until, seed: seed)
        change { $0 = played }
        return .object([
            "seq": .integer(Int64(played.transitions)), "total": .integer(Int64(trace.entries.count)),
            "screen": .string(try played.tree.id),
            "transition": try played.transition(played.transitions) ?? .null,
        ])
    }

    /// One step further in the trace that is being played, or so many, or back.
    private func step(_ parameters: Parameters) throws -> JSONValue {
        guard let playback else {
            throw SimulatorError(.badRequest, "step: no trace is being played; call replay with a trace first.")
        }
        let count = Int(try parameters.whole("by", in: -1_000_000...1_000_000) ?? 1)
        return try play(playback, until: min(max(simulation.transitions + count, 0), playback.entries.count))
    }

    /// The trace must play as it says, and be what happened here.
    private func assertReplay(_ parameters: Parameters) throws -> JSONValue {
        let trace = try trace(parameters)
        if let difference = try trace.difference(on: try newCore()) {
            throw SimulatorError(.assertionFailed, "The replay differs. \(difference)")
        }
        let live = try trace.difference(to: simulation.trace(named: trace.name))
        return try Self.assert(
            live == nil, "The live log differs. \(live ?? "")",
            ["name": .string(trace.name), "matched": .bool(true)])
    }

    // MARK: - Comparing

    /// The tree as it was after a step; where it is now without `at`.
    func layout(at seq: Int64?) throws -> Layout {
        guard let seq else { return try layout() }
        let core = try simulation.core(after: Int(clamping: seq))
        return Layout(of: try ViewNode(core.tree(in: current)), viewport: viewport, state: view)
    }

    /// What changed between two steps, by default in the last one.
    private func difference(_ parameters: Parameters) throws -> JSONValue {
        let last = Int64(simulation.transitions)
        let from = try parameters.whole("from") ?? max(last - 1, Int64(simulation.log.first) - 1)
        let to = try parameters.whole("to") ?? last
        var difference = try JSONValue(LayoutDifference(from: layout(at: from), to: layout(at: to)))
        let states = try [from, to].map { seq in
            try JSON.decode(JSONValue.self, from: simulation.core(after: Int(clamping: seq)).state)
        }
        difference["state"] = try JSONValue(states[0].changes(to: states[1]))
        return difference
    }

    // MARK: - Looking for faults

    /// What shuts people out of the screen, or (with `all`) of the screen of any scenario.
    private func lint(_ parameters: Parameters) throws -> JSONValue {
        guard try parameters.flag("all") == true else {
            let findings = try JSONValue(Lint.findings(in: try layout()))
            return .object(["findings": findings])
        }
        return .object(["scenarios": try lintAll()])
    }

    /// Walks at random, on cores of its own.
    private func walk(_ parameters: Parameters) async throws -> JSONValue {
        let steps = try parameters.whole("steps", in: 1...1_000_000) ?? 10_000
        let seed = try parameters.whole("seed").map(UInt64.init(bitPattern:)) ?? seed
        var walk = try RandomWalk(seed: seed, core: newCore)
        var finding: WalkFinding?
        while finding == nil, walk.steps < steps, !isShutDown {
            finding = try walk.run(steps: 500)
            // Others want to be answered too.
            await Task.yield()
        }
        return .object([
            "steps": .integer(Int64(walk.steps)), "seed": .integer(Int64(bitPattern: seed)),
            "fingerprint": .string(walk.fingerprint),
            "finding": finding.map { .string($0.description) } ?? .null,
            "trace": try finding.map { try JSONValue(Trace(name: "walk-\(seed)", inputs: $0.inputs)) } ?? .null,
        ])
    }
}
