import AppCore

// Methods that a core of the earlier shape answers in its own way, byte for byte as its simulator did. Looking, pictures,
// touches and most assertions are the same for every core.

extension Simulator {
    static let jcode: [String: JcodeMethod] = [
        "dispatch": { session, parameters in
            let action = try parameters.need("action")
            guard action["type"] == .string("load_scenario"), let name = action["scenario"]?.string else {
                return try session.dispatch(action)
            }
            return try session.load(name)
        },
        "tap": { session, parameters in try session.tap(parameters.needText("node_id")) },
        "set_text": { session, parameters in
            try session.enter(parameters.needText("text"), into: parameters.needText("node_id"), appends: false)
        },
        "type_text": { session, parameters in
            let (id, text) = (try parameters.needText("node_id"), try parameters.needText("text"))
            let report = try session.enter(text, into: id, appends: true)
            return .object(["node_id": .string(id), "text": .string(text), "report": report])
        },
        "keypress": { session, parameters in
            let (id, key) = (try parameters.text("node_id") ?? "chat.draft", try parameters.needText("key"))
            let report = try session.press(key, in: id)
            var result: [String: JSONValue] = ["node_id": .string(id), "key": .string(key)]
            if let report { result["report"] = report } else { result["handled"] = .bool(true) }
            return .object(result)
        },
        "reset": { session, _ in try session.dispatch(JcodeSession.say("reset", [:])) },
        "load_scenario": { session, parameters in try session.load(parameters.needText("scenario")) },
        "inject_fault": { session, parameters in
            let kind = try parameters.needText("kind")
            let report = try session.inject(kind, message: parameters.text("message"))
            return .object(["kind": .string(kind), "report": report])
        },
        // The limit is on the transitions only.
        "log": { session, parameters in
            let limit = Int(try parameters.whole("limit", in: 0...Int64(Int32.max)) ?? Int64(Int32.max))
            return .object([
                "transitions": .array(session.transitions.suffix(limit)), "effects": .array(session.effects),
            ])
        },
        "replay": { session, parameters in
            guard let trace = parameters["trace"] else { return try export(session, parameters) }
            return try session.play(trace, until: parameters.whole("until", in: 0...1_000_000).map(Int.init))
        },
        "step": { session, parameters in
            try session.step(by: Int(parameters.whole("by", in: -1_000_000...1_000_000) ?? 1))
        },
        "export_replay": { session, parameters in try export(session, parameters) },
        "assert_replay": { session, parameters in
            let trace = try parameters.need("trace")
            if let difference = try session.difference(from: trace) {
                throw SimulatorError(.assertionFailed, difference)
            }
            let name = trace["name"]?.string ?? ""
            let change = trace.changes(to: try session.trace(named: name)).first
            return try assert(
                change == nil, "The live log differs: \(change?.description ?? "").",
                ["name": .string(name), "matched": .bool(true)])
        },
        "assert_transition": { session, parameters in try assertListed("action", parameters, session.transitions) },
        "assert_effect": { session, parameters in try assertListed("effect", parameters, session.effects) },
        "assert_no_error": { session, _ in
            let error = try session.state["error_message"]?.string
            return try assert(error == nil, "There is an error: \(error ?? "")", ["ok": .bool(true)])
        },
    ]

    typealias JcodeMethod = @Sendable (inout JcodeSession, Parameters) throws -> JSONValue

    /// The methods that work for such a core as they are.
    static let shared: Set<String> = [
        "status", "state", "tree", "find_node", "render", "scene", "preview_mesh", "screenshot", "assert_screenshot",
        "hit_test", "assert_hit", "tap_at", "scroll", "gesture", "assert_screen", "assert_text", "assert_node", "wait",
        "changes", "lint", "shutdown",
    ]

    private static func export(_ session: JcodeSession, _ parameters: Parameters) throws -> JSONValue {
        try session.trace(named: parameters.text("name") ?? "mobile-sim-replay")
    }

    /// The first record whose action or effect is of a type, and which contains a text anywhere.
    private static func assertListed(
        _ content: String, _ parameters: Parameters, _ records: [JSONValue]
    ) throws -> JSONValue {
        let (type, text) = (try parameters.text("type"), try parameters.text("contains"))
        let record = records.first { record in
            (type == nil || record[content]?["type"]?.string == type) && (text.map { record.text.contains($0) } ?? true)
        }
        let name = content == "action" ? "transition" : content
        return try assert(record != nil, "There was no such \(name).", [name: record ?? .null])
    }
}
