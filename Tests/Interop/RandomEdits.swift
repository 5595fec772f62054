import RichText

/// A sequence of random numbers that is the same for the same seed (SplitMix64).
struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: Int) { state = UInt64(bitPattern: Int64(seed)) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Whether something happens that happens so often in ten times.
    mutating func happens(_ times: Int) -> Bool { Int.random(in: 0..<10, using: &self) < times }

    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &self)]
    }
}

/// Edits that a person might make, to a document as it is.
extension RichText {
    private static let words = ["alpha", "beta ", "naïve", "日本", "a😀b", "👩‍🍳", "0123456789", "e\u{301}", "\n"]
    private static let marks: [[String: Value]] = [
        [:], ["bold": [:]], ["italic": [:], "strike": [:]], ["code": [:]],
        ["link": ["href": "https://example.org/ä", "depth": 2]], ["commentMark--mabJ5Uiu": ["threadId": "t-1"]],
    ]
    private static let taken: [[String: Value]] = [["bold": .null], ["italic": .null, "link": .null]]

    func randomEdit(_ chance: inout Chance) -> Edit {
        let texts = places { if case .text = $0 { true } else { false } }
        let elements = places { if case .element = $0 { true } else { false } }
        if texts.isEmpty || chance.happens(3) {
            return .insert([.element(Self.block(&chance))], at: [Int.random(in: 0...blocks.count, using: &chance)])
        }
        if blocks.count > 3, chance.happens(1) {
            return .remove(1, at: [Int.random(in: blocks.indices, using: &chance)])
        }
        if chance.happens(1) {
            let values: [Value] = ["checked", true, 4, .number(2.5), .array([1, "x"])]
            return .setAttribute("checked", chance.happens(2) ? nil : chance.pick(values), at: chance.pick(elements))
        }
        let place = chance.pick(texts)
        return .changeText(Self.change(characters(at: place), &chance), at: place)
    }

    private static func block(_ chance: inout Chance) -> Element {
        let text = Node.text([Run(chance.pick(words), chance.pick(marks)), Run(chance.pick(words))])
        return switch Int.random(in: 0..<5, using: &chance) {
        case 0: Element("heading", ["level": 2, "id": "h_abcdefgh", "collapsed": false], [text])
        case 1:
            Element(
                "bulletList", [:], [.element(Element("listItem", [:], [.element(Element("paragraph", [:], [text]))]))])
        case 2: Element("someFutureNode", ["list": .array([1, .number(2.5), ["deep": true]])], [text])
        default: Element("paragraph", [:], [text])
        }
    }

    /// - Parameter characters: what stands in the text node, a character or an embedded value each, by its length.
    private static func change(_ characters: [Int], _ chance: inout Chance) -> [TextChange] {
        let cuts = [0, 0].map { _ in Int.random(in: 0...characters.count, using: &chance) }.sorted()
        let start = characters[..<cuts[0]].reduce(0, +)
        let length = characters[cuts[0]..<cuts[1]].reduce(0, +)
        var changes: [TextChange] = start == 0 ? [] : [.retain(start, marks: [:])]
        if length == 0 || chance.happens(5) { return changes + [.insert(Run(chance.pick(words), chance.pick(marks)))] }
        changes.append(chance.happens(5) ? .delete(length) : .retain(length, marks: chance.pick(marks + taken)))
        return changes
    }

    private func characters(at place: Path) -> [Int] {
        guard case .text(let runs)? = node(at: place) else { return [] }
        return runs.flatMap { run in
            switch run.content {
            case .text(let text): text.unicodeScalars.map { $0.utf16.count }
            case .embed: [1]
            }
        }
    }

    private func node(at place: Path) -> Node? {
        var siblings = blocks
        for index in place.dropLast() {
            guard case .element(let element) = siblings[index] else { return nil }
            siblings = element.children
        }
        return place.last.map { siblings[$0] }
    }

    private func places(where isWanted: (Node) -> Bool) -> [Path] {
        func below(_ siblings: [Node], _ path: Path) -> [Path] {
            siblings.enumerated().flatMap { index, node in
                let place = path + [index]
                let deeper = if case .element(let element) = node { below(element.children, place) } else { [Path]() }
                return (isWanted(node) ? [place] : []) + deeper
            }
        }
        return below(blocks, [])
    }
}
