/// Brings an edit of what was shown of a document back to the document.
///
/// Three documents are compared: the old one, the old one as Markdown shows it, and that one edited. What is equal in the
/// second and third is taken from the first, so that it does not matter what the second one lacks.
enum MarkdownMerge {
    static func blocks(
        of old: [RichText.Node], seenAs seen: [RichText.Node], editedTo edited: [RichText.Node]
    ) -> [RichText.Node] {
        if seen == edited { return old }
        // Every node is shown as one node; but an empty document has nothing to show.
        guard old.count == seen.count else { return edited }
        let steps = Pairing.steps(seen, edited)
        var moved: [RichText.Node: [RichText.Node]] = [:]
        for case .removed(let range) in steps {
            for index in range.reversed() { moved[seen[index], default: []].append(old[index]) }
        }
        return steps.flatMap { step -> [RichText.Node] in
            switch step {
            case .same(let index, _): [old[index]]
            case .changed(let before, let after): [node(old[before], seenAs: seen[before], editedTo: edited[after])]
            case .removed: []
            case .inserted(let range): range.map { moved[edited[$0]]?.popLast() ?? edited[$0] }
            }
        }
    }

    private static let textBlocks: Set<String> = ["paragraph", "heading", "codeBlock"]

    private static func node(
        _ old: RichText.Node, seenAs seen: RichText.Node, editedTo edited: RichText.Node
    ) -> RichText.Node {
        guard case .element(var element) = edited, let seen = seen.element, let old = old.element,
            old.name == seen.name, seen.name == element.name
        else { return edited }
        element.attributes = values(of: old.attributes, seenAs: seen.attributes, editedTo: element.attributes)
        let isText = textBlocks.contains(element.name)
        element.children =
            isText
            ? TextMerge.children(of: old.children, seenAs: seen.children, editedTo: element.children)
            : blocks(of: old.children, seenAs: seen.children, editedTo: element.children)
        return .element(element)
    }

    /// Attributes or marks: where the edit changed none, the old ones.
    static func values(
        of old: [String: RichText.Value], seenAs seen: [String: RichText.Value],
        editedTo edited: [String: RichText.Value]
    ) -> [String: RichText.Value] {
        if seen == edited { return old }
        var values = old
        for name in Set(seen.keys).union(edited.keys) where seen[name] != edited[name] {
            if let old = old[name]?.object, let seen = seen[name]?.object, let edited = edited[name]?.object {
                values[name] = .object(self.values(of: old, seenAs: seen, editedTo: edited))
            } else {
                values[name] = edited[name]
            }
        }
        return values
    }
}
