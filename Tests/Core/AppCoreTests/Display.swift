import AppCore

/// A renderer as simple as can be: what it shows is made by diffs alone.
struct Display {
    /// The tree that it was last told of; not what it shows.
    var tree: SemanticNode
    private var nodes: [String: SemanticNode] = [:]
    private var children: [String: [String]] = [:]
    private var parents: [String: String] = [:]

    init(showing tree: SemanticNode) {
        self.tree = tree
        add(tree)
    }

    var shown: SemanticNode? { shown(tree.id) }

    mutating func apply(_ diff: TreeDiff) {
        if let root = diff.replaced { self = Display(showing: root) }
        for id in diff.removed { remove(id) }
        for placement in diff.placed where placement.node == nil { detach(placement.id) }
        for placement in diff.placed {
            if let node = placement.node { add(node) }
            parents[placement.id] = placement.parent
            children[placement.parent, default: []].insert(placement.id, at: placement.place)
        }
        for change in diff.updated { nodes[change.id] = nodes[change.id].flatMap { try? change.applied(to: $0) } }
    }

    private mutating func add(_ node: SemanticNode) {
        nodes[node.id] = node
        nodes[node.id]?.children = []
        children[node.id] = node.children.map(\.id)
        for child in node.children {
            parents[child.id] = node.id
            add(child)
        }
    }

    private mutating func detach(_ id: String) {
        if let parent = parents.removeValue(forKey: id) { children[parent]?.removeAll { $0 == id } }
    }

    private mutating func remove(_ id: String) {
        detach(id)
        for child in children.removeValue(forKey: id) ?? [] { remove(child) }
        nodes[id] = nil
    }

    private func shown(_ id: String) -> SemanticNode? {
        guard var node = nodes[id] else { return nil }
        node.children = ChunkedArray((children[id] ?? []).compactMap(shown))
        return node
    }
}
