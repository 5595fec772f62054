import AppCore

// Keys go to the node that is focused.

extension Simulator {
    func press(_ parameters: Parameters) throws -> JSONValue {
        let key = try parameters.needText("key")
        if let id = try parameters.text("node_id") { focus = try find(id).id }
        let before = simulation.transitions
        let handled = try press(key, parameters)
        var report = try report(since: before, withState: false)
        report["handled"] = .bool(handled)
        return report
    }

    /// False if the key means nothing here.
    private func press(_ key: String, _ parameters: Parameters) throws -> Bool {
        let root = try interface()
        switch key.lowercased() {
        case "enter", "return":
            guard let target = root.submitter(from: focused(root)) else { return false }
            try tap(target, parameters)
        case "escape", "esc":
            guard let way = ["chat.interrupt", "back"].first(where: { root.find($0)?.enabled == true }) else {
                return false
            }
            try tap(way, parameters)
        case "backspace":
            guard let field = focused(root).flatMap(root.find), field.takesText else { return false }
            try enter(String((field.value ?? "").dropLast()), into: field.id, appends: false, parameters)
        case "tab":
            let stops = root.all.filter { $0.enabled && !$0.supportedActions.isEmpty }.map(\.id)
            guard let first = stops.first else { return false }
            let position = focused(root).flatMap(stops.firstIndex)
            change { _ in focus = position.map { stops[($0 + 1) % stops.count] } ?? first }
        default:
            guard key.count == 1, let field = focused(root).flatMap(root.find), field.takesText else { return false }
            try enter(key, into: field.id, appends: true, parameters)
        }
        return true
    }

    private func focused(_ root: InterfaceNode) -> String? {
        root.all.first(where: \.focused)?.id ?? root.find("chat.draft")?.id
    }
}

extension InterfaceNode {
    var takesText: Bool { supportedActions.contains("set_text") }

    /// What Enter does on a node: a button is tapped; a field is sent by the button after it that ends in `.send` or
    /// `.submit`.
    func submitter(from id: String?) -> String? {
        let nodes = all
        guard let position = nodes.firstIndex(where: { $0.id == id }) else { return nil }
        if nodes[position].supportedActions.contains("tap") { return id }
        return nodes[position...].first { $0.id.hasSuffix(".send") || $0.id.hasSuffix(".submit") }?.id
    }
}
