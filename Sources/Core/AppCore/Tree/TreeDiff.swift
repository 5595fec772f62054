/// What a renderer has to do to get from one tree to the next.
///
/// Nodes are told apart by their ids. A renderer takes ``removed`` out, with all that is below, and what ``placed`` moves out
/// of its parent; then puts everything of ``placed`` in, in order; and gives the ``updated`` nodes what they show now. Chunks
/// of children that both trees share are not looked at, so a new message in a long talk costs what one chunk costs.
package struct TreeDiff: Sendable, Hashable, Codable {
    /// A node that is new, or that goes to another place among the children of its parent.
    package struct Placement: Sendable, Hashable, Codable {
        package var id: String
        package var parent: String
        /// Where it stands among the parent's children, counted when all that stand before it are there.
        package var place: Int
        /// The new node, with all that is below; `nil` if the node was there before.
        package var node: SemanticNode?
    }

    /// The whole new tree, when another screen is shown; everything else is empty then.
    package private(set) var replaced: SemanticNode?
    package private(set) var removed: [String] = []
    package private(set) var placed: [Placement] = []
    /// Nodes that show something else than before.
    package private(set) var updated: [Change] = []

    /// What is different about a node, without its children.
    package struct Change: Sendable, Hashable, Codable {
        package var id: String
        /// The members of the node's JSON object that are different now; `null` for those that it has no more.
        package var fields: [String: JSONValue] = [:]
        /// What was added at the end of the text that it shows, and nothing else in it.
        package var append: Addition?
    }

    /// Text that grew, as while somebody writes: the whole of it each time would cost the square of its length.
    package struct Addition: Sendable, Hashable, Codable {
        /// How long the text was, in UTF-16 code units.
        package var at: Int
        package var text: String
    }

    package init(from old: SemanticNode, to new: SemanticNode) {
        if old.id == new.id {
            compare(old, new)
        } else {
            replaced = new
        }
    }

    /// Whether both trees are equal.
    package var isEmpty: Bool { replaced == nil && removed.isEmpty && placed.isEmpty && updated.isEmpty }

    private mutating func compare(_ old: SemanticNode, _ new: SemanticNode) {
        if let change = Change(from: old.withoutChildren, to: new.withoutChildren) { updated.append(change) }
        compare(old.children, new.children, parent: new.id)
    }

    /// Looks only at what stands between the chunks that both share.
    private mutating func compare(
        _ old: ChunkedArray<SemanticNode>, _ new: ChunkedArray<SemanticNode>, parent: String
    ) {
        guard !old.isEmpty || !new.isEmpty else { return }
        var (oldStart, newStart) = (0, 0)
        for shared in old.sharedChunks(with: new) {
            compare(old[oldStart..<shared.start], new[newStart..<shared.otherStart], parent: parent)
            oldStart = shared.start + shared.count
            newStart = shared.otherStart + shared.count
        }
        compare(old[oldStart...], new[newStart...], parent: parent)
    }

    /// Compares what stands in the same order at both ends, and sorts out the rest.
    private mutating func compare(
        _ old: Slice<ChunkedArray<SemanticNode>>, _ new: Slice<ChunkedArray<SemanticNode>>, parent: String
    ) {
        var (old, new) = (old, new)
        while let before = old.first, let after = new.first, before.id == after.id {
            compare(before, after)
            old.removeFirst()
            new.removeFirst()
        }
        while let before = old.last, let after = new.last, before.id == after.id {
            compare(before, after)
            old.removeLast()
            new.removeLast()
        }
        arrange(old, new, parent: parent)
    }

    private mutating func arrange(
        _ old: Slice<ChunkedArray<SemanticNode>>, _ new: Slice<ChunkedArray<SemanticNode>>, parent: String
    ) {
        guard !old.isEmpty || !new.isEmpty else { return }
        let places = Dictionary(zip(old.lazy.map(\.id), old.indices)) { first, _ in first }
        let ids = Set(new.lazy.map(\.id))
        removed += old.lazy.map(\.id).filter { !ids.contains($0) }
        let known = new.indices.filter { places[new[$0].id] != nil }
        let formerPlaces = known.compactMap { places[new[$0].id] }
        let staying = Set(formerPlaces.longestRise.map { known[$0] })
        for (place, node) in zip(new.indices, new) {
            let former = places[node.id]
            if !staying.contains(place) {
                let placement = Placement(id: node.id, parent: parent, place: place, node: former == nil ? node : nil)
                placed.append(placement)
            }
            if let former { compare(old[former], node) }
        }
    }
}

extension TreeDiff.Change {
    /// Bytes of a text from which on it is worth saying only what was added.
    private static let leastText = 64

    /// `nil` if nothing is different.
    fileprivate init?(from old: SemanticNode, to new: SemanticNode) {
        guard old != new else { return nil }
        id = new.id
        var before = old
        if case .text(let shorter) = old.value, case .text(let longer) = new.value,
            shorter.utf8.count >= Self.leastText, shorter.utf8.count < longer.utf8.count,
            longer.utf8.starts(with: shorter.utf8)
        {
            let added = longer.utf8.dropFirst(shorter.utf8.count)
            append = .init(at: shorter.utf16.count, text: String(Substring(added)))
            before.value = new.value
        }
        guard let then = try? JSONValue(before).object, let now = try? JSONValue(new).object else { return }
        for (name, value) in now where then[name] != value { fields[name] = value }
        for name in then.keys where now[name] == nil { fields[name] = .null }
    }
}

extension SemanticNode {
    fileprivate var withoutChildren: SemanticNode {
        var node = self
        node.children = []
        return node
    }
}

extension Array where Element: Comparable {
    /// The indices of a longest subsequence that rises strictly. Takes n log n steps.
    var longestRise: [Int] {
        /// For each length, the index at which a rise of that length ends lowest.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: count)
        for index in indices {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if self[ends[middle]] < self[index] { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var rise: [Int] = []
        var next = ends.last
        while let index = next {
            rise.append(index)
            next = previous[index]
        }
        return rise.reversed()
    }
}
