/// Reads an expression into a tree. Only groups nest: alternatives stand beside each other, and what is repeated is not repeated again
/// but in a group. So the tree is never deeper than the limit on groups allows, and recursion over it is safe.
struct RegularExpressionParser {
    indirect enum Node {
        case nothing
        case character(RegularExpression.CharacterSet)
        case start
        case end
        case sequence([Node])
        case choice([Node])
        case repetition(Node, least: Int, most: Int?)
    }

    private var rest: ArraySlice<Unicode.Scalar>
    private var depth = 0

    /// Groups in groups.
    private static let depthLimit = 50
    private static let countLimit = 255

    init(_ text: String) { rest = ArraySlice(text.unicodeScalars) }

    mutating func whole() throws(RegularExpression.Malformed) -> Node {
        let node = try choice()
        if rest.first != nil { throw RegularExpression.Malformed(reason: "a group is closed that was not opened") }
        return node
    }

    private mutating func choice() throws(RegularExpression.Malformed) -> Node {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw RegularExpression.Malformed(reason: "groups are nested too deep") }
        var nodes = [try sequence()]
        while take("|") { nodes.append(try sequence()) }
        return nodes.count == 1 ? nodes[0] : .choice(nodes)
    }

    private mutating func sequence() throws(RegularExpression.Malformed) -> Node {
        var nodes: [Node] = []
        while let next = rest.first, next != "|", next != ")" { nodes.append(try repeated(atom())) }
        return nodes.isEmpty ? .nothing : .sequence(nodes)
    }

    private mutating func repeated(_ node: Node) throws(RegularExpression.Malformed) -> Node {
        guard let bounds = try bounds() else { return node }
        // Whether few or many are tried first makes no difference to what is found.
        _ = take("?")
        guard try self.bounds() == nil else { throw Self.nothingToRepeat }
        return .repetition(node, least: bounds.least, most: bounds.most)
    }

    private mutating func bounds() throws(RegularExpression.Malformed) -> (least: Int, most: Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        let before = rest
        guard take("{"), let least = number() else {
            rest = before
            return nil
        }
        var most: Int? = least
        if take(",") { most = number() }
        guard take("}") else {
            rest = before
            return nil
        }
        guard least <= Self.countLimit, most ?? 0 <= Self.countLimit, most ?? least >= least else {
            throw RegularExpression.Malformed(reason: "a repetition counts from 0 to \(Self.countLimit), upwards")
        }
        return (least, most)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let digit = rest.first, ("0"..."9").contains(digit) {
            rest.removeFirst()
            value = min(1_000_000, (value ?? 0) * 10 + Int(digit.value - 48))
        }
        return value
    }

    private mutating func atom() throws(RegularExpression.Malformed) -> Node {
        guard let character = rest.popFirst() else { return .nothing }
        switch character {
        case "^": return .start
        case "$": return .end
        case ".": return .character(.all)
        case "[": return .character(try characterClass())
        case "(": return try group()
        case "\\": return .character(try escape())
        case "*", "+", "?": throw Self.nothingToRepeat
        default: return .character(.one(character))
        }
    }

    private static let nothingToRepeat = RegularExpression.Malformed(reason: "there is nothing to repeat")

    private mutating func group() throws(RegularExpression.Malformed) -> Node {
        if take("?") {
            guard take(":") else {
                throw RegularExpression.Malformed(reason: "of groups with ? only (?: is known")
            }
        }
        let node = try choice()
        guard take(")") else { throw RegularExpression.Malformed(reason: "a group is not closed") }
        return node
    }

    private mutating func escape() throws(RegularExpression.Malformed) -> RegularExpression.CharacterSet {
        guard let character = rest.popFirst() else {
            throw RegularExpression.Malformed(reason: "a backslash stands at the end")
        }
        switch character {
        case "d": return .digits
        case "D": return .digits.inverted
        case "w": return .word
        case "W": return .word.inverted
        case "s": return .space
        case "S": return .space.inverted
        case "t": return .one("\t")
        case "n": return .one("\n")
        case "r": return .one("\r")
        case "a"..."z", "A"..."Z", "0"..."9":
            throw RegularExpression.Malformed(reason: "\\\(character) is not known here")
        default: return .one(character)
        }
    }

    private mutating func characterClass() throws(RegularExpression.Malformed) -> RegularExpression.CharacterSet {
        let isInverted = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while let character = rest.popFirst() {
            if character == "]" { return RegularExpression.CharacterSet(ranges, isInverted: isInverted) }
            let first = character == "\\" ? try escape() : .one(character)
            guard !first.isInverted else {
                throw RegularExpression.Malformed(reason: "\\D, \\W and \\S cannot stand in brackets")
            }
            let before = rest
            guard let low = first.single, take("-"), rest.first != "]", let end = rest.popFirst() else {
                rest = before
                ranges += first.ranges
                continue
            }
            let last = end == "\\" ? try escape() : .one(end)
            guard let high = last.single, low <= high else {
                throw RegularExpression.Malformed(reason: "a range in brackets goes backwards")
            }
            ranges.append(low...high)
        }
        throw RegularExpression.Malformed(reason: "a bracket is not closed")
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }
}
