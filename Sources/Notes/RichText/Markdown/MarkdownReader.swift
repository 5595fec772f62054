/// Reads Markdown into blocks that keep to the schema.
struct MarkdownReader {
    var image: (String) -> RichText.ImageReference? = { _ in nil }
    /// Nodes that may be in the document though they break the schema: those that are in it already.
    var known: Set<RichText.Node> = []

    /// Lists and quotes whose content would be on a deeper level stand side by side. A list is two levels. What is left is for a table
    /// in the deepest item, its rows, cells, and their paragraphs.
    static let nestingLimit = RichText.depthLimit - 8

    func blocks(of markdown: String) -> [RichText.Node] {
        guard let document = CommonMark(Self.withLineFeeds(markdown)) else { return [Self.emptyParagraph] }
        let blocks = blocks(in: document.root, level: 0)
        return blocks.isEmpty ? [Self.emptyParagraph] : blocks
    }

    /// With line feeds in place of the line ends of other systems, which would stay in code.
    private static func withLineFeeds(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\r")) else { return text }
        return text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }

    private static let emptyParagraph = RichText.Node.element(.init("paragraph"))

    private var inline: InlineReader { InlineReader(image: image, known: known) }

    private func blocks(in container: CommonMark.Node, level: Int) -> [RichText.Node] {
        container.children.flatMap { blocks(for: $0, level: level) }
    }

    /// What is not a list or a quote, from all levels.
    private func leaves(of container: CommonMark.Node, level: Int) -> [RichText.Node] {
        var leaves: [RichText.Node] = []
        container.walk { node, isEntering in
            if node.kind == .list || node.kind == .item || node.kind == .quote { return true }
            if isEntering { leaves += blocks(for: node, level: level) }
            return false
        }
        return leaves
    }

    private func blocks(for node: CommonMark.Node, level: Int) -> [RichText.Node] {
        switch node.kind {
        case .paragraph: return paragraphs(inline.items(in: node))
        case .heading: return heading(node)
        case .rule: return [.element(.init("horizontalRule"))]
        case .code: return [code(node, level: level)]
        case .html: return html(node.literal)
        case .table: return [TableReader(inline: inline).table(node)] + images(in: node)
        case .list, .quote:
            let inside = level + (node.kind == .list ? 2 : 1)
            if inside > Self.nestingLimit { return leaves(of: node, level: level) }
            return [node.kind == .list ? list(node, level: inside) : quote(node, level: inside)]
        default: return []
        }
    }

    private func quote(_ node: CommonMark.Node, level: Int) -> RichText.Node {
        let blocks = blocks(in: node, level: level)
        return .element(.init("blockquote", [:], blocks.isEmpty ? [Self.emptyParagraph] : blocks))
    }

    /// A paragraph, or several ones with images between them.
    private func paragraphs(_ items: [InlineReader.Item]) -> [RichText.Node] {
        if items.count == 1, case .text("\\") = items[0].content, items[0].marks.isEmpty {
            return [Self.emptyParagraph]
        }
        let parts = InlineAssembly.parts(items, inline)
        if parts.isEmpty { return [.element(.init("paragraph", [:], InlineAssembly.nodes(items, inline)))] }
        return parts.map { part in
            switch part {
            case .text(let nodes): .element(.init("paragraph", [:], nodes))
            case .image(let image): .element(image)
            }
        }
    }

    // MARK: Headings

    /// The images of a table.
    private func images(in table: CommonMark.Node) -> [RichText.Node] {
        table.children.flatMap(\.children).flatMap { InlineAssembly.images(inline.items(in: $0)) }
    }

    /// A heading, with its images behind it.
    private func heading(_ node: CommonMark.Node) -> [RichText.Node] {
        var items = inline.items(in: node)
        var heading = RichText.Element("heading", ["level": .number(Double(node.headingLevel))])
        if let last = items.last, case .text(let text) = last.content, last.marks.isEmpty,
            let (rest, attributes) = Self.attributes(atEndOf: text)
        {
            items[items.count - 1].content = .text(rest)
            heading.attributes.merge(attributes) { $1 }
        }
        heading.children = InlineAssembly.nodes(items, inline)
        let images = InlineAssembly.images(items)
        let isEmpty = !images.isEmpty && RichText.Node.element(heading).text(between: "").trimmed.isEmpty
        return (isEmpty ? [] : [.element(heading)]) + images
    }

    /// What is meant by `{#h_a1b2c3d4 .collapsed}`, and the text before it.
    private static func attributes(atEndOf text: String) -> (rest: String, [String: RichText.Value])? {
        let scalars = text.unicodeScalars
        guard scalars.last == "}", let start = scalars.lastIndex(of: "{") else { return nil }
        var attributes: [String: RichText.Value] = [:]
        for word in String(scalars[start...].dropFirst().dropLast()).split(separator: " ") {
            if word == ".collapsed" {
                attributes["collapsed"] = true
            } else if word.hasPrefix("#"), RichText.isHeadingID(word.dropFirst()) {
                attributes["id"] = .string(String(word.dropFirst()))
            } else {
                return nil
            }
        }
        guard !attributes.isEmpty, start == scalars.startIndex || scalars[..<start].last == " " else { return nil }
        return (String(scalars[..<start].dropLast()), attributes)
    }

    // MARK: Code and HTML

    private func code(_ node: CommonMark.Node, level: Int) -> RichText.Node {
        var code = node.literal.unicodeScalars[...]
        if code.last == "\n" { code.removeLast() }
        let text = String(code)
        if node.info == InlineReader.jsonMark, let node = RichText.Node(jsonText: text),
            level + node.depth <= RichText.depthLimit, known.contains(node) || Schema.isValidBlock(node)
        {
            return node
        }
        var element = RichText.Element("codeBlock", [:], text.isEmpty ? [] : [.text([.init(text)])])
        var words = node.info.split(whereSeparator: \.isWhitespace)
        if words.last == "{.numberLines}" {
            element.attributes["showLineNumbers"] = true
            words.removeLast()
        }
        if let language = words.first { element.attributes["language"] = .string(String(language)) }
        return .element(element)
    }

    /// An image, or lines of text in which tags are text. Each line is read behind a full stop, so that it is no HTML
    /// again.
    private func html(_ text: String) -> [RichText.Node] {
        let lines = text.split(separator: "\n").map { String($0).trimmed }.filter { !$0.isEmpty }
        if lines.count == 1, let image = inline.image(inTag: lines[0]) { return [.element(image)] }
        var items: [InlineReader.Item] = []
        for line in lines {
            guard let document = CommonMark("." + line), let paragraph = document.root.children.first else { continue }
            if !items.isEmpty { items.append(.init(content: .text(" "))) }
            var line = inline.items(in: paragraph)
            guard case .text(let text) = line.first?.content else { continue }
            line[0].content = .text(String(text.unicodeScalars.dropFirst()))
            items += line
        }
        return paragraphs(items)
    }

    // MARK: Lists

    private func list(_ node: CommonMark.Node, level: Int) -> RichText.Node {
        var list = RichText.Element(node.isOrdered ? "orderedList" : "bulletList")
        if node.isOrdered, node.listStart != 1 { list.attributes["start"] = .number(Double(node.listStart)) }
        list.children = node.children.map { .element(item($0, level: level)) }
        return .element(list)
    }

    private func item(_ node: CommonMark.Node, level: Int) -> RichText.Element {
        var children = node.children[...]
        var item = RichText.Element("listItem")
        if let first = children.first, first.kind == .paragraph {
            children.removeFirst()
            var items = inline.items(in: first)
            if let text = items.first?.plainText, let box = TaskBox(text), items.count == 1 || text.utf8.count > 3 {
                item.name = "taskItem"
                item.attributes["checked"] = .string(box.state.rawValue)
                items[0].content = .text(box.rest)
            }
            item.children = paragraphs(items)
        }
        item.children += children.flatMap { blocks(for: $0, level: level) }
        if item.children.first?.element?.name != "paragraph" { item.children.insert(Self.emptyParagraph, at: 0) }
        return item
    }
}

extension InlineReader.Item {
    /// Text without marks.
    fileprivate var plainText: String? {
        if case .text(let text) = content, marks.isEmpty { text } else { nil }
    }
}
