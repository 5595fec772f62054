/// How siblings become other siblings: which stay, which are changed inside, which come and go.
enum Pairing {
    enum Step {
        case same(RichText.Node)
        case changed(RichText.Node, RichText.Node)
        case removed([RichText.Node])
        case inserted([RichText.Node])
    }

    static func steps(_ old: [RichText.Node], _ new: [RichText.Node]) -> [Step] {
        var steps: [Step] = []
        let alignment = Alignment(old, new)
        for (index, gap) in alignment.gaps.enumerated() {
            append(Array(old[gap.old]), Array(new[gap.new]), to: &steps)
            if index < alignment.pairs.count { steps.append(.same(old[alignment.pairs[index].old])) }
        }
        return steps
    }

    private static func append(_ old: [RichText.Node], _ new: [RichText.Node], to steps: inout [Step]) {
        var start = (old: 0, new: 0)
        for pair in similar(old, new) + [(old.count, new.count)] {
            if start.old < pair.old { steps.append(.removed(Array(old[start.old..<pair.old]))) }
            if start.new < pair.new { steps.append(.inserted(Array(new[start.new..<pair.new]))) }
            if pair.old < old.count { steps.append(.changed(old[pair.old], new[pair.new])) }
            start = (pair.old + 1, pair.new + 1)
        }
    }

    /// Beyond so many comparisons siblings are paired in order instead of by how similar they are.
    private static let comparisonLimit = 4096

    /// Pairs of nodes that are taken for one node before and after a change, in order on both sides.
    private static func similar(_ old: [RichText.Node], _ new: [RichText.Node]) -> [(old: Int, new: Int)] {
        if old.isEmpty || new.isEmpty { return [] }
        let (before, after) = (old.map(Likeness.init), new.map(Likeness.init))
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
    private static func inOrder(_ old: [Likeness], _ new: [Likeness]) -> [(old: Int, new: Int)] {
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
private struct Likeness {
    /// The name of an element; nil for text.
    let kind: String?
    let text: [UInt16]

    init(_ node: RichText.Node) {
        kind = node.element?.name
        text = Array(node.text(between: " ").utf16)
    }

    /// 0 if they have nothing to do with each other, at most 2.
    func score(_ other: Likeness) -> Double {
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
