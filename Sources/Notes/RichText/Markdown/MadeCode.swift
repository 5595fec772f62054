extension RichText {
    /// The name of an unknown element that an edit of `old` turned into mere code, by changing the JSON that it is shown as. Nil if there
    /// is none. Removing such an element as a whole is an edit like any other.
    public func elementMadeCode(editing old: RichText) -> String? {
        guard jsonCodeCount > old.jsonCodeCount else { return nil }
        let lost = old.foreignNodes.subtracting(foreignNodes)
        // What has one inside breaks the schema too, but is not what was changed.
        return lost.compactMap(\.element).filter { !$0.children.contains(where: lost.contains) }.map(\.name).min()
    }

    /// The code blocks and spans that have the mark of an element but are none.
    private var jsonCodeCount: Int {
        func count(_ siblings: [Node]) -> Int {
            siblings.reduce(0) { sum, node in
                switch node {
                case .text(let runs):
                    return sum
                        + zip(runs, runs.dropFirst()).count { code, behind in
                            code.marks["code"] != nil && behind.text?.hasScalarPrefix(InlineReader.jsonMark) == true
                        }
                case .element(let element):
                    let isJSON = element.attributes["language"] == .string(InlineReader.jsonMark)
                    return sum + count(element.children) + (isJSON ? 1 : 0)
                }
            }
        }
        return count(blocks)
    }
}
