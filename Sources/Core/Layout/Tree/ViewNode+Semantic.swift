package import AppCore
package import Catalogues

extension ViewNode {
    /// The tree of the core, in the words of a language. A secret is shown as dots, a time as `2023-11-14 22:13 UTC`, progress as
    /// `37 %`.
    ///
    /// - Throws: what is over a limit of ``ViewLimits``.
    package init(_ node: SemanticNode, in catalogue: Catalogue = .english) throws(LayoutError) {
        var budget = ViewBudget()
        try self.init(node, depth: 1, catalogue, &budget)
    }

    private init(_ node: SemanticNode, depth: Int, _ catalogue: Catalogue, _ budget: inout ViewBudget)
        throws(LayoutError)
    {
        let (label, detail) = (catalogue.text(node.label), node.detail.map(catalogue.text))
        try budget.enter(depth: depth)
        try budget.check(name: node.id, "id", of: node.id)
        try budget.check(text: label, "label", of: node.id)
        try budget.check(text: detail, "detail", of: node.id)
        var children: [ViewNode] = []
        children.reserveCapacity(node.children.count)
        for child in node.children {
            if let unseen = node.facts.unseen, unseen.first == child.id {
                try budget.enter(depth: depth + 1)
                children.append(ViewNode("status", "\(node.id).unseen", catalogue.text(unseen.words)))
            }
            children.append(try ViewNode(child, depth: depth + 1, catalogue, &budget))
        }
        self.init(
            node.role.rawValue, node.id, label, detail: detail, at: node.at, side: node.side,
            isEnabled: node.isEnabled, isFocused: node.isFocused, isSelected: node.isSelected, isBusy: node.isBusy,
            actions: Self.actions(node.offers.map(\.verb.rawValue)), children)
        show(node.value, in: catalogue)
        try budget.check(text: value, "value", of: node.id)
    }

    mutating func show(_ shown: SemanticNode.Value?, in catalogue: Catalogue) {
        switch shown {
        case .text(let text): value = text
        case .words(let words): value = catalogue.text(words)
        case .count(let count): value = "\(count)"
        case .secret: value = Self.secretText
        case .time(let time): value = time.minuteText
        case .progress(let done, let total):
            let progress = Progress(done: done, total: total)
            self.progress = progress
            value = "\(progress.percent) %"
        case nil: value = nil
        }
    }

    static let secretText = "•••"

    /// What takes a whole text takes it key by key too.
    static func actions(_ verbs: [String]) -> [String] {
        var actions: [String] = []
        for verb in verbs where !actions.contains(verb) { actions.append(verb) }
        if actions.contains("set_text"), !actions.contains("type_text") { actions.append("type_text") }
        return actions
    }
}
