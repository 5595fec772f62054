import AppCore
import Layout

// Methods that change nothing.

extension Simulator {
    static let looking: [String: Method] = [
        "status": { simulator, _ in try simulator.status() },
        "state": { simulator, parameters in try simulator.state(at: parameters.whole("at")) },
        "tree": { simulator, parameters in try JSONValue(simulator.layout(at: parameters.whole("at")).tree) },
        "find_node": { simulator, parameters in try simulator.nodeJSON(parameters.needText("node_id")) },
        "render": { simulator, parameters in try simulator.render(parameters) },
    ]

    /// The state, now or (with `at`) after an earlier step.
    func state(at seq: Int64? = nil) throws -> JSONValue {
        if let jcode { return try jcode.state }
        let core = try seq.map { try simulation.core(after: Int(clamping: $0)) } ?? simulation.core
        return try JSON.decode(JSONValue.self, from: core.state)
    }

    /// What there is to see, whatever the core.
    func root() throws -> ViewNode {
        do { return try jcode?.root ?? ViewNode(simulation.tree) } catch let error as LayoutError {
            throw SimulatorError(.coreFailed, "The tree cannot be laid out: \(error.message)")
        }
    }

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

    /// The tree as it is laid out now.
    func layout() throws -> Layout {
        Layout(of: try root(), viewport: viewport, state: view)
    }

    func find(_ id: String, in layout: Layout) throws(SimulatorError) -> ViewNode {
        guard let node = layout.root.find(id) else { throw Self.unknown(id, in: layout) }
        return node
    }

    private func nodeJSON(_ id: String) throws -> JSONValue {
        let layout = try layout()
        _ = try find(id, in: layout)
        return try json(of: id, in: layout) ?? .null
    }

    /// A node as `tree` shows it.
    func json(of id: String, in layout: Layout) throws -> JSONValue? {
        func search(_ node: JSONValue) -> JSONValue? {
            if node["id"]?.string == id { return node }
            for child in node["children"]?.array ?? [] { if let match = search(child) { return match } }
            return nil
        }
        return try JSONValue(layout.tree)["root"].flatMap(search)
    }

    static func unknown(_ id: String, in layout: Layout) -> SimulatorError {
        let ids = layout.focusOrder.prefix(40).joined(separator: ", ")
        return SimulatorError(
            .unknownNode,
            "Unknown node id: \(id.prefix(200)). Screen \(layout.root.id) offers: \(ids.isEmpty ? "nothing" : ids).")
    }

    // MARK: - Text

    private func render(_ parameters: Parameters) throws -> JSONValue {
        let layout = try layout(at: parameters.whole("at"))
        switch try parameters.text("format") ?? "text" {
        case "text":
            return .object(["format": .string("text"), "output": .string(layout.root.outline)])
        case "json": return .object(["format": .string("json"), "output": try JSONValue(layout.tree)])
        default: throw SimulatorError(.badRequest, "render: \"format\" must be text or json.")
        }
    }
}

extension ViewNode {
    /// Every node, in reading order.
    var all: [ViewNode] { [self] + children.flatMap(\.all) }
}
