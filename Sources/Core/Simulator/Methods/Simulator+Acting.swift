import AppCore
import Layout

// What a person does with nodes; keys and touches are in files of their own.

extension Simulator {
    static let acting: [String: Method] = [
        "dispatch": { simulator, parameters in try simulator.dispatch(parameters) },
        "tap": { simulator, parameters in
            try simulator.acting { try simulator.tap(parameters.needText("node_id"), parameters) }
        },
        "set_text": { simulator, parameters in
            let (id, text) = (try parameters.needText("node_id"), try parameters.text("text") ?? "")
            return try simulator.acting { try simulator.enter(text, into: id, appends: false, parameters) }
        },
        "type_text": { simulator, parameters in
            let (id, text) = (try parameters.needText("node_id"), try parameters.needText("text"))
            // A secret is not said again.
            let isSecret = try simulator.tree.find(id)?.offers.contains { $0.verb == .setSecret } ?? false
            return try simulator.reporting(
                ["node_id": .string(id), "text": .string(isSecret ? "•••" : text)], parameters
            ) { try simulator.enter(text, into: id, appends: true, parameters) }
        },
        "keypress": { simulator, parameters in try simulator.press(parameters) },
    ]

    /// Does something and tells what came of it.
    func acting(_ act: () throws -> Void) throws -> JSONValue {
        let before = simulation.transitions
        try act()
        return try report(since: before, withState: false)
    }

    /// As ``acting(_:)``, and in the shape of the earlier simulator too: what was asked for, and a `report` with the
    /// state, unless `state` is false.
    func reporting(
        _ echo: [String: JSONValue], _ parameters: Parameters, _ act: () throws -> Void
    ) throws -> JSONValue {
        let before = simulation.transitions
        try act()
        let report = try report(since: before, withState: try parameters.flag("state") ?? true)
        var result = echo
        for key in ["handled", "screen", "transitions", "effect_records"] { result[key] = report[key] }
        let keys = ["transitions", "effect_records", "final_state"]
        result["report"] = .object(
            Dictionary(uniqueKeysWithValues: keys.compactMap { key in report[key].map { (key, $0) } }))
        return .object(result)
    }

    /// What happened after the transition `seq`.
    func report(since seq: Int, withState: Bool) throws -> JSONValue {
        let range = (seq + 1)..<(max(seq, simulation.transitions) + 1)
        var report: [String: JSONValue] = [
            "handled": .bool(true),
            "screen": .string(try tree.id),
            "transitions": .array(try range.compactMap { try simulation.transition($0) }),
            "effect_records": .array(try range.flatMap { try simulation.effectRecords(of: $0) }),
        ]
        if withState { report["final_state"] = try state() }
        return .object(report)
    }

    private func dispatch(_ parameters: Parameters) throws -> JSONValue {
        let action = try parameters.need("action")
        switch action["type"]?.string {
        case "tap_node":
            guard let id = action["node_id"]?.string else {
                throw SimulatorError(.badRequest, "dispatch: tap_node needs \"node_id\".")
            }
            return try acting { try tap(id, parameters) }
        case "reset":
            try load(named: "first_run")
            return try report(since: 0, withState: true)
        case "load_scenario":
            guard let name = action["scenario"]?.string else {
                throw SimulatorError(.badRequest, "dispatch: load_scenario needs \"scenario\".")
            }
            try load(named: name)
            return try report(since: 0, withState: true)
        default:
            let before = simulation.transitions
            try change { try $0.dispatch(json: action, in: current) }
            return try report(since: before, withState: try parameters.flag("state") ?? true)
        }
    }

    // MARK: - Offers

    /// A node that a person can use now; it is scrolled into sight.
    private func usable(_ id: String) throws -> SemanticNode {
        let layout = try layout()
        guard let node = try tree.find(id) else { throw Self.unknown(id, in: layout) }
        guard node.isEnabled else {
            let reason = node.isBusy ? "it is busy" : node.detail ?? "it cannot be used now"
            throw SimulatorError(.disabledNode, "\(id) is disabled: \(reason).")
        }
        try reveal(id, in: layout)
        return node
    }

    private func reveal(_ id: String, in layout: Layout) throws {
        guard let frame = layout[id] else { throw SimulatorError(.unreachableNode, "\(id) is not visible.") }
        guard frame.shown != frame.bounds else { return }
        view = layout.revealing(id)
        guard try self.layout()[id]?.shown != nil else {
            throw SimulatorError(.unreachableNode, "\(id) is cut off, and scrolling does not bring it into sight.")
        }
    }

    func tap(_ id: String, _ parameters: Parameters) throws {
        let node = try usable(id)
        if let offer = node.offers.first(where: { $0.verb == .tap }) {
            try change { try $0.dispatch(offer.action, in: current) }
        } else if let offer = node.offers.first(where: { $0.verb == .attach }) {
            try attach(offer, to: id, parameters)
        } else if !node.offers.isEmpty {
            // Tapping a field puts the cursor into it.
            try focus(id)
        } else {
            throw SimulatorError(.wrongInput, "\(id) is a \(node.role.rawValue): there is nothing to tap.")
        }
    }

    func focus(_ id: String) throws {
        let focused = try layout().focusing(id)
        change { _ in view = focused }
    }

    private func attach(_ offer: Offer, to id: String, _ parameters: Parameters) throws {
        // A file that is only to be opened is known by its name.
        if offer.inputs == ["handle"], let name = try parameters.text("name") {
            let action = try offer.filled(with: ["handle": .string(name)])
            return try change { try $0.dispatch(action, in: current) }
        }
        guard let name = try parameters.text("name"), let bytes = try parameters.whole("bytes") else {
            throw SimulatorError(.wrongInput, "\(id) takes a file: add \"name\" and \"bytes\".")
        }
        let handle = JSONValue.string("handle-\(simulation.transitions + 1)")
        let action = try offer.filled(with: ["name": .string(name), "bytes": .integer(bytes), "handle": handle])
        try change { try $0.dispatch(action, in: current) }
    }

    /// Puts text into a field, or a secret into a secret field.
    func enter(_ text: String, into id: String, appends: Bool, _ parameters: Parameters) throws {
        guard text.utf8.count <= 1 << 20 else { throw SimulatorError(.badRequest, "\"text\" is longer than 1 MiB.") }
        let node = try usable(id)
        if let offer = node.offers.first(where: { $0.verb == .setText }) {
            let old = if appends, case .text(let value)? = node.value { value } else { "" }
            let action = try offer.filled(with: offer.inputs.reduce(into: [:]) { $0[$1] = .string(old + text) })
            view.focus = id
            try change { try $0.dispatch(action, in: current) }
        } else if let offer = node.offers.first(where: { $0.verb == .setSecret }) {
            try enterSecret(text, offer, into: id, parameters)
        } else {
            throw SimulatorError(.wrongInput, "\(id) is a \(node.role.rawValue): it takes no text.")
        }
    }

    /// The secret store keeps the secrets; the action takes the references.
    private func enterSecret(_ text: String, _ offer: Offer, into id: String, _ parameters: Parameters) throws {
        var secrets: [String: String] = [:]
        if offer.inputs.count == 1, let input = offer.inputs.first { secrets[input] = text }
        for (input, value) in parameters["secrets"]?.object ?? [:] { secrets[input] = value.string }
        let missing = offer.inputs.filter { secrets[$0] == nil }
        guard missing.isEmpty else {
            let needed = offer.inputs.map { "\"\($0)\"" }.joined(separator: " and ")
            throw SimulatorError(.wrongInput, "\(id) takes \(needed): add \"secrets\" with these keys.")
        }
        try change { simulation in
            let filled = offer.inputs.reduce(into: [String: JSONValue]()) { filled, input in
                filled[input] = secrets[input].map { .string(simulation.world.secrets.keep($0).text) }
            }
            try simulation.dispatch(try offer.filled(with: filled), in: current)
        }
    }
}
