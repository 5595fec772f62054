import RichText

/// Edits like a person's, anywhere in a document: words with marks, formats, deletions, blocks, attributes.
struct RandomEdits {
    var dice: Dice

    private static let words = ["a", "bc ", "def", "é", "😀", "x😀y", "\u{1F469}\u{200D}\u{1F52C}", "漢字"]
    private static let marks: [(String, [RichText.Value])] = [
        ("bold", [[:]]), ("italic", [[:]]), ("commentMark--mabJ5Uiu", [["threadId": "t"]]), ("unknownMark", [true, 7]),
        ("link", [["href": "https://a"], ["href": "https://b", "displayMode": "chip"]]),
    ]

    mutating func edit(of document: RichText) -> RichText.Edit {
        let places = Places(document)
        switch dice.below(20) {
        case ..<14 where !places.texts.isEmpty:
            let (path, runs) = dice.pick(places.texts)
            return .changeText(changes(to: runs), at: path)
        case ..<16 where !places.elements.isEmpty:
            let value = dice.pick([nil, 1, "1", true, ["deep": "value"]] as [RichText.Value?])
            return .setAttribute(dice.pick(["level", "unknown"]), value, at: dice.pick(places.elements))
        case ..<17 where document.blocks.count > 1:
            return .remove(1, at: [dice.below(document.blocks.count)])
        default:
            return .insert([block()], at: [dice.below(document.blocks.count + 1)])
        }
    }

    private mutating func block() -> RichText.Node {
        let text = RichText.Node.text((0...dice.below(3)).map { _ in run() })
        switch dice.below(4) {
        case 0: return .element(.init("heading", ["level": 2], [text]))
        case 1:
            let item = RichText.Node.element(
                .init("taskItem", ["checked": "nope"], [.element(.init("paragraph", [:], [text]))]))
            return .element(.init("bulletList", [:], [item]))
        case 2: return .element(.init("strangeNode", ["data": [:]], [text, .element(.init("hardBreak")), text]))
        default: return .element(.init("paragraph", [:], [text]))
        }
    }

    private mutating func run() -> RichText.Run {
        var run = RichText.Run(dice.pick(Self.words))
        for (name, values) in Self.marks where dice.chance(20) { run.marks[name] = dice.pick(values) }
        return run
    }

    private mutating func changes(to runs: [RichText.Run]) -> [RichText.TextChange] {
        let units = runs.flatMap { run -> [UInt16] in
            if case .text(let text) = run.content { Array(text.utf16) } else { [0xfffc] }
        }
        let start = boundary(in: units)
        let end = max(start, boundary(in: units))
        switch dice.below(10) {
        case ..<3 where end > start: return [.retain(start, marks: [:]), .delete(end - start), .insert(run())]
        case ..<5 where end > start: return [.retain(start, marks: [:]), .delete(end - start)]
        case ..<8 where end > start:
            let (name, values) = dice.pick(Self.marks)
            let value = dice.chance(40) ? RichText.Value.null : dice.pick(values)
            return [.retain(start, marks: [:]), .retain(end - start, marks: [name: value])]
        default: return [.retain(start, marks: [:]), .insert(run())]
        }
    }

    /// A place that is not inside of a surrogate pair.
    private mutating func boundary(in units: [UInt16]) -> Int {
        let place = dice.below(units.count + 1)
        return units.indices.contains(place) && UTF16.isTrailSurrogate(units[place]) ? place - 1 : place
    }
}

private struct Places {
    var texts: [(RichText.Path, [RichText.Run])] = []
    var elements: [RichText.Path] = []

    init(_ document: RichText) { visit(document.blocks, []) }

    private mutating func visit(_ nodes: [RichText.Node], _ path: RichText.Path) {
        for (index, node) in nodes.enumerated() {
            switch node {
            case .text(let runs): texts.append((path + [index], runs))
            case .element(let element):
                elements.append(path + [index])
                visit(element.children, path + [index])
            }
        }
    }
}
