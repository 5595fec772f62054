public import RichText

/// A place in the text of a note.
public struct TextPosition: Hashable, Sendable {
    /// Where the text node is.
    public var path: RichText.Path
    /// UTF-16 code units from its beginning.
    public var offset: Int

    /// A position `offset` UTF-16 code units into the text node at `path`.
    public init(_ path: RichText.Path, _ offset: Int) {
        self.path = path
        self.offset = offset
    }
}

/// A stretch of a note's text, possibly across blocks.
public struct TextRange: Hashable, Sendable {
    /// Where the range begins.
    public var start: TextPosition
    /// Where the range ends; not part of it.
    public var end: TextPosition

    /// The text from `start` up to `end`.
    public init(from start: TextPosition, to end: TextPosition) {
        self.start = start
        self.end = end
    }
}

/// A range with all that depends on the note it is in.
struct Selection {
    /// The text nodes, each with the part of it that is selected.
    private var parts: [(path: RichText.Path, range: Range<Int>, text: String)] = []
    /// ProseMirror positions: each unit of text counts one, each element its two ends, a leaf one.
    private(set) var start: Int?
    private(set) var end: Int?
    private var position = 0

    /// Elements that have no inside.
    private static let leaves: Set<String> = [
        "horizontalRule", "hardBreak", "notecoveImage", "oembedUnfurl", "mentionNode",
    ]

    init(_ range: TextRange, in document: RichText) {
        visit(document.blocks, [], range)
    }

    var isEmpty: Bool { parts.allSatisfy(\.range.isEmpty) || start == nil || end == nil }

    /// What is selected, one line a text node.
    var text: String { parts.map(\.text).filter { !$0.isEmpty }.joined(separator: "\n") }

    /// Sets a mark on all that is selected, or with null takes it away.
    func marking(_ name: String, _ value: RichText.Value) -> [RichText.Edit] {
        parts.filter { !$0.range.isEmpty }.map { part in
            .changeText(
                [.retain(part.range.lowerBound, marks: [:]), .retain(part.range.count, marks: [name: value])],
                at: part.path)
        }
    }

    private mutating func visit(_ nodes: [RichText.Node], _ path: RichText.Path, _ range: TextRange) {
        for (index, node) in nodes.enumerated() {
            switch node {
            case .text(let runs): visit(runs, path + [index], range)
            case .element(let element) where element.children.isEmpty && Self.leaves.contains(element.name):
                position += 1
            case .element(let element):
                position += 1
                visit(element.children, path + [index], range)
                position += 1
            }
        }
    }

    private mutating func visit(_ runs: [RichText.Run], _ path: RichText.Path, _ range: TextRange) {
        var units: [UInt16] = []
        for run in runs {
            // An embedded value counts as one unit.
            if case .text(let text) = run.content { units += text.utf16 } else { units.append(0xfffc) }
        }
        let inside = 0...units.count
        if path == range.start.path, inside.contains(range.start.offset) { start = position + range.start.offset }
        if path == range.end.path, inside.contains(range.end.offset) { end = position + range.end.offset }
        position += units.count
        let isBefore = path.lexicographicallyPrecedes(range.start.path)
        guard !isBefore, !range.end.path.lexicographicallyPrecedes(path) else { return }
        let lower = path == range.start.path ? min(max(0, range.start.offset), units.count) : 0
        let upper = path == range.end.path ? min(max(0, range.end.offset), units.count) : units.count
        guard lower <= upper else { return }
        parts.append((path, lower..<upper, String(decoding: units[lower..<upper], as: UTF16.self)))
    }
}

extension RichText {
    /// The edits that take a mark away wherever it is.
    func unmarking(_ name: String) -> [Edit] {
        var edits: [Edit] = []
        func visit(_ nodes: [Node], _ path: Path) {
            for (index, node) in nodes.enumerated() {
                switch node {
                case .element(let element): visit(element.children, path + [index])
                case .text(let runs) where runs.contains { $0.marks[name] != nil }:
                    edits.append(.changeText(runs.map { $0.unmarking(name) }, at: path + [index]))
                case .text: break
                }
            }
        }
        visit(blocks, [])
        return edits
    }
}

extension RichText.Run {
    fileprivate func unmarking(_ name: String) -> RichText.TextChange {
        var length = 1
        if case .text(let text) = content { length = text.utf16.count }
        return .retain(length, marks: marks[name] == nil ? [:] : [name: .null])
    }
}
