@testable import RichText

/// Writes random documents, the same ones for the same seed (SplitMix64).
struct Writer: RandomNumberGenerator {
    private var state: UInt64

    init(seed: Int) { state = UInt64(seed) &* 0xD129_0B65_3A2F_1F43 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }
    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[number(0...choices.count - 1)] }

    /// A document that keeps to the schema and has nothing that Markdown does not show, in its normal form.
    mutating func document() -> RichText {
        RichText((0..<number(1...6)).map { _ in block(depth: 0) })
    }

    mutating func blocks(_ range: ClosedRange<Int>, depth: Int) -> [RichText.Node] {
        (0..<number(range)).map { _ in block(depth: depth) }
    }

    mutating func block(depth: Int) -> RichText.Node {
        switch number(0...(depth > 3 ? 6 : 10)) {
        case 0, 1, 2: paragraph()
        case 3: heading()
        case 4: codeBlock()
        case 5: .element(.init("horizontalRule"))
        case 6: image()
        case 7: .element(.init("blockquote", [:], blocks(1...3, depth: depth + 1)))
        case 8: table(depth: depth)
        default: list(depth: depth)
        }
    }

    mutating func paragraph() -> RichText.Node { .element(.init("paragraph", [:], inline())) }

    private mutating func heading() -> RichText.Node {
        var attributes: [String: RichText.Value] = ["level": .number(Double(number(1...6)))]
        if chance(20) { attributes["collapsed"] = .bool(true) }
        return .element(.init("heading", attributes, inline()))
    }

    private mutating func codeBlock() -> RichText.Node {
        var attributes: [String: RichText.Value] = [:]
        if chance(50) { attributes["language"] = .string(pick(["swift", "c++", "objective-c", "a~b"])) }
        if chance(30) { attributes["showLineNumbers"] = .bool(true) }
        let code = pick(["", "\n", "a\n", "  b\n\n\tc ", "```\n````", "~~~", text(), "> x\n- y\n    z\n   "])
            .replacing("\r", with: "")
        return .element(.init("codeBlock", attributes, code.isEmpty ? [] : [.text([.init(code)])]))
    }

    private mutating func image() -> RichText.Node {
        var attributes: [String: RichText.Value] = ["imageId": .string("img_\(number(1...9))")]
        if chance(50) { attributes["sdId"] = "sd-1" }
        for name in ["alt", "caption", "width", "linkHref"] where chance(20) {
            attributes[name] = .string(pick([text(), "50%", "a \"b\" <c> & \n d"]) + "x")
        }
        return .element(.init("notecoveImage", attributes))
    }

    private mutating func list(depth: Int) -> RichText.Node {
        var attributes: [String: RichText.Value] = [:]
        let isOrdered = chance(40)
        if isOrdered, chance(40) { attributes["start"] = .number(Double(pick([0, 2, 9, 99, 999_999_999]))) }
        let items = (0..<number(1...3)).map { _ in
            let children = [paragraph()] + (chance(40) ? blocks(1...2, depth: depth + 1) : [])
            guard chance(40) else { return RichText.Node.element(.init("listItem", [:], children)) }
            return .element(.init("taskItem", ["checked": .string(pick(["unchecked", "checked", "nope"]))], children))
        }
        return .element(.init(isOrdered ? "orderedList" : "bulletList", attributes, items))
    }

    private mutating func table(depth: Int) -> RichText.Node {
        let columns = (0..<number(1...3)).map { _ in
            var attributes: [String: RichText.Value] = [:]
            if chance(30) { attributes["textAlign"] = .string(pick(["left", "center", "right"])) }
            if chance(20) { attributes["colwidth"] = .array([.number(Double(number(50...300)))]) }
            return attributes
        }
        let isOdd = chance(20)
        let rows = (0..<number(1...3)).map { row in
            RichText.Node.element(
                .init(
                    "tableRow", [:],
                    columns.map { attributes in
                        let isHeader = (row == 0) != (isOdd && chance(50))
                        var attributes = attributes
                        if isOdd, chance(10) { attributes["colspan"] = .number(2) }
                        let content =
                            isOdd && chance(10)
                            ? blocks(1...2, depth: depth + 1) : (0..<pick([1, 1, 1, 2])).map { _ in paragraph() }
                        return .element(.init(isHeader ? "tableHeader" : "tableCell", attributes, content))
                    }))
        }
        return .element(.init("table", [:], rows))
    }

    mutating func inline() -> [RichText.Node] {
        var nodes: [RichText.Node] = []
        for _ in 0..<pick([0, 1, 1, 1, 2, 3]) {
            switch number(0...9) {
            case 0: nodes.append(.element(.init("hardBreak")))
            case 1:
                nodes.append(
                    .element(
                        .init(
                            "mentionNode",
                            ["profileId": "p_1", "handle": .string("@" + text()), "displayName": .string(text())])))
            default:
                guard nodes.last?.element != nil || nodes.isEmpty else { continue }
                let runs = (0..<number(1...4)).map { _ in RichText.Run(text(), marks()) }.joined()
                if !runs.isEmpty { nodes.append(.text(runs)) }
            }
        }
        return nodes
    }

    mutating func marks() -> [String: RichText.Value] {
        var marks: [String: RichText.Value] = [:]
        for name in ["bold", "italic", "underline", "strike", "code"] where chance(20) { marks[name] = .object([:]) }
        if chance(15) {
            var link: [String: RichText.Value] = [
                "href": .string(
                    pick(["https://a.b/c?d=e&amp;f#g", "x y", "", "a(b)c", "a)b", "\\<>*", "[[1]]", text()]))
            ]
            if chance(30) { link["displayMode"] = .string(pick(["chip", "unfurl", "link"])) }
            marks["link"] = .object(link)
        }
        return marks
    }

    /// Text that is full of what means something in Markdown.
    mutating func text() -> String {
        let parts = (0..<number(1...4)).map { _ in
            pick([
                "word", "word", "two words", " ", "  ", "*", "**", "_", "__", "~~", "~", "`", "``", "\\", "\\\\", "#",
                "## ",
                "1.", "1. ", "12) ", "-", "- ", "+ ", "---", "===", ">", "> ", "|", "|-|", ":-", "[", "]", "](", "[x] ",
                "[ ] ", "[-] ", "[a](b)", "![", "!", "<b>", "</u>", "<", "<br>", "<!-- x -->", "<wbr>", "<https://a.b>",
                "&amp;",
                "&", "&#35;", "{.chip}", "{.node}", "{.collapsed}", "{", "}", "é", "e\u{301}", "ß", "日本", "😀", "👩‍👩‍👧",
                "\u{a0}",
                "\u{feff}", "\u{200d}", "\t", "\n", "\r", "\u{1}", "#tag", "https://a.b/c_d_e", "a@b.c", "www.a.b",
                "snake_case",
                "[[0123456789012345678901]]", "[[_a_3456789012345678901#h_a1b2c3d4]]", "(x)", ": y", "\"", "'", "€",
                "“", "\u{2028}",
            ])
        }
        return parts.joined()
    }

    /// Small changes anywhere.
    mutating func changed(_ document: RichText) -> RichText {
        var blocks = document.blocks
        for _ in 0..<number(1...3) { change(&blocks) }
        return RichText(blocks)
    }

    private mutating func change(_ nodes: inout [RichText.Node]) {
        guard !nodes.isEmpty else { return nodes = blocks(1...2, depth: 2) }
        let index = number(0...nodes.count - 1)
        switch number(0...9) {
        case 0: nodes.remove(at: index)
        case 1: nodes.insert(block(depth: 2), at: index)
        case 2: nodes.append(nodes.remove(at: index))
        default:
            switch nodes[index] {
            case .element(var element):
                if chance(20) { element.attributes[pick(["level", "x"])] = .number(Double(number(1...3))) }
                change(&element.children)
                nodes[index] = .element(element)
            case .text(var runs):
                runs.insert(.init(text(), marks()), at: number(0...runs.count))
                if chance(50), runs.count > 1 { runs.remove(at: number(0...runs.count - 1)) }
                nodes[index] = .text(runs.joined())
            }
        }
    }

    /// A document as others may have written it: with marks, attributes and elements that nobody here knows.
    mutating func foreign() -> RichText {
        var blocks = document().blocks
        for _ in 0..<number(1...6) { estrange(&blocks) }
        return RichText(blocks)
    }

    private mutating func estrange(_ nodes: inout [RichText.Node]) {
        guard !nodes.isEmpty, chance(90) else {
            nodes.insert(
                pick([
                    .element(.init("widget", ["a": .array([.number(1.5), .null])], [.text([.init("inside `x`|")])])),
                    .text([.init("loose"), .init(content: .embed(.object(["x": .bool(true)])), marks: ["bold": true])]),
                    .text([]), .element(.init("bulletList")), .element(.init("paragraph", [:], [.text([])])),
                    .element(.init("heading", ["level": "1"], [.text([.init("a")]), .text([.init("b")])])),
                ]), at: number(0...nodes.count))
            return
        }
        let index = number(0...nodes.count - 1)
        switch nodes[index] {
        case .element(var element):
            if chance(40) {
                element.attributes[pick(["id", "level", "checked", "start", "zz"])] = pick([
                    "h_a1b2c3d4", .number(7), .null,
                ])
            }
            if chance(70) { estrange(&element.children) }
            nodes[index] = .element(element)
        case .text(var runs):
            if let run = runs.indices.randomElement(using: &self) {
                runs[run].marks[pick(["commentMark--mabJ5Uiu", "glow", "link"])] = .object([
                    "threadId": "t", "href": "https://x.y", "rel": "noopener",
                ])
            }
            if chance(10) { runs.append(.init("\0 nul\r\n")) }
            nodes[index] = .text(runs)
        }
    }
}

func paragraph(_ runs: RichText.Run...) -> RichText.Node {
    .element(.init("paragraph", [:], runs.isEmpty ? [] : [.text(runs)]))
}
