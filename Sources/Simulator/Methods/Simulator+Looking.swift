import AppCore

// Methods that change nothing.

extension Simulator {
    static let looking: [String: Method] = [
        "status": { simulator, _ in try simulator.status() },
        "state": { simulator, _ in try simulator.state() },
        "tree": { simulator, _ in
            let root = try simulator.interface()
            return .object(["screen": .string(root.id), "root": try JSONValue(root)])
        },
        "find_node": { simulator, parameters in try JSONValue(try simulator.find(parameters.needText("node_id"))) },
        "render": { simulator, parameters in try simulator.render(parameters) },
    ]

    func state() throws -> JSONValue { try JSON.decode(JSONValue.self, from: simulation.core.state) }

    private func status() throws -> JSONValue {
        let rooms = try state()["rooms"]?.array ?? []
        let links = rooms.compactMap { $0["live"]?["link"]?.string }
        let messages = rooms.reduce(0) { $0 + ($1["messages"]?["all"]?.array?.count ?? 0) }
        let open = simulation.world.books.open
        return .object([
            "socket_path": socketPath.map { .string($0) } ?? .null,
            "started_at_ms": .integer(startedAt.milliseconds),
            "screen": .string(try simulation.tree.id),
            "connection_state": .string(Self.connection(links)),
            "message_count": .integer(Int64(messages)),
            "transition_count": .integer(Int64(simulation.transitions)),
            "scenario": .string(simulation.scenario),
            "seed": .integer(Int64(truncatingIfNeeded: simulation.seed)),
            "now": .integer(simulation.now.milliseconds),
            "revision": .integer(Int64(revision)),
            "pending_effects": .array(open.map { Self.describe($0.effect, $0.reason) }),
            "lost_effects": .array(simulation.world.books.lost.map { Self.describe($0, .lost) }),
        ])
    }

    private static func describe(_ effect: Effect, _ reason: EffectBooks.Reason) -> JSONValue {
        .object([
            "id": .integer(Int64(clamping: effect.id.number)), "type": .string(effect.type),
            "reason": .string(reason.rawValue),
        ])
    }

    /// The best link of all rooms, in three words.
    private static func connection(_ links: [String]) -> String {
        if links.contains(LinkState.connected.rawValue) { return "connected" }
        return links.contains { $0 != LinkState.closed.rawValue } ? "connecting" : "disconnected"
    }

    // MARK: - Nodes

    /// The tree as clients see it.
    func interface() throws -> InterfaceNode {
        let tree = try simulation.tree
        let focus = focus.flatMap { tree.find($0) == nil ? nil : $0 }
        return InterfaceNode(tree, focus: focus) { _ in nil }
    }

    func find(_ id: String) throws -> InterfaceNode {
        let root = try interface()
        guard let node = root.find(id) else { throw Self.unknown(id, on: root) }
        return node
    }

    static func unknown(_ id: String, on root: InterfaceNode) -> SimulatorError {
        let ids = root.all.filter { !$0.supportedActions.isEmpty }.map(\.id).prefix(40).joined(separator: ", ")
        return SimulatorError(
            .unknownNode,
            "Unknown node id: \(id.prefix(200)). Screen \(root.id) offers: \(ids.isEmpty ? "nothing" : ids).")
    }

    // MARK: - Text

    private func render(_ parameters: Parameters) throws -> JSONValue {
        let root = try interface()
        switch try parameters.text("format") ?? "text" {
        case "text":
            let text = root.lines().joined(separator: "\n")
            return .object(["format": .string("text"), "output": .string(text)])
        case "json": return .object(["format": .string("json"), "output": try JSONValue(root)])
        default: throw SimulatorError(.badRequest, "render: \"format\" must be text or json.")
        }
    }
}

extension InterfaceNode {
    /// One line a node, indented by depth.
    func lines(depth: Int = 0) -> [String] {
        var line = String(repeating: "  ", count: depth) + "\(role) \(id)"
        if !label.isEmpty { line += " \"\(label)\"" }
        if let value { line += " = \"\(value)\"" }
        if let detail { line += " (\(detail))" }
        if !enabled { line += " disabled" }
        if focused { line += " focused" }
        if selected == true { line += " selected" }
        if !supportedActions.isEmpty { line += " [\(supportedActions.joined(separator: " "))]" }
        return [line] + children.flatMap { $0.lines(depth: depth + 1) }
    }
}
