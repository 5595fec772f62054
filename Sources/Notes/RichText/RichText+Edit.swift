extension RichText {
    /// Where a node is: the index among its siblings on each level, from the document down. Text nodes count as one each.
    public typealias Path = [Int]

    /// One step of changing a document in place. Each step is told in terms of the document that the steps before it left.
    public enum Edit: Hashable, Sendable {
        /// New nodes, the first of which gets this path.
        case insert([Node], at: Path)
        /// Takes away `count` siblings, beginning with the one at this path.
        case remove(Int, at: Path)
        /// Sets an attribute of an element, or (with nil) takes it away.
        case setAttribute(String, Value?, at: Path)
        /// Changes the text node at this path.
        case changeText([TextChange], at: Path)
    }

    /// A part of a change to one text node, from its beginning on. Lengths are UTF-16 code units and never split a pair.
    public enum TextChange: Hashable, Sendable {
        /// Leaves so much as it is, but for these marks: null takes a mark away.
        case retain(Int, marks: [String: Value])
        /// Puts a run here.
        case insert(Run)
        /// Takes so many UTF-16 code units away; an embed counts as one.
        case delete(Int)
    }
}
