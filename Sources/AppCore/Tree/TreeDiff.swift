/// What a renderer has to do to get from one tree to the next.
///
/// Nodes are told apart by their ids. A renderer takes ``removed`` out, with all that is below, and what ``placed`` moves out
/// of its parent; then puts everything of ``placed`` in, in order; and gives the ``updated`` nodes what they show now. Chunks
/// of children that both trees share are not looked at, so a new message in a long talk costs what one chunk costs.
public struct TreeDiff: Sendable, Hashable, Codable {
    /// A node that is new, or that goes to another place among the children of its parent.
    public struct Placement: Sendable, Hashable, Codable {
        public var id: String
        public var parent: String
        /// Where it stands among the parent's children, counted when all that stand before it are there.
        public var place: Int
        /// The new node, with all that is below; `nil` if the node was there before.
        public var node: SemanticNode?
    }

    /// The whole new tree, when another screen is shown; everything else is empty then.
    public private(set) var replaced: SemanticNode?
    public private(set) var removed: [String] = []
    public private(set) var placed: [Placement] = []
    /// Nodes that show something else than before, without their children.
    public private(set) var updated: [SemanticNode] = []

    public init(from old: SemanticNode, to new: SemanticNode) {
        if old.id == new.id {
            compare(old, new)
        } else {
            replaced = new
        }
    }

    /// Whether both trees are equal.
    public var isEmpty: Bool { replaced == nil && removed.isEmpty && placed.isEmpty && updated.isEmpty }

    private mutating func compare(_ old: SemanticNode, _ new: SemanticNode) {
        let shown = new.withoutChildren
        if old.withoutChildren != shown { updated.append(shown) }
        compare(old.children, new.children, parent: new.id)
    }

    /// Passes over what stands in the same order at both ends, and sorts out the rest.
    private mutating func compare(
        _ old: ChunkedArray<SemanticNode>, _ new: ChunkedArray<SemanticNode>, parent: String
    ) {
        var start = 0
        while start < min(old.count, new.count) {
            let shared = old.sharedCount(from: start, with: new, from: start)
            guard shared == 0 else {
                start += shared
                continue
            }
            guard old[start].id == new[start].id else { break }
            compare(old[start], new[start])
            start += 1
        }
        var (oldEnd, newEnd) = (old.count, new.count)
        while min(oldEnd, newEnd) > start {
            let shared = old.sharedCount(before: oldEnd, with: new, before: newEnd)
            let isShared = shared > 0 && min(oldEnd, newEnd) - shared >= start
            guard isShared || old[oldEnd - 1].id == new[newEnd - 1].id else { break }
            if !isShared { compare(old[oldEnd - 1], new[newEnd - 1]) }
            oldEnd -= isShared ? shared : 1
            newEnd -= isShared ? shared : 1
        }
        arrange(old[start..<oldEnd], new[start..<newEnd], parent: parent)
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

extension SemanticNode {
    fileprivate var withoutChildren: SemanticNode {
        var node = self
        node.children = []
        return node
    }
}
