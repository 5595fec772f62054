/// Prints blocks. Each block of the document is one block of Markdown, so that an edited text can be told from it.
struct MarkdownWriter {
    var showsHeadingIDs = false
    var imageSource: (RichText.ImageReference) -> String? = { _ in nil }

    func text(of document: RichText) -> String {
        if document.blocks == [.element(.init("paragraph"))] { return "" }
        return lines(of: document.blocks).map { $0 + "\n" }.joined()
    }

    private func lines(of blocks: [RichText.Node]) -> [String] {
        var lines: [String] = []
        var isOther = false
        for (index, block) in blocks.enumerated() {
            if index > 0 { lines.append("") }
            // Lists that follow each other are two lists if their markers differ.
            let name = block.element?.name
            let isSecond = index > 0 && name == blocks[index - 1].element?.name
            isOther = isSecond && !isOther
            lines += self.lines(of: block, isOther: isOther)
        }
        return lines
    }

    private func lines(of block: RichText.Node, isOther: Bool) -> [String] {
        guard let element = block.element, let lines = lines(of: element, isOther: isOther) else {
            return block.depth <= RichText.Node.jsonDepthLimit
                ? ["```{.node}", block.jsonText, "```"] : ["```{.node}", "```"]
        }
        return lines
    }

    /// Nil for what has no spelling but JSON.
    private func lines(of element: RichText.Element, isOther: Bool) -> [String]? {
        switch element.name {
        case "paragraph":
            let text = InlineWriter(place: TextPlace()).text(of: element.children)
            return text.isEmpty ? ["\\"] : text.split(separator: "\n").map(String.init)
        case "heading": return element.headingLevel.map { [heading(element, level: $0)] }
        case "horizontalRule": return element.children.isEmpty ? ["---"] : nil
        case "codeBlock": return codeBlock(element)
        case "blockquote":
            guard !element.children.isEmpty else { return nil }
            return lines(of: element.children).map { $0.isEmpty ? ">" : "> " + $0 }
        case "bulletList", "orderedList": return list(element, isOther: isOther)
        case "table": return TableWriter(element)?.lines
        case "notecoveImage": return image(element)
        default: return nil
        }
    }

    private func heading(_ element: RichText.Element, level: Int) -> String {
        let marks = String(repeating: "#", count: level)
        var text = InlineWriter(isOneLine: true, place: TextPlace(isHeading: true)).text(of: element.children)
        var attributes: [String] = []
        if showsHeadingIDs, let id = element.attributes["id"]?.string, RichText.isHeadingID(id) {
            attributes.append("#" + id)
        }
        if element.attributes["collapsed"]?.bool == true { attributes.append(".collapsed") }
        if text.utf8.last == UInt8(ascii: "}") { text += "<wbr>" }
        let suffix = attributes.isEmpty ? "" : "{\(attributes.joined(separator: " "))}"
        return [marks, text, suffix].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func codeBlock(_ element: RichText.Element) -> [String]? {
        var code = ""
        for child in element.children {
            guard case .text(let runs) = child else { return nil }
            for run in runs {
                guard let text = run.text else { return nil }
                code += text
            }
        }
        guard !code.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\0" }) else { return nil }
        let language = element.attributes["language"]?.string.flatMap { Self.isWord($0) ? $0 : nil } ?? ""
        let fence = InlineWriter.fence(around: code, atLeast: 3)
        let numbers = element.attributes["showLineNumbers"]?.bool == true ? "{.numberLines}" : ""
        let info = [language, numbers].filter { !$0.isEmpty }.joined(separator: " ")
        let lines = code.isEmpty ? [] : code.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return [fence + info] + lines.map { String($0) } + [fence]
    }

    /// Whether a language can stand after the fence as it is.
    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { $0.isASCIIAlphanumeric || "+#.-~@/".unicodeScalars.contains($0) }
    }

    // MARK: Lists

    private func list(_ element: RichText.Element, isOther: Bool) -> [String]? {
        let items = element.children.compactMap(\.element)
        guard !items.isEmpty, items.count == element.children.count, items.allSatisfy(\.isItem) else { return nil }
        let isOrdered = element.name == "orderedList"
        let first = element.listStart
        let printed = items.enumerated().map { index, item in
            let number = min(first + index, Schema.listStartLimit)
            let marker = isOrdered ? "\(number)\(isOther ? ")" : ".")" : isOther ? "*" : "-"
            let indent = String(repeating: " ", count: marker.utf8.count + 1)
            return lines(ofItem: item).enumerated().map { index, line in
                index == 0 ? line.isEmpty ? marker : marker + " " + line : line.isEmpty ? "" : indent + line
            }
        }
        let isLoose = printed.contains { $0.contains("") }
        return Array(printed.joined(separator: isLoose ? [""] : []))
    }

    private func lines(ofItem item: RichText.Element) -> [String] {
        let text = InlineWriter(place: TextPlace()).text(of: item.children[0].element?.children ?? [])
        var lines = text.split(separator: "\n").map(String.init)
        if item.name == "taskItem" {
            let box =
                switch item.taskState {
                case .unchecked: "[ ]"
                case .checked: "[x]"
                case .nope: "[-]"
                }
            lines = ["\(box) \(lines.first ?? "")".trimmedAtEnd] + lines.dropFirst()
        } else if lines.isEmpty {
            lines = [item.children.count > 1 ? "\\" : ""]
        } else if lines[0].hasPrefix("\\["), TaskBox(lines[0].replacing("\\", with: "")) != nil {
            lines[0] = "<wbr>" + lines[0]
        }
        let rest = Array(item.children.dropFirst())
        if rest.isEmpty { return lines }
        // A tag alone on its line is a block that goes on up to a blank line.
        let isTight = Self.interruptsParagraph(rest[0]) && !lines[0].hasPrefix("<")
        return lines + (isTight ? [] : [""]) + self.lines(of: rest)
    }

    /// Whether a list is one also directly below a paragraph (CommonMark 5.2).
    private static func interruptsParagraph(_ node: RichText.Node) -> Bool {
        guard let list = node.element, list.name == "bulletList" || list.name == "orderedList", list.listStart == 1,
            let item = list.children.first?.element, item.isItem
        else { return false }
        return item.name == "taskItem" || item.children.count > 1 || !item.children[0].text(between: "").isEmpty
    }

    // MARK: Images

    private func image(_ element: RichText.Element) -> [String]? {
        guard element.children.isEmpty, let reference = element.imageReference else { return nil }
        let source = imageSource(reference) ?? reference.source
        let alt = element.attributes["alt"]?.string ?? ""
        let names = [("caption", "caption"), ("width", "width"), ("href", "linkHref")]
        let others = names.compactMap { name, attribute -> String? in
            guard let value = element.attributes[attribute]?.string, !value.isEmpty else { return nil }
            return " \(name)=\"\(Tag.quoted(value))\""
        }
        if others.isEmpty {
            return ["![" + Escaping.text(alt, TextPlace(isLink: true)) + "](" + Escaping.destination(source) + ")"]
        }
        let shown = alt.isEmpty ? "" : " alt=\"\(Tag.quoted(alt))\""
        return ["<img src=\"\(Tag.quoted(source))\"\(shown)\(others.joined())>"]
    }
}

extension RichText.Element {
    /// An item that can be told in Markdown: one that begins with a paragraph.
    fileprivate var isItem: Bool {
        (name == "listItem" || name == "taskItem") && children.first?.element?.name == "paragraph"
    }

    /// The number of a list's first item, 1 if the document says nothing.
    fileprivate var listStart: Int {
        guard name == "orderedList", let start = attributes["start"]?.integer,
            (0...Schema.listStartLimit).contains(start)
        else { return 1 }
        return start
    }
}

extension String {
    fileprivate var trimmedAtEnd: String { hasSuffix(" ") ? String(dropLast()) : self }
}
