// How a renderer follows: the same steps in whatever language it is written.

extension SemanticNode {
    /// Becomes the next tree, as a ``TreeDiff`` between the two says. What names a node that is not there is left out.
    package mutating func apply(
        removed: [String], placed: [TreeDiff.Placement], updated: [TreeDiff.Change]
    ) {
        let moved = placed.filter { $0.node == nil }.map(\.id)
        var taken: [String: SemanticNode] = [:]
        take(Set(removed + moved), into: &taken)
        for placement in placed {
            guard let node = placement.node ?? taken[placement.id] else { continue }
            change(placement.parent) { parent in
                var children = Array(parent.children)
                children.insert(node, at: min(max(placement.place, 0), children.count))
                parent.children = ChunkedArray(children)
            }
        }
        for update in updated {
            change(update.id) { node in
                guard var changed = try? update.applied(to: node) else { return }
                changed.children = node.children
                node = changed
            }
        }
    }

    private mutating func take(_ ids: Set<String>, into taken: inout [String: SemanticNode]) {
        guard !ids.isEmpty, !children.isEmpty else { return }
        var kept: [SemanticNode] = []
        for var child in children {
            child.take(ids, into: &taken)
            if ids.contains(child.id) { taken[child.id] = child } else { kept.append(child) }
        }
        children = ChunkedArray(kept)
    }

    /// - Returns: whether the node was found.
    @discardableResult private mutating func change(_ id: String, _ body: (inout SemanticNode) -> Void) -> Bool {
        if self.id == id {
            body(&self)
            return true
        }
        for index in children.indices where children[index].find(id) != nil {
            return children[index].change(id, body)
        }
        return false
    }
}

extension TreeDiff.Change {
    /// The node with what is different, its children aside.
    /// - Throws: `DecodingError` if the fields are not those of a node, or the text is another one than was added to.
    package func applied(to node: SemanticNode) throws -> SemanticNode {
        var plain = node
        plain.children = []
        var json = try JSONValue(plain)
        for (name, value) in fields { json[name] = value == .null ? nil : value }
        if let append, let text = json["value"]?["text"]?.string {
            let units = Array(text.utf16)
            guard units.count == append.at else {
                throw DecodingError.unfit([], "the text is not the one that was added to")
            }
            json["value"]?["text"] = .string(String(decoding: units + Array(append.text.utf16), as: UTF16.self))
        }
        return try JSON.decode(SemanticNode.self, from: JSON.encode(json))
    }
}
