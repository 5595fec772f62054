/// Prints what stands in a paragraph, a heading or a cell.
struct InlineWriter {
    /// A heading or a cell, which is one line.
    var isOneLine = false
    var place = TextPlace()

    private enum Item {
        case text(String, Set<ShownMark>)
        case atom(String)
        case hardBreak

        var isHardBreak: Bool {
            if case .hardBreak = self { true } else { false }
        }
    }

    func text(of children: [RichText.Node]) -> String {
        let items = items(of: children)
        let text = InlineTokens(tokens(for: items)).markdown
        // Alone, a backslash is an empty paragraph.
        if text == "\\\\", !isOneLine { return "<wbr>" + text }
        return text
    }

    // MARK: Items

    private func items(of children: [RichText.Node]) -> [Item] {
        var items: [Item] = []
        for child in children {
            switch child {
            case .element(let element): items.append(item(for: element))
            case .text(let runs):
                for run in runs where run.text != "" {
                    guard let text = run.text else {
                        items.append(.atom(Self.code(RichText.Node.text([run]).jsonText) + "{.node}"))
                        continue
                    }
                    let marks = Set(run.marks.compactMap { ShownMark($0.key, $0.value) })
                    if case .text(let before, marks) = items.last {
                        items[items.count - 1] = .text(before + text, marks)
                    } else {
                        items.append(.text(text, marks))
                    }
                }
            }
        }
        return items
    }

    private func item(for element: RichText.Element) -> Item {
        if element == .init("hardBreak") { return .hardBreak }
        if let mention = Mention(element) { return .atom(mention.markdown(isCell: place.isCell)) }
        return .atom(Self.code(RichText.Node.element(element).jsonText) + "{.node}")
    }

    // MARK: Tokens

    private func tokens(for items: [Item]) -> [InlineTokens.Token] {
        var tokens: [InlineTokens.Token] = []
        var open: [ShownMark] = []
        for (index, item) in items.enumerated() {
            var marks: Set<ShownMark> = []
            if case .text(_, let all) = item { marks = all }
            let kept = open.prefix { marks.contains($0) }.count
            for mark in open.dropFirst(kept).reversed() { tokens.append(.close(mark)) }
            open = Array(open.prefix(kept))
            let isLineStart = tokens.isEmpty || tokens.last.map(Self.isLineBreak) == true
            let isLast = index + 1 == items.count || items[index + 1].isHardBreak
            switch item {
            case .atom(let atom): tokens.append(.atom(atom, isBinding: true))
            case .hardBreak:
                let isBreakable = !isOneLine && index + 1 < items.count
                tokens.append(isBreakable ? .lineBreak : .atom("<br>", isBinding: false))
            case .text(let text, _):
                let new = opening(marks.subtracting(open), at: index, in: items)
                if let autolink = Self.autolink(text, new) {
                    tokens.append(contentsOf: new.dropLast().map(InlineTokens.Token.open))
                    open += new.dropLast()
                    tokens.append(.atom(autolink, isBinding: true))
                    continue
                }
                tokens.append(contentsOf: new.filter { $0 != .code }.map(InlineTokens.Token.open))
                open += new.filter { $0 != .code }
                var place = place
                place.isLineStart = isLineStart && new.isEmpty
                place.isLineEnd = isLast
                place.isLink = open.contains { $0.name == "link" }
                append(text, isCode: marks.contains(.code), place, to: &tokens)
            }
        }
        for mark in open.reversed() { tokens.append(.close(mark)) }
        return tokens
    }

    private func append(_ text: String, isCode: Bool, _ place: TextPlace, to tokens: inout [InlineTokens.Token]) {
        if isCode {
            if let span = codeSpan(text) { return tokens.append(.atom(span, isBinding: true)) }
            tokens += [.open(.code), .text(Escaping.text(text, place)), .close(.code)]
            return
        }
        let isBound =
            switch tokens.last {
            case .atom(_, let isBinding): isBinding
            case .close(.link): true
            case nil: place.isCell
            default: false
            }
        if isBound, text.utf8.first == UInt8(ascii: "{") { tokens.append(.atom("<wbr>", isBinding: false)) }
        tokens.append(.text(Escaping.text(text, place)))
    }

    /// Marks that begin here, the longest one first.
    private func opening(_ marks: Set<ShownMark>, at index: Int, in items: [Item]) -> [ShownMark] {
        func length(_ mark: ShownMark) -> Int {
            items[index...].prefix { item in
                guard case .text(_, let marks) = item else { return false }
                return marks.contains(mark)
            }.count
        }
        let lengths = Dictionary(uniqueKeysWithValues: marks.map { ($0, $0 == .code ? 0 : length($0)) })
        return marks.sorted { (lengths[$1] ?? 0, $0.rank) < (lengths[$0] ?? 0, $1.rank) }
    }

    /// The short spelling of a link that shows its address.
    private static func autolink(_ text: String, _ marks: [ShownMark]) -> String? {
        guard case .link(let href, nil) = marks.last, href == text else { return nil }
        guard href.hasPrefix("https://") || href.hasPrefix("http://") else { return nil }
        let plain = "-._~:/?#@!$'+,;=%()"
        let isPlain = href.unicodeScalars.allSatisfy { $0.isASCIIAlphanumeric || plain.unicodeScalars.contains($0) }
        return isPlain ? "<\(href)>" : nil
    }

    /// Text in backticks; nil if that would change it.
    private func codeSpan(_ text: String) -> String? {
        let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0xFEFF }
        return isPlain && !(place.isCell && text.utf8.contains(UInt8(ascii: "|"))) ? Self.code(text) : nil
    }

    static func code(_ text: String) -> String {
        let fence = fence(around: text, atLeast: 1)
        let (tick, space) = (UInt8(ascii: "`"), UInt8(ascii: " "))
        let (first, last) = (text.utf8.first, text.utf8.last)
        let isPadded = first == tick || last == tick || (first == space && last == space)
        let isBlank = text.utf8.allSatisfy { $0 == space }
        return isPadded && !isBlank ? "\(fence) \(text) \(fence)" : fence + text + fence
    }

    /// More backticks than follow each other in the text.
    static func fence(around text: String, atLeast count: Int) -> String {
        let longest = text.utf8.split { $0 != UInt8(ascii: "`") }.map(\.count).max() ?? 0
        return String(repeating: "`", count: max(count, longest + 1))
    }

    private static func isLineBreak(_ token: InlineTokens.Token) -> Bool {
        if case .lineBreak = token { true } else { false }
    }
}
