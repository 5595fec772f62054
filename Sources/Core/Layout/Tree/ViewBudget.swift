/// Counts what a tree under construction has, against ``ViewLimits``.
struct ViewBudget {
    private var nodes = 0

    /// Takes account of one more node.
    mutating func enter(depth: Int) throws(LayoutError) {
        nodes += 1
        guard nodes <= ViewLimits.nodes else {
            throw LayoutError(
                .tooManyNodes, "The tree has more than \(ViewLimits.nodes) nodes. Show a part of it, as a list does.")
        }
        guard depth <= ViewLimits.depth else {
            throw LayoutError(
                .tooDeep, "The tree has more than \(ViewLimits.depth) levels. Put the nodes beside each other.")
        }
    }

    func check(text: String?, _ name: String, of id: String) throws(LayoutError) {
        try check(text, ViewLimits.textBytes, name, of: id)
    }

    func check(name text: String, _ name: String, of id: String) throws(LayoutError) {
        try check(text, ViewLimits.nameBytes, name, of: id)
    }

    private func check(_ text: String?, _ limit: Int, _ name: String, of id: String) throws(LayoutError) {
        guard let text, text.utf8.count > limit else { return }
        let shown = id.utf8.count > 80 ? "with a long id" : "\"\(id)\""
        throw LayoutError(.textTooLong, "The \(name) of the node \(shown) has more than \(limit) bytes. Shorten it.")
    }
}
