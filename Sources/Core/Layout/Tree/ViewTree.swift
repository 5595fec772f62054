import AppCore

/// A tree with its places, for automation: `{screen, root}` in the shape of the earlier simulator, and with what that did
/// not say: `detail`, `at`, `selected`, `busy`, `side` and `reading_order`. Written with `JSON.encode`, read back with
/// `ViewNode(json:)`.
package struct ViewTree: Sendable, Encodable {
    private let layout: Layout

    init(_ layout: Layout) { self.layout = layout }

    private enum Key: String, CodingKey { case screen, root }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(layout.root.id, forKey: .screen)
        var order = 0
        try container.encode(Node(layout.root, layout, isReached: true, &order), forKey: .root)
    }

    /// A node with its place: visible nodes come in the order of the frames.
    private struct Node: Encodable {
        var frame: Layout.Frame?
        var order: Int?
        var node: ViewNode
        var children: [Node]
        var isFocused: Bool
        var actions: [String]

        init(_ node: ViewNode, _ layout: Layout, isReached: Bool, _ order: inout Int) {
            self.node = node
            let isReached = isReached && node.isVisible
            if isReached, layout.frames.indices.contains(order) {
                frame = layout.frames[order]
                self.order = order
                order += 1
            }
            isFocused = isReached && layout.focused == node.id
            actions = frame.map { layout.actions(of: $0) } ?? []
            children = []
            children.reserveCapacity(node.children.count)
            for child in node.children { children.append(Node(child, layout, isReached: isReached, &order)) }
        }

        private enum Key: String, CodingKey {
            case id, role, label, value, detail, at, side, visible, enabled, focused, selected, busy
            case accessibilityLabel, accessibilityValue, supportedActions, bounds, readingOrder, children
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(node.id, forKey: .id)
            try container.encode(node.role, forKey: .role)
            try container.encode(node.label, forKey: .label)
            try container.encode(node.value, forKey: .value)
            try container.encodeIfPresent(node.detail, forKey: .detail)
            try container.encodeIfPresent(node.at, forKey: .at)
            try container.encodeIfPresent(node.side, forKey: .side)
            try container.encode(node.isVisible, forKey: .visible)
            try container.encode(node.isEnabled, forKey: .enabled)
            try container.encode(isFocused, forKey: .focused)
            try container.encode(node.isSelected, forKey: .selected)
            try container.encode(node.isBusy, forKey: .busy)
            try container.encode(node.accessibilityLabel ?? node.label, forKey: .accessibilityLabel)
            try container.encode(node.accessibilityValue ?? node.value, forKey: .accessibilityValue)
            try container.encode(actions, forKey: .supportedActions)
            try container.encode(frame?.bounds, forKey: .bounds)
            try container.encodeIfPresent(order, forKey: .readingOrder)
            try container.encode(children, forKey: .children)
        }
    }
}

extension Layout {
    /// The tree with its places.
    package var tree: ViewTree { ViewTree(self) }
}
