import AppCore
import Layout
import Scenarios

// Methods that change nothing.

extension Simulator {
    static let looking: [String: Method] = [
        "status": { simulator, _ in try simulator.status() },
        "state": { simulator, parameters in try simulator.state(at: parameters.whole("at")) },
        "tree": { simulator, parameters in try simulator.tree(at: parameters.whole("at")) },
        "find_node": { simulator, parameters in try simulator.node(parameters.needText("node_id")) },
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
        do { return try jcode?.root ?? ViewNode(tree) } catch let error as LayoutError {
            throw SimulatorError(.coreFailed, "The tree cannot be laid out: \(error.message)")
        }
    }

    /// What the screen is called: a core of the earlier shape says it beside its tree.
    func screen() throws -> String { try jcode?.screen ?? root().id }

    private func status() throws -> JSONValue {
        var status = try jcode?.status() ?? ownStatus()
        status["socket_path"] = socketPath.map { .string($0) } ?? .null
        status["started_at_ms"] = .integer(startedAt.milliseconds)
        status["revision"] = .integer(Int64(revision))
        return status
    }

    private func ownStatus() throws -> JSONValue {
        let rooms = try state()["rooms"]?.array ?? []
        let links = rooms.compactMap { $0["live"]?["link"]?.string }
        let messages = rooms.reduce(0) { $0 + ($1["messages"]?["all"]?.array?.count ?? 0) }
        let open = simulation.world.books.open
        return .object([
            "screen": .string(try tree.id),
            "connection_state": .string(Self.connection(links)),
            "message_count": .integer(Int64(messages)),
            "transition_count": .integer(Int64(simulation.transitions)),
            "scenario": .string(simulation.scenario),
            "seed": .integer(Int64(truncatingIfNeeded: simulation.seed)),
            "now": .integer(simulation.now.milliseconds),
            "pending_effects": .array(open.map { Self.describe($0.effect, $0.reason) }),
            "lost_effects": .array(simulation.world.books.lost.map { Self.describe($0, .lost) }),
            "agents": .array((try state()["talks"]?["sessions"]?.array ?? []).map(Self.describe(talk:))),
        ])
    }

    /// How a session with an agent stands, as far as the core claims to know: while the agent cannot be heard, that is nothing.
    private static func describe(talk: JSONValue) -> JSONValue {
        let session = talk["session"]
        let (status, since) = (session?["status"]?.string ?? "", session?["unknown_since"])
        let isInTurn = ["running", "waits"].contains(status)
        var members: [String: JSONValue] = [
            "session": session?["id"] ?? .null, "state": .string(isInTurn && since != nil ? "unknown" : status),
        ]
        members["unknown_since"] = since
        members["requests"] = session?["approvals"]?.array.map { .integer(Int64($0.count)) }
        return .object(members)
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

    /// `{screen, root}`. A core of the earlier shape may say itself where its nodes are.
    func tree(at seq: Int64? = nil) throws -> JSONValue {
        if let placed = try jcode?.placed { return placed.json }
        var tree = try JSONValue(layout(at: seq).tree)
        if jcode != nil { tree["screen"] = .string(try screen()) }
        return tree
    }

    /// A node as `tree` shows it.
    func node(_ id: String) throws -> JSONValue {
        guard let node = try PlacedTree(tree()).find(id) else { throw Self.unknown(id, in: try layout()) }
        return node
    }

    /// What a touch at a point reaches; with an action, what it does it to.
    func hit(x: Int, y: Int, action: String? = nil) throws -> String? {
        if let placed = try jcode?.placed { return placed.hit(x: x, y: y, action: action)?["id"]?.string }
        let layout = try layout()
        return action.map { layout.hit(x: x, y: y, action: $0)?.id } ?? layout.hit(x: x, y: y)?.id
    }

    static func unknown(_ id: String, in layout: Layout) -> SimulatorError {
        let ids = layout.focusOrder.prefix(40).joined(separator: ", ")
        return SimulatorError(
            .unknownNode,
            "Unknown node id: \(id.prefix(200)). Screen \(layout.root.id) offers: \(ids.isEmpty ? "nothing" : ids).")
    }

    // MARK: - Lint

    /// Findings of every scenario that has some, by its name.
    func lintAll() throws -> JSONValue {
        var all: [String: JSONValue] = [:]
        for name in Scenario.names {
            let tree = try Scenario.named(name).perform().driver.core.tree
            let findings = Lint.findings(in: Layout(of: try ViewNode(tree), viewport: viewport))
            if !findings.isEmpty { all[name] = try JSONValue(findings) }
        }
        return .object(all)
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
