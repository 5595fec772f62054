extension Schema {
    /// The nearest document that may be written. A valid document stays as it is.
    ///
    /// Unknown elements give way to what is inside of them, unknown marks and attributes go, an item without a leading
    /// paragraph gets one, and what must not be empty gets an empty paragraph or goes.
    ///
    /// This is for what is new. A foreign document is never passed through here: it is edited in place.
    public static func conforming(_ document: RichText) -> RichText {
        RichText(blocks(document.blocks, atLeastOne: true))
    }

    private static let emptyParagraph = RichText.Node.element(.init("paragraph"))

    private static func blocks(_ nodes: [RichText.Node], atLeastOne: Bool) -> [RichText.Node] {
        var blocks: [RichText.Node] = []
        var inlines: [RichText.Node] = []
        for node in nodes {
            if isInline(node) {
                inlines.append(node)
            } else if case .element(let element) = node {
                blocks += paragraph(of: &inlines) + block(element)
            }
        }
        blocks += paragraph(of: &inlines)
        return blocks.isEmpty && atLeastOne ? [emptyParagraph] : blocks
    }

    private static func isInline(_ node: RichText.Node) -> Bool {
        node.element.map { inlines.contains($0.name) } ?? true
    }

    /// Inline nodes that stand among blocks, in a paragraph of their own.
    private static func paragraph(of inlines: inout [RichText.Node]) -> [RichText.Node] {
        defer { inlines = [] }
        let children = inline(inlines)
        return children.isEmpty ? [] : [.element(.init("paragraph", [:], children))]
    }

    private static func block(_ element: RichText.Element) -> [RichText.Node] {
        var block = RichText.Element(element.name, attributes(of: element))
        guard let rule = rules[element.name], Schema.blocks.contains(element.name),
            isComplete(block, rule)
        else { return blocks(element.children, atLeastOne: false) }
        switch rule.content {
        case .nothing: break
        case .inline: block.children = inline(element.children)
        case .plainText:
            let text = element.children.map { $0.text(between: "\n") }.joined()
            block.children = text.isEmpty ? [] : [.text([.init(text)])]
        case .blocks: block.children = blocks(element.children, atLeastOne: true)
        case .item, .elements:
            block.children = parts(element)
            if block.children.isEmpty { return [] }
        }
        return [.element(block)]
    }

    /// Items of a list, rows of a table: those that are right; others go, though not what is inside of them.
    private static func parts(_ element: RichText.Element) -> [RichText.Node] {
        guard case .elements(let names) = rules[element.name]?.content else { return [] }
        return element.children.compactMap { child -> RichText.Node? in
            var part =
                child.element.flatMap { names.contains($0.name) ? $0 : nil }
                ?? RichText.Element(names.min() ?? "", [:], [child])
            part.attributes = attributes(of: part)
            switch rules[part.name]?.content {
            case .elements: part.children = parts(part)
            case .item: part.children = item(part.children)
            default: part.children = blocks(part.children, atLeastOne: true)
            }
            return part.children.isEmpty ? nil : .element(part)
        }
    }

    private static func item(_ nodes: [RichText.Node]) -> [RichText.Node] {
        let blocks = blocks(nodes, atLeastOne: true)
        return blocks.first?.element?.name == "paragraph" ? blocks : [emptyParagraph] + blocks
    }

    private static func inline(_ nodes: [RichText.Node]) -> [RichText.Node] {
        nodes.flatMap { node -> [RichText.Node] in
            switch node {
            case .text(let runs):
                let texts = runs.filter { $0.text != nil }.map { run in
                    RichText.Run(content: run.content, marks: run.marks.filter { admits(mark: $0.key, $0.value) })
                }.joined()
                return texts.isEmpty ? [] : [.text(texts)]
            case .element(let element):
                guard inlines.contains(element.name) else { return inline(element.children) }
                return [.element(.init(element.name, attributes(of: element)))]
            }
        }
    }

    private static func attributes(of element: RichText.Element) -> [String: RichText.Value] {
        var attributes = element.attributes.filter { name, value in
            value != .null && rules[element.name]?.attributes[name]?.admits(value) == true
        }
        if element.name == "heading", attributes["level"] == nil {
            attributes["level"] = .number(Double(element.headingLevel ?? 1))
        }
        return attributes
    }

    private static func isComplete(_ element: RichText.Element, _ rule: Rule) -> Bool {
        rule.required.map { rule.admits(element.attributes[$0], for: $0) } ?? true
    }
}
