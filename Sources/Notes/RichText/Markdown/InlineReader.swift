/// Reads what stands in a paragraph, a heading or a cell.
struct InlineReader {
    let image: (String) -> RichText.ImageReference?
    /// Elements that may be in the document though they break the schema.
    let known: Set<RichText.Node>

    /// What follows a code span with the JSON of an element.
    static let jsonMark = "{.node}"

    /// A part of the text, with the marks that CommonMark has for it.
    struct Item {
        enum Content {
            case text(String)
            /// A tag of HTML; literal text unless it is one of ours.
            case tag(String)
            case node(RichText.Node)
            case image(RichText.Element)
        }

        var content: Content
        var marks: [String: RichText.Value] = [:]
    }

    func items(in block: CommonMark.Node) -> [Item] {
        var items: [Item] = []
        var marks: [[String: RichText.Value]] = [[:]]
        // How much of the next text belongs to what is before it.
        var claimed = 0
        func add(_ content: Item.Content, _ more: [String: RichText.Value] = [:]) {
            items.append(Item(content: content, marks: (marks.last ?? [:]).merging(more) { $1 }))
        }
        block.walk { node, isEntering in
            if let mark = node.mark(claimed: &claimed, isEntering: isEntering) {
                if isEntering { marks.append((marks.last ?? [:]).merging(mark) { $1 }) } else { marks.removeLast() }
                // A link without words shows where it leads.
                if isEntering, node.kind == .link, node.children.isEmpty { add(.text(node.url)) }
                return true
            }
            guard isEntering else { return true }
            switch node.kind {
            case .text:
                let text = node.literal.unicodeScalars.dropFirst(claimed)
                claimed = 0
                if !text.isEmpty { add(.text(String(text))) }
            case .softBreak: add(.text(" "))
            case .hardBreak: add(.node(.element(.init("hardBreak"))))
            case .codeSpan:
                if let element = self.node(behind: node) {
                    claimed = Self.jsonMark.unicodeScalars.count
                    add(.node(element))
                } else {
                    add(.text(node.literal), ["code": [:]])
                }
            case .tag: add(.tag(node.literal))
            case .image:
                if let reference = RichText.ImageReference(source: node.url) ?? image(node.url) {
                    add(.image(.init(image: reference, alt: node.plainText)))
                } else {
                    let text = node.plainText
                    add(.text(text.isEmpty ? node.url : text), ["link": ["href": .string(node.url)]])
                }
                return false
            case .link:
                if let mention = node.mention { add(.node(.element(mention.element))) }
                return false
            default: break
            }
            return true
        }
        return items
    }

    /// The element that a code span tells as JSON.
    private func node(behind span: CommonMark.Node) -> RichText.Node? {
        guard let next = span.next, next.kind == .text, next.literal.hasScalarPrefix(Self.jsonMark) else { return nil }
        guard let node = RichText.Node(jsonText: span.literal) else { return nil }
        return known.contains(node) || (node.element != nil && Schema.isValidInline(node)) ? node : nil
    }

    func image(inTag text: String) -> RichText.Element? {
        guard text.hasPrefix("<img "), let tag = Tag(text), tag.name == "img", let source = tag.attributes["src"],
            let reference = RichText.ImageReference(source: source) ?? image(source)
        else { return nil }
        var element = RichText.Element(image: reference, alt: tag.attributes["alt"] ?? "")
        for (name, attribute) in [("caption", "caption"), ("width", "width"), ("href", "linkHref")] {
            if let value = tag.attributes[name], !value.isEmpty { element.attributes[attribute] = .string(value) }
        }
        return element
    }
}

extension CommonMark.Node {
    /// The marks of what is inside; nil if there are none. Claims what stands behind a link for its display mode.
    fileprivate func mark(claimed: inout Int, isEntering: Bool) -> [String: RichText.Value]? {
        switch kind {
        case .emphasis: return ["italic": [:]]
        case .strong: return ["bold": [:]]
        case .strike: return ["strike": [:]]
        case .link:
            guard mention == nil else { return nil }
            var link: [String: RichText.Value] = ["href": .string(url)]
            let behind = next.flatMap { $0.kind == .text ? $0.literal : nil } ?? ""
            if let mode = ShownMark.modes.first(where: { behind.hasScalarPrefix("{.\($0)}") }) {
                link["displayMode"] = .string(mode)
                if !isEntering { claimed = mode.utf8.count + 3 }
            }
            return ["link": .object(link)]
        default: return nil
        }
    }

    fileprivate var mention: Mention? {
        url.hasPrefix(Mention.scheme) ? Mention(url: url, text: plainText, title: title) : nil
    }

    /// The text inside without any marks.
    fileprivate var plainText: String {
        var text = ""
        walk { node, isEntering in
            guard isEntering else { return true }
            switch node.kind {
            case .text, .codeSpan, .tag: text += node.literal
            case .softBreak, .hardBreak: text += " "
            default: break
            }
            return true
        }
        return text
    }
}

extension String {
    /// Whether it begins with these characters, also if what follows combines with the last one.
    func hasScalarPrefix(_ prefix: String) -> Bool { unicodeScalars.starts(with: prefix.unicodeScalars) }
}
