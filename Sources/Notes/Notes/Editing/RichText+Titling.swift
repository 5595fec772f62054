internal import RichText

extension RichText {
    /// The document with another title: the text of the block that the title comes from. A list or a table stays as it is; the title
    /// comes before it.
    func titled(_ title: String) -> RichText {
        var titled = self
        let first = blocks.firstIndex { RichText([$0]).hasText }
        guard let index = first ?? blocks.indices.first, case .element(var element) = blocks[index],
            ["paragraph", "heading"].contains(element.name)
        else {
            titled.blocks.insert(.element(Element("paragraph", [:], [.text([Run(title)])])), at: first ?? 0)
            return titled
        }
        element.reword(as: title)
        titled.blocks[index] = .element(element)
        return titled
    }

    /// The document with more blocks at its end. Items go on with a list of the same kind, and an empty paragraph at the end, as a new
    /// note has one, gives way.
    func appending(_ more: [Node]) -> RichText {
        var joined = self
        var more = more[...]
        if case .element(let last) = joined.blocks.last, last == Element("paragraph") { joined.blocks.removeLast() }
        if case .element(var list) = joined.blocks.last, case .element(let next) = more.first,
            ["bulletList", "orderedList"].contains(list.name), next.name == list.name
        {
            list.children += next.children
            joined.blocks[joined.blocks.count - 1] = .element(list)
            more = more.dropFirst()
        }
        joined.blocks += more
        return joined
    }

    private var hasText: Bool { contentText.contains { !$0.isWhitespace } }
}
