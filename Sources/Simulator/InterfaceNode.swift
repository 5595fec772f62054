import AppCore

/// A node of the tree in the shape that clients of the simulator see.
struct InterfaceNode: Sendable, Hashable, Codable {
    var id: String
    var role: String
    var label: String
    var value: String?
    var detail: String?
    var visible: Bool
    var enabled: Bool
    var focused: Bool
    var selected: Bool?
    var busy: Bool?
    var accessibilityLabel: String?
    var accessibilityValue: String?
    var supportedActions: [String]
    var bounds: Bounds?
    var children: [InterfaceNode]

    /// Logical points, from the top left.
    struct Bounds: Sendable, Hashable, Codable { var x, y, width, height: Double }

    /// The node itself, or the one below it, with this id.
    func find(_ id: String) -> InterfaceNode? {
        if self.id == id { return self }
        for child in children { if let match = child.find(id) { return match } }
        return nil
    }

    /// Every node, in reading order.
    var all: [InterfaceNode] { [self] + children.flatMap(\.all) }
}

extension InterfaceNode {
    /// A node of a core that speaks Alcove's JSON.
    init(_ node: SemanticNode, focus: String?, bounds: (String) -> Bounds?) {
        id = node.id
        role = node.role.rawValue
        label = node.label
        value = node.value?.shown
        detail = node.detail
        visible = true
        enabled = node.isEnabled
        focused = focus.map { $0 == node.id } ?? node.isFocused
        selected = node.isSelected ? true : nil
        busy = node.isBusy ? true : nil
        accessibilityLabel = node.label
        accessibilityValue = node.value?.shown ?? node.detail
        supportedActions = node.offers.flatMap(\.verb.actions)
        self.bounds = bounds(node.id)
        children = node.children.map { InterfaceNode($0, focus: focus, bounds: bounds) }
    }
}

extension SemanticNode.Value {
    /// The value as text; a secret shows as what it is called, never as what it is.
    var shown: String {
        switch self {
        case .text(let text): text
        case .secret: "(secret)"
        case .time(let time): "\(time.milliseconds)"
        case .progress(let done, let total): "\(done) of \(total)"
        }
    }
}

extension Offer.Verb {
    /// What a client may do with the offer.
    fileprivate var actions: [String] {
        switch self {
        case .tap: ["tap"]
        case .setText: ["set_text", "type_text"]
        case .setSecret: ["set_secret", "type_text"]
        case .attach: ["attach"]
        }
    }
}
