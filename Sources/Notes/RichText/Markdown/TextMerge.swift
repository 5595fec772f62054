/// Brings an edit of a text back to what the document has there: marks that are not shown, and unknown elements.
struct TextMerge {
    private typealias Marks = [String: RichText.Value]
    typealias Piece = TextDifference.Piece

    static func children(
        of old: [RichText.Node], seenAs seen: [RichText.Node], editedTo edited: [RichText.Node]
    ) -> [RichText.Node] {
        let (old, seen) = (pieces(of: old), pieces(of: seen))
        guard let taking = TextMerge(old, seenAs: seen) else { return edited }
        return taking.children(after: TextDifference.steps(from: seen, to: pieces(of: edited), cutsWords: true))
    }

    static func pieces(of nodes: [RichText.Node]) -> [Piece] {
        nodes.flatMap { node in
            switch node {
            case .text(let runs): TextDifference.pieces(of: runs)
            case .element: [Piece(content: .node(node))]
            }
        }
    }

    /// For each UTF-16 code unit, or element, of the text: what it is in the document, and its marks there and as shown.
    private struct Unit {
        var content: Piece.Content
        var marks: Marks
        var shown: Marks

        var hidden: Marks { marks.filter { shown[$0.key] == nil } }
    }

    private let units: [Unit]

    /// Nil if what is shown is not unit for unit what the document has.
    private init?(_ old: [Piece], seenAs seen: [Piece]) {
        let shown = seen.flatMap { [Marks](repeating: $0.marks, count: $0.length) }
        let contents = old.flatMap { piece -> [(Piece.Content, Marks)] in
            guard case .text(let units) = piece.content else { return [(piece.content, piece.marks)] }
            return units.indices.map { (.text(units[$0...$0]), piece.marks) }
        }
        guard contents.count == shown.count else { return nil }
        units = zip(contents, shown).map { Unit(content: $0.0, marks: $0.1, shown: $1) }
    }

    private func children(after steps: [TextDifference.Step]) -> [RichText.Node] {
        var pieces: [Piece] = []
        var position = 0
        var deleted = 0
        for step in steps {
            switch step {
            case .retained(let seen, let edited):
                pieces += units[position..<position + seen.length].map { unit in
                    let marks = MarkdownMerge.values(of: unit.marks, seenAs: unit.shown, editedTo: edited.marks)
                    return Piece(content: unit.content, marks: marks)
                }
                position += seen.length
                deleted = 0
            case .deleted(let seen):
                position += seen.length
                deleted += seen.length
            case .inserted(var piece):
                piece.marks = marks(ofInserted: piece.marks, at: position, replacing: deleted)
                pieces.append(piece)
            }
        }
        return Self.nodes(of: pieces)
    }

    /// Inserted text is in a comment if what is on its two sides is, or what it replaces; and in a link with all that the
    /// link has.
    private func marks(ofInserted marks: Marks, at position: Int, replacing deleted: Int) -> Marks {
        let (before, after) = deleted > 0 ? (position - deleted, position - 1) : (position - 1, position)
        let neighbours = [before, after].filter(units.indices.contains).map { units[$0] }
        var marks = marks
        for unit in neighbours {
            for (name, value) in marks where unit.shown[name] == value { marks[name] = unit.marks[name] }
        }
        if neighbours.count == 2 {
            for (name, value) in neighbours[0].hidden where neighbours[1].hidden[name] == value && marks[name] == nil {
                marks[name] = value
            }
        }
        return marks
    }

    static func nodes(of pieces: [Piece]) -> [RichText.Node] {
        var nodes: [RichText.Node] = []
        var units: [UInt16] = []
        var runs: [RichText.Run] = []
        for (index, piece) in pieces.enumerated() {
            switch piece.content {
            case .text(let text):
                units += text
                if index + 1 < pieces.count, case .text = pieces[index + 1].content,
                    pieces[index + 1].marks == piece.marks
                {
                    continue
                }
                runs.append(.init(String(decoding: units, as: UTF16.self), piece.marks))
                units = []
            case .embed(let value): runs.append(.init(content: .embed(value), marks: piece.marks))
            case .node(let node):
                if !runs.isEmpty { nodes.append(.text(runs)) }
                runs = []
                nodes.append(node)
            }
        }
        if !runs.isEmpty { nodes.append(.text(runs)) }
        return nodes
    }
}
