import AppCore
import Layout

// What a person does with a core of the earlier shape, in the words of its simulator.

extension JcodeSession {
    /// A field: the action that fills it, and where its text is in the state.
    private struct Field {
        let action: String
        let place: [String]
    }

    /// Each field has the id of its node, and a short name.
    private static let fields: [String: Field] = {
        let host = Field(action: "set_host", place: ["pairing", "host"])
        let port = Field(action: "set_port", place: ["pairing", "port"])
        let code = Field(action: "set_pair_code", place: ["pairing", "pair_code"])
        let device = Field(action: "set_device_name", place: ["pairing", "device_name"])
        let draft = Field(action: "set_draft", place: ["draft_message"])
        return [
            "pair.host": host, "host": host, "pair.port": port, "port": port, "pair.code": code, "pair_code": code,
            "code": code, "pair.device_name": device, "device_name": device, "chat.draft": draft, "draft": draft,
        ]
    }()

    /// Taps what is there, visible and enabled.
    mutating func tap(_ id: String) throws -> JSONValue {
        let layout = Layout(of: try root)
        guard let node = layout.root.find(id) else { throw Simulator.unknown(id, in: layout) }
        guard node.isVisible else { throw SimulatorError(.unreachableNode, "\(id) is not visible.") }
        guard node.isEnabled else { throw SimulatorError(.disabledNode, "\(id) is disabled: it cannot be used now.") }
        return try dispatch(Self.say("tap_node", ["node_id": id]))
    }

    /// Fills a field, also one that is not on the screen: the earlier simulator writes into the state.
    mutating func enter(_ text: String, into id: String, appends: Bool) throws -> JSONValue {
        guard text.utf8.count <= 1 << 20 else { throw SimulatorError(.badRequest, "\"text\" is longer than 1 MiB.") }
        let field = try field(id)
        let old = appends ? try self.text(of: field) : ""
        return try dispatch(Self.say(field.action, ["value": old + text]))
    }

    private func field(_ id: String) throws -> Field {
        if let field = Self.fields[id] { return field }
        let layout = Layout(of: try root)
        guard layout.root.find(id) != nil else { throw Simulator.unknown(id, in: layout) }
        throw SimulatorError(.wrongInput, "\(id) takes no text.")
    }

    private func text(of field: Field) throws -> String {
        let state = try state
        return field.place.reduce(state) { $0[$1] ?? .null }.string ?? ""
    }

    /// - Returns: the report; `nil` for a key that does nothing.
    mutating func press(_ key: String, in id: String) throws -> JSONValue? {
        switch key.lowercased() {
        case "enter", "return":
            guard ["chat.draft", "draft", "chat.send"].contains(id) else { return nil }
            return try dispatch(Self.say("tap_node", ["node_id": "chat.send"]))
        case "escape", "esc": return try dispatch(Self.say("tap_node", ["node_id": "chat.interrupt"]))
        case "backspace":
            let rest = try text(of: field(id)).dropLast()
            return try enter(String(rest), into: id, appends: false)
        default: return key.count == 1 ? try enter(key, into: id, appends: true) : nil
        }
    }

    mutating func inject(_ kind: String, message: String?) throws -> JSONValue {
        let message = message ?? "Injected simulator fault."
        switch kind {
        case "connection_failed", "server_unreachable":
            return try dispatch(Self.say("connection_failed", ["message": message]))
        case "pairing_failed", "invalid_pairing_code":
            return try dispatch(Self.say("pairing_failed", ["message": message]))
        case "tool_failed": return try load("tool_failed")
        case "offline": return try load("offline_queued_message")
        default:
            throw SimulatorError(
                .badRequest,
                "inject_fault: kind is connection_failed, server_unreachable, offline, pairing_failed,"
                    + " invalid_pairing_code or tool_failed.")
        }
    }
}
