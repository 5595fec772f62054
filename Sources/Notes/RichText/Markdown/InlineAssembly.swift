/// Makes nodes of the parts of a text: finds the tags that belong together, and what is not text.
struct InlineAssembly {
    /// A text, or an image between two texts.
    enum Part {
        case text([RichText.Node])
        case image(RichText.Element)
    }

    private let reader: InlineReader
    private let isCell: Bool
    private var parts: [Part] = []
    private var nodes: [RichText.Node] = []
    private var runs: [RichText.Run] = []
    /// How many tags of each kind are open.
    private var open: [String: Int] = [:]

    /// - Parameter isCell: whether `<p>` begins another paragraph, which is then another part.
    static func parts(_ items: [InlineReader.Item], _ reader: InlineReader, isCell: Bool = false) -> [Part] {
        var assembly = InlineAssembly(reader: reader, isCell: isCell)
        let matched = matchedTags(in: items)
        for (index, item) in items.enumerated() { assembly.add(item, isMatched: matched.contains(index)) }
        assembly.endText()
        return assembly.parts
    }

    /// All of it in one text; images as their alternative text.
    static func nodes(_ items: [InlineReader.Item], _ reader: InlineReader) -> [RichText.Node] {
        parts(withoutImages(items), reader, isCell: true).flatMap { part in
            guard case .text(let nodes) = part else { return [RichText.Node]() }
            return nodes
        }
    }

    /// The images of a heading or a table, in which they have no place: they stand behind it.
    static func images(_ items: [InlineReader.Item]) -> [RichText.Node] {
        items.compactMap { item in if case .image(let image) = item.content { .element(image) } else { nil } }
    }

    static func withoutImages(_ items: [InlineReader.Item]) -> [InlineReader.Item] {
        items.map { item in
            guard case .image(let image) = item.content else { return item }
            return .init(content: .text(image.attributes["alt"]?.string ?? ""), marks: item.marks)
        }
    }

    private init(reader: InlineReader, isCell: Bool) {
        self.reader = reader
        self.isCell = isCell
    }

    private mutating func add(_ item: InlineReader.Item, isMatched: Bool) {
        switch item.content {
        case .text(let text): add(text, item.marks)
        case .node(let node):
            endRuns()
            nodes.append(node)
        case .image(var image):
            if let address = item.marks["link"]?.object?["href"], image.attributes["linkHref"] == nil {
                image.attributes["linkHref"] = address
            }
            add(image)
        case .tag(let text):
            switch text {
            case "<wbr>": break
            case "<br>", "<br/>", "<br />":
                endRuns()
                nodes.append(.element(.init("hardBreak")))
            case "<p>" where isCell: endText()
            case _ where isMatched:
                if let (name, isOpening) = Self.mark(ofTag: text) { open[name, default: 0] += isOpening ? 1 : -1 }
            default:
                if !isCell, let image = reader.image(inTag: text) { add(image) } else { add(text, item.marks) }
            }
        }
    }

    private mutating func add(_ text: String, _ marks: [String: RichText.Value]) {
        var marks = marks
        for (name, count) in open where count > 0 { marks[name] = [:] }
        runs.append(.init(text, marks))
    }

    private mutating func add(_ image: RichText.Element) {
        endText()
        parts.append(.image(image))
    }

    private mutating func endRuns() {
        let joined = runs.joined()
        if !joined.isEmpty { nodes.append(.text(joined)) }
        runs = []
    }

    private mutating func endText() {
        endRuns()
        let isBlank = nodes.allSatisfy { $0.element == nil && $0.text(between: "").trimmed.isEmpty }
        if isCell || !isBlank { parts.append(.text(nodes)) }
        nodes = []
    }

    private static func mark(ofTag text: String) -> (name: String, isOpening: Bool)? {
        guard text.hasPrefix("<"), text.hasSuffix(">") else { return nil }
        let isOpening = !text.hasPrefix("</")
        return ShownMark.names[String(text.dropFirst(isOpening ? 1 : 2).dropLast())].map { ($0, isOpening) }
    }

    /// The indices of opening tags with a closing one, and of these.
    private static func matchedTags(in items: [InlineReader.Item]) -> Set<Int> {
        var matched: Set<Int> = []
        var open: [String: [Int]] = [:]
        for (index, item) in items.enumerated() {
            guard case .tag(let text) = item.content, let (name, isOpening) = mark(ofTag: text) else { continue }
            if isOpening {
                open[name, default: []].append(index)
            } else if let start = open[name]?.popLast() {
                matched.formUnion([start, index])
            }
        }
        return matched
    }
}
