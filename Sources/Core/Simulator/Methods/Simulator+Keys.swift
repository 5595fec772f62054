import AppCore
import Layout

// Keys go to the node that is focused.

extension Simulator {
    func press(_ parameters: Parameters) throws -> JSONValue {
        let key = try parameters.needText("key")
        if let id = try parameters.text("node_id") {
            _ = try find(id, in: layout())
            try focus(id)
        }
        let node = try parameters.text("node_id") ?? layout().focused ?? "chat.draft"
        var isHandled = false
        var result = try reporting(["node_id": .string(node), "key": .string(key)], parameters) {
            isHandled = try press(key, parameters)
        }
        result["handled"] = .bool(isHandled)
        return result
    }

    /// False if the key means nothing here.
    private func press(_ key: String, _ parameters: Parameters) throws -> Bool {
        let layout = try layout()
        let target = try parameters.text("node_id") ?? layout.focused ?? "chat.draft"
        switch key.lowercased() {
        case "enter", "return":
            guard let target = layout.root.submitter(from: target) else { return false }
            try tap(target, parameters)
        case "escape", "esc":
            let ways = ["chat.interrupt", "back"]
            guard let way = ways.first(where: { layout.root.find($0)?.isEnabled == true }) else { return false }
            try tap(way, parameters)
        case "tab":
            guard !layout.focusOrder.isEmpty else { return false }
            let next = layout.focusingNext(backwards: try parameters.flag("shift") ?? false)
            change { _ in view = next }
        case "backspace":
            guard let field = layout.root.find(target), field.takesText else { return false }
            try enter(String((field.value ?? "").dropLast()), into: target, appends: false, parameters)
        default:
            guard key.count == 1, layout.root.find(target)?.takesText == true else { return false }
            try enter(key, into: target, appends: true, parameters)
        }
        return true
    }
}

extension ViewNode {
    var takesText: Bool { actions.contains("set_text") }

    /// What Enter does on a node: a button is tapped; a field is sent by the button after it whose id ends in `.send`
    /// or `.submit`.
    func submitter(from id: String) -> String? {
        let nodes = all
        guard let position = nodes.firstIndex(where: { $0.id == id }) else { return nil }
        if !nodes[position].takesText, nodes[position].actions.contains("tap") { return id }
        return nodes[position...].first { $0.id.hasSuffix(".send") || $0.id.hasSuffix(".submit") }?.id
    }
}
