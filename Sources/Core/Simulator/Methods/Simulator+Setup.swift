import AppCore
import Layout
import Scenarios

// Scenarios, time, and what the other person does.

extension Simulator {
    static let setup: [String: Method] = [
        "reset": { simulator, _ in
            try simulator.load(named: "first_run")
            return try simulator.report(since: 0, withState: true)
        },
        "load_scenario": { simulator, parameters in
            try simulator.load(parameters.need("scenario"))
            return try simulator.report(since: 0, withState: true)
        },
        "scenarios": { _, _ in
            .array(
                try Scenario.names.map { name in
                    .object(["name": .string(name), "about": .string(try Scenario.named(name).about)])
                })
        },
        "advance": { simulator, parameters in
            let time = try parameters.needWhole("ms", in: 0...31_536_000_000)
            return try simulator.acting { try simulator.change { try $0.advance(milliseconds: time) } }
        },
        "restart": { simulator, parameters in
            let locked = try parameters.flag("locked") ?? false
            let recent = parameters["recent"] == nil ? nil : try parameters.needWhole("recent", in: 1...100_000)
            return try simulator.acting {
                try simulator.change { try $0.restart(locked: locked, recent: recent.map(Int.init)) }
            }
        },
        "peer": { simulator, parameters in try simulator.peer(parameters) },
        "wait": { simulator, parameters in try await simulator.wait(parameters) },
        "changes": { simulator, parameters in try await simulator.changes(parameters) },
        "shutdown": { simulator, _ in
            simulator.shutDown()
            return .object(["shutdown": .bool(true), "message": .string("shutting down")])
        },
    ]

    /// A scenario by its name, or the object of a scenario file.
    private func load(_ value: JSONValue) throws {
        guard value.object != nil else {
            guard let name = value.string else {
                throw SimulatorError(.badRequest, "load_scenario: \"scenario\" is a name or a scenario's object.")
            }
            return try load(named: name)
        }
        do { try load(try Scenario(name: value["name"]?.string ?? "from_file", json: JSON.encode(value))) } catch let
            error as ScenarioError
        { throw SimulatorError(.unknownScenario, "\(error)") }
    }

    func load(named name: String) throws {
        do { try load(try Scenario.named(name)) } catch let error as ScenarioError {
            throw SimulatorError(.unknownScenario, "\(error)")
        }
    }

    // MARK: - Waiting

    /// Lets logical time run as long as the condition does not hold, and then the time of this machine.
    private func wait(_ parameters: Parameters) async throws -> JSONValue {
        let limit = try parameters.whole("timeout_ms", in: 0...600_000) ?? 1000
        let condition = try Condition(parameters)
        let begin = simulation.now
        let end = ContinuousClock.now + .milliseconds(limit)
        while try !condition.holds(in: self) {
            guard !isShutDown, ContinuousClock.now < end else {
                throw SimulatorError(.timeout, "wait: after \(limit) ms, still not \(condition.words).")
            }
            // Another client's request may run between two events.
            if try jcode == nil && change({ try $0.runToNextEvent() }) {
                await Task.yield()
            } else {
                try? await Task.sleep(for: .milliseconds(min(25, max(limit, 1))))
            }
        }
        return .object([
            "matched": .bool(true), "waited_ms": .integer(begin.milliseconds(until: simulation.now)),
        ])
    }

    private struct Condition {
        let screen: String?
        let text: String?
        let node: String?

        init(_ parameters: Parameters) throws {
            screen = try parameters.text("screen")
            text = try parameters.text("contains")
            node = try parameters.text("node_id")
        }

        func holds(in simulator: isolated Simulator) throws -> Bool {
            if let screen, try simulator.screen() != screen { return false }
            if let node, try simulator.root().find(node) == nil { return false }
            if let text { return try simulator.shows(text) }
            return true
        }

        var words: String {
            let parts = [
                screen.map { "on screen \($0)" }, text.map { "showing \"\($0)\"" }, node.map { "with node \($0)" },
            ]
            return parts.compactMap(\.self).joined(separator: ", ")
        }
    }

    /// Answers when something has changed after a revision, or after a while in any case.
    private func changes(_ parameters: Parameters) async throws -> JSONValue {
        let seen = try parameters.whole("since") ?? 0
        let limit = try parameters.whole("timeout_ms", in: 0...600_000) ?? 30_000
        let end = ContinuousClock.now + .milliseconds(limit)
        while Int64(revision) <= seen, !isShutDown, ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(25))
            if Task.isCancelled { break }
        }
        return .object([
            "revision": .integer(Int64(revision)), "changed": .bool(Int64(revision) > seen),
            "screen": .string(try screen()),
        ])
    }
}
