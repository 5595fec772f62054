import AppCore
import Layout

// Methods that a core of the earlier shape answers in its own way. Looking, pictures and assertions are the same.

extension Simulator {
    static let jcode: [String: JcodeMethod] = [
        "status": { stage, _ in
            let state = try stage.state
            return .object([
                "screen": state["screen"] ?? .null, "connection_state": state["connection_state"] ?? .null,
                "message_count": .integer(Int64(state["messages"]?.array?.count ?? 0)),
                "transition_count": .integer(Int64(stage.transitions.count)), "scenario": .string(stage.scenario),
            ])
        },
        "dispatch": { stage, parameters in
            let action = try parameters.need("action")
            if action["type"] == .string("load_scenario"), let name = action["scenario"]?.string {
                try stage.load(name)
            }
            return try stage.dispatch(action)
        },
        "tap": { stage, parameters in try stage.tap(parameters.needText("node_id")) },
        "set_text": { stage, parameters in
            try stage.enter(parameters.needText("text"), into: parameters.needText("node_id"), appends: false)
        },
        "type_text": { stage, parameters in
            try stage.enter(parameters.needText("text"), into: parameters.needText("node_id"), appends: true)
        },
        "keypress": { stage, parameters in
            try stage.press(parameters.needText("key"), in: parameters.text("node_id") ?? "chat.draft")
        },
        "reset": { stage, _ in
            try stage.load(JcodeStage.firstScenario)
            return try stage.state
        },
        "load_scenario": { stage, parameters in
            try stage.load(parameters.needText("scenario"))
            return try stage.state
        },
        "inject_fault": { stage, parameters in
            try stage.inject(parameters.needText("kind"), message: parameters.text("message"))
        },
        "log": { stage, parameters in
            let limit = Int(try parameters.whole("limit", in: 0...100_000) ?? 100_000)
            return .object([
                "transitions": .array(stage.transitions.suffix(limit)), "effects": .array(stage.effects.suffix(limit)),
            ])
        },
        "replay": { stage, parameters in
            guard let trace = parameters["trace"] else {
                return try stage.trace(named: parameters.text("name") ?? stage.scenario)
            }
            return try stage.play(trace, until: parameters.whole("until", in: 0...1_000_000).map(Int.init))
        },
        "step": { stage, parameters in
            try stage.step(by: Int(parameters.whole("by", in: -1_000_000...1_000_000) ?? 1))
        },
        "export_replay": { stage, parameters in try stage.trace(named: parameters.text("name") ?? stage.scenario) },
        "assert_replay": { stage, parameters in
            let trace = try parameters.need("trace")
            if let difference = try stage.difference(from: trace) { throw SimulatorError(.assertionFailed, difference) }
            let live = try stage.trace(named: trace["name"]?.string ?? "")
            let change = trace.changes(to: live).first
            return try assert(change == nil, "The live log differs: \(change?.description ?? "").")
        },
        "assert_transition": { stage, parameters in
            try assertListed("transition", parameters, stage.transitions.map { $0["action"] ?? $0 })
        },
        "assert_effect": { stage, parameters in
            try assertListed("effect", parameters, stage.effects.map { $0["effect"] ?? $0 })
        },
        "assert_no_error": { stage, _ in
            let error = try stage.state["error_message"]?.string
            return try assert(error == nil, "There is an error: \(error ?? "")")
        },
    ]

    typealias JcodeMethod = @Sendable (inout JcodeStage, Parameters) throws -> JSONValue

    /// The methods that work for such a core as they are.
    static let shared: Set<String> = [
        "state", "tree", "find_node", "render", "scene", "preview_mesh", "screenshot", "assert_screenshot", "hit_test",
        "assert_hit", "scroll", "assert_screen", "assert_text", "assert_node", "wait", "changes", "lint", "shutdown",
    ]

    private static func assertListed(_ what: String, _ parameters: Parameters, _ entries: [JSONValue]) throws
        -> JSONValue
    {
        let (type, text) = (try parameters.text("type"), try parameters.text("contains"))
        let fits = entries.contains { entry in
            (type == nil || entry["type"]?.string == type) && (text.map { entry.text.contains($0) } ?? true)
        }
        return try assert(fits, "There was no such \(what).")
    }
}

extension JcodeStage {
    mutating func tap(_ id: String) throws -> JSONValue {
        _ = try usable(id)
        return try dispatch(Self.say("tap_node", ["node_id": id]))
    }

    mutating func enter(_ text: String, into id: String, appends: Bool) throws -> JSONValue {
        let node = try usable(id)
        guard let action = Self.setting(id, to: appends ? (node.value ?? "") + text : text) else {
            throw SimulatorError(.wrongInput, "\(id) takes no text.")
        }
        return try dispatch(action)
    }

    mutating func press(_ key: String, in id: String) throws -> JSONValue {
        let node = try usable(id)
        switch key.lowercased() {
        case "enter", "return":
            guard let target = try root.submitter(from: id) else { break }
            return try tap(target)
        case "escape", "esc": return try tap("chat.interrupt")
        case "backspace": return try enter(String((node.value ?? "").dropLast()), into: id, appends: false)
        default: if key.count == 1 { return try enter(key, into: id, appends: true) }
        }
        return .object(["handled": .bool(true)])
    }

    mutating func inject(_ kind: String, message: String?) throws -> JSONValue {
        switch kind {
        case "connection_failed", "server_unreachable", "offline":
            return try dispatch(Self.say("connection_failed", ["message": message ?? Self.unreachable]))
        case "pairing_failed", "invalid_pairing_code":
            let message = message ?? "Invalid or expired pairing code."
            return try dispatch(Self.say("pairing_failed", ["message": message]))
        case "tool_failed":
            try load("tool_failed")
            return try state
        default:
            throw SimulatorError(
                .badRequest,
                "inject_fault: kind is connection_failed, server_unreachable, offline, pairing_failed,"
                    + " invalid_pairing_code or tool_failed.")
        }
    }

    /// A node that is there, visible and enabled.
    private func usable(_ id: String) throws -> ViewNode {
        let layout = Layout(of: try root)
        guard let node = layout.root.find(id) else { throw Simulator.unknown(id, in: layout) }
        guard node.isVisible else { throw SimulatorError(.unreachableNode, "\(id) is not visible.") }
        guard node.isEnabled else { throw SimulatorError(.disabledNode, "\(id) is disabled: it cannot be used now.") }
        return node
    }
}
