/// How siblings become other siblings: which stay, which are changed inside, which come and go.
enum Pairing {
    /// By their indices before and after.
    enum Step {
        case same(Int, Int)
        case changed(Int, Int)
        case removed(Range<Int>)
        case inserted(Range<Int>)
    }

    static func steps(_ old: [RichText.Node], _ new: [RichText.Node]) -> [Step] {
        var steps: [Step] = []
        let alignment = Alignment(old, new)
        for (index, gap) in alignment.gaps.enumerated() {
            var start = (old: gap.old.lowerBound, new: gap.new.lowerBound)
            for pair in similar(Array(old[gap.old]), Array(new[gap.new])) + [(gap.old.count, gap.new.count)] {
                let end = (old: gap.old.lowerBound + pair.old, new: gap.new.lowerBound + pair.new)
                if start.old < end.old { steps.append(.removed(start.old..<end.old)) }
                if start.new < end.new { steps.append(.inserted(start.new..<end.new)) }
                if end.old < gap.old.upperBound { steps.append(.changed(end.old, end.new)) }
                start = (end.old + 1, end.new + 1)
            }
            if index < alignment.pairs.count {
                steps.append(.same(alignment.pairs[index].old, alignment.pairs[index].new))
            }
        }
        return steps
    }

    /// Beyond so many comparisons siblings are paired in order instead of by how similar they are.
    private static let comparisonLimit = 250_000

    /// Pairs of nodes that are taken for one node before and after a change, in order on both sides.
    private static func similar(_ old: [RichText.Node], _ new: [RichText.Node]) -> [(old: Int, new: Int)] {
        if old.isEmpty || new.isEmpty { return [] }
        let (before, after) = (old.map(Similarity.init), new.map(Similarity.init))
        if old.count == 1, new.count == 1 { return before[0].kind == after[0].kind ? [(0, 0)] : [] }
        guard old.count * new.count <= comparisonLimit else { return inOrder(before, after) }
        // The best total of scores for what follows each place, from the end.
        let width = new.count + 1
        var best = [Double](repeating: 0, count: (old.count + 1) * width)
        var scores = [Double](repeating: 0, count: best.count)
        for row in old.indices.reversed() {
            for column in new.indices.reversed() {
                let place = row * width + column
                scores[place] = before[row].score(after[column])
                let paired = scores[place] > 0 ? scores[place] + best[place + width + 1] : 0
                best[place] = max(paired, best[place + width], best[place + 1])
            }
        }
        var pairs: [(old: Int, new: Int)] = []
        var (row, column) = (0, 0)
        while row < old.count, column < new.count {
            let place = row * width + column
            if scores[place] > 0, best[place] == scores[place] + best[place + width + 1] {
                pairs.append((row, column))
                (row, column) = (row + 1, column + 1)
            } else if best[place] == best[place + width] {
                row += 1
            } else {
                column += 1
            }
        }
        return pairs
    }

    /// Nodes of the same kind in their order.
    private static func inOrder(_ old: [Similarity], _ new: [Similarity]) -> [(old: Int, new: Int)] {
        var pairs: [(old: Int, new: Int)] = []
        var next = 0
        for (index, node) in old.enumerated() where next < new.count && node.kind == new[next].kind {
            pairs.append((index, next))
            next += 1
        }
        return pairs
    }
}

/// What of a node is compared to find the one it was before a change.
private struct Similarity {
    /// The name of an element; nil for text.
    let kind: String?
    let text: [UInt16]

    init(_ node: RichText.Node) {
        kind = node.element?.name
        text = Array(node.text(between: " ").utf16)
    }

    /// 0 if they have nothing to do with each other, at most 2.
    func score(_ other: Similarity) -> Double {
        guard kind == other.kind else { return 0 }
        let (shorter, longer) = (min(text.count, other.text.count), max(text.count, other.text.count))
        if longer == 0 { return 2 }
        if shorter == 0 { return 0.5 }
        let start = zip(text, other.text).prefix { $0 == $1 }.count
        let end = zip(text.reversed(), other.text.reversed()).prefix(shorter - start).prefix { $0 == $1 }.count
        let shared = Double(start + end) / Double(longer)
        return shared >= 0.2 ? 1 + shared : 0
    }
}
