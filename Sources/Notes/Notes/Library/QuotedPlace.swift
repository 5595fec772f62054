internal import CRDTBridge
internal import RichText

extension RichText {
    /// Where the document says this. White space of any kind and length counts as one space, also that between blocks; characters that
    /// nobody sees do not count. Pages say the same of a selection (`quoteOf` in `Web/editor/comments.js`).
    /// - Parameter nth: how many such places come before it; of fewer the last one is given.
    func range(of quoted: String, nth: Int) -> TextRange? {
        var wanted = Reading(quoted).units
        if wanted.last == Reading.space { wanted.removeLast() }
        guard !wanted.isEmpty else { return nil }
        let text = Reading(self)
        var (found, count): (Int?, Int) = (nil, 0)
        for start in 0..<max(0, text.units.count - wanted.count + 1)
        where text.units[start] == wanted[0] && text.units[start...].starts(with: wanted) {
            found = start
            count += 1
            if count > nth { break }
        }
        return found.map { text.range($0..<$0 + wanted.count) }
    }
}

/// A text as it reads, with the place of each of its units.
private struct Reading {
    static let space = UInt16(ascii: " ")

    private(set) var units: [UInt16] = []
    private var places: [(start: TextPosition, end: TextPosition)] = []

    init(_ text: String) { append(text.utf16, at: []) }

    init(_ document: RichText) { append(document.blocks, at: []) }

    func range(_ range: Range<Int>) -> TextRange {
        TextRange(from: places[range.lowerBound].start, to: places[range.upperBound - 1].end)
    }

    private mutating func append(_ nodes: [RichText.Node], at path: RichText.Path) {
        for (index, node) in nodes.enumerated() {
            switch node {
            case .element(let element): append(element.children, at: path + [index])
            case .text(let runs):
                add(Self.space, at: TextPosition(path + [index], 0), count: 0)
                var units: [UInt16] = []
                for run in runs {
                    // An embedded value is one unit, and read as a space.
                    if case .text(let text) = run.content { units += text.utf16 } else { units.append(Self.space) }
                }
                append(units, at: path + [index])
            }
        }
    }

    private mutating func append(_ text: some Sequence<UInt16>, at path: RichText.Path) {
        var offset = 0
        for unit in text {
            let properties = Unicode.Scalar(unit)?.properties
            let isUnseen = properties?.generalCategory == .format
            if properties?.isWhitespace ?? false || properties?.generalCategory == .control {
                add(Self.space, at: TextPosition(path, offset), count: 1)
            } else if !isUnseen {
                add(unit, at: TextPosition(path, offset), count: 1)
            }
            offset += 1
        }
    }

    private mutating func add(_ unit: UInt16, at place: TextPosition, count: Int) {
        guard unit != Self.space || (units.last ?? Self.space) != Self.space else { return }
        units.append(unit)
        places.append((place, TextPosition(place.path, place.offset + count)))
    }
}

extension UInt16 {
    fileprivate init(ascii: Unicode.Scalar) { self = UInt16(ascii.value) }
}
