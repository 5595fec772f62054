import AppCore
import ForeignCore
import Layout

/// A core of the earlier shape, `jcode_mobile_*`, with the gateway that it expects.
///
/// It has actions, effects and a tree of its own; its records are kept as it writes them.
struct JcodeSession: Sendable {
    private let path: String
    private let core: ForeignCore
    private(set) var scenario: String
    private(set) var initialState: JSONValue
    /// Top-level actions.
    private(set) var actions: [JSONValue] = []
    private(set) var transitions: [JSONValue] = []
    private(set) var effects: [JSONValue] = []

    /// The trace that is played step by step.
    private(set) var playback: JSONValue?

    static let firstScenario = "onboarding"
    /// What cores of this shape can begin with.
    static let scenarios = [
        firstScenario, "pairing_ready", "connected_chat", "pairing_invalid_code", "server_unreachable",
        "connected_empty_chat", "chat_streaming", "tool_approval_required", "tool_failed", "network_reconnect",
        "offline_queued_message", "long_running_task",
    ]
    /// Records that are kept.
    private static let limit = 100_000
    /// Answers of the gateway to one action.
    private static let answerLimit = 1000

    init(path: String, scenario: String) throws {
        self.path = path
        self.scenario = scenario
        core = try ForeignCore(library: path, scenario: .string(scenario))
        initialState = try core.state().value
    }

    /// Begins in a state that such a core told: the library is asked to go on from it, or has a scenario that is like it.
    private init(path: String, state: JSONValue) throws {
        self.path = path
        initialState = state
        if let core = try? ForeignCore(library: path, state: state), try core.state().value == state {
            (self.core, scenario) = (core, "given")
            return
        }
        for name in Self.scenarios {
            // A core need not know them all.
            guard let core = try? ForeignCore(library: path, scenario: .string(name)),
                try core.state().value == state
            else { continue }
            (self.core, scenario) = (core, name)
            return
        }
        throw SimulatorError(
            .badTrace,
            "The trace begins in a state that is none of the core's scenarios, and the core cannot be put into it.")
    }

    var state: JSONValue { get throws { try core.state().value } }
    var root: ViewNode { get throws { try ViewNode(json: core.tree().bytes) } }

    var screen: String {
        get throws { try core.tree().value["screen"]?.string ?? state["screen"]?.string ?? root.id }
    }

    /// The tree, if it says where its nodes are.
    var placed: PlacedTree? {
        get throws {
            let tree = PlacedTree(try core.tree().value)
            return tree.hasPlaces ? tree : nil
        }
    }

    func status() throws -> JSONValue {
        let state = try state
        return .object([
            "screen": .string(try screen), "connection_state": state["connection_state"] ?? .null,
            "message_count": .integer(Int64(state["messages"]?.array?.count ?? 0)),
            "transition_count": .integer(Int64(transitions.count)), "scenario": .string(scenario),
        ])
    }

    /// Lets the core go to a scenario of its own. The log goes on; only a core that knows no such action begins again.
    mutating func load(_ scenario: String) throws -> JSONValue {
        let kept = self
        do {
            let report = try dispatch(Self.say("load_scenario", ["scenario": scenario]))
            self.scenario = scenario
            return report
        } catch is ForeignCoreError {
            self = kept
            guard let fresh = try? JcodeSession(path: path, scenario: scenario) else {
                throw SimulatorError(
                    .unknownScenario, "The core knows no scenario \"\(scenario.prefix(64))\".")
            }
            self = fresh
            return .object(["transitions": .array([]), "effect_records": .array([]), "final_state": try state])
        }
    }

    /// Lets something happen, and the gateway answer unless the core does that itself.
    /// - Returns: a report as the core writes it, of everything that happened.
    mutating func dispatch(_ action: JSONValue) throws -> JSONValue {
        var reports: (transitions: [JSONValue], effects: [JSONValue]) = ([], [])
        // What an effect leads to happens before what comes after the effect.
        var waiting = [action]
        var count = 0
        while let next = waiting.popLast() {
            count += 1
            guard count <= Self.answerLimit else {
                throw SimulatorError(.coreFailed, "The core and its gateway keep each other busy.")
            }
            let report = try core.dispatch(JSON.encode(next))
            let json = report.json.value
            let happened = json["transitions"]?.array ?? []
            reports.transitions += happened
            reports.effects += json["effect_records"]?.array ?? []
            if happened.count <= 1 { waiting += report.effects.flatMap(Self.answers).reversed() }
        }
        actions = (actions + [action]).suffix(Self.limit)
        transitions = (transitions + reports.transitions).suffix(Self.limit)
        effects = (effects + reports.effects).suffix(Self.limit)
        return .object([
            "transitions": .array(reports.transitions), "effect_records": .array(reports.effects),
            "final_state": try state,
        ])
    }

    /// The answer of the earlier simulator's gateway to an effect.
    private static func answers(to effect: JSONValue) -> [JSONValue] {
        switch effect["type"]?.string {
        case "pair_and_connect":
            let host = effect["host"]?.string ?? ""
            if host.contains("offline") || host.contains("unreachable") {
                return [say("connection_failed", ["message": unreachable])]
            }
            guard effect["pair_code"] == .string("123456") else {
                return [say("pairing_failed", ["message": "Invalid or expired pairing code."])]
            }
            return [
                say("pairing_succeeded", ["server_name": "jcode", "server_version": "0.1.0"]),
                say("connected", ["session_id": "session_sim_1"]),
            ]
        case "send_message":
            let text = "Simulated response to: \(effect["text"]?.string ?? "")"
            return [say("append_assistant_text", ["text": text]), say("finish_turn", [:])]
        default: return []
        }
    }

    static let unreachable = "Server unreachable. Confirm host/port and gateway status."

    static func say(_ type: String, _ texts: [String: String]) -> JSONValue {
        .object(texts.mapValues { .string($0) }.merging(["type": .string(type)]) { $1 })
    }

    func trace(named name: String) throws -> JSONValue {
        .object([
            "schema_version": .integer(1), "name": .string(name), "initial_state": initialState,
            "actions": .array(actions), "transitions": .array(transitions), "effects": .array(effects),
            "final_state": try state,
        ])
    }

    private func beginning(of trace: JSONValue) throws -> JcodeSession {
        guard let state = trace["initial_state"], state.object != nil else {
            throw SimulatorError(.badTrace, "The trace has no \"initial_state\".")
        }
        return try JcodeSession(path: path, state: state)
    }

    /// Plays a trace, or so many of its actions, and goes on from there.
    mutating func play(_ trace: JSONValue, until limit: Int?) throws -> JSONValue {
        guard let all = trace["actions"]?.array else { throw SimulatorError(.badTrace, "The trace has no actions.") }
        var session = try beginning(of: trace)
        for action in all.prefix(limit ?? .max) { _ = try session.dispatch(action) }
        session.playback = trace
        self = session
        return .object([
            "seq": .integer(Int64(actions.count)), "total": .integer(Int64(all.count)),
            "screen": try state["screen"] ?? .null, "transition": transitions.last ?? .null,
        ])
    }

    /// So many actions further in the trace that is played, or back.
    mutating func step(by count: Int) throws -> JSONValue {
        guard let playback else {
            throw SimulatorError(.badRequest, "step: no trace is being played; call replay with a trace first.")
        }
        let last = playback["actions"]?.array?.count ?? 0
        return try play(playback, until: min(max(actions.count + count, 0), last))
    }

    /// Plays the actions of a trace on a core of its own, and compares.
    func difference(from trace: JSONValue) throws -> String? {
        guard let actions = trace["actions"]?.array else {
            throw SimulatorError(.badTrace, "The trace has no actions.")
        }
        var other = try beginning(of: trace)
        for action in actions { _ = try other.dispatch(action) }
        let replay = try other.trace(named: trace["name"]?.string ?? "")
        return trace.changes(to: replay).first.map { "The replay differs: \($0)." }
    }
}
