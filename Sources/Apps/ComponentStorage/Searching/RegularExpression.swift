/// A regular expression as JavaScript writes it, for names of files: characters, classes, groups, alternatives, repetitions, `^` and `$`.
///
/// It is matched by following all ways at once, so that no expression takes longer than its length times that of the name. What
/// cannot be matched like that, such as references back and looking ahead, is refused. Expressions are foreign: nothing about one makes
/// its reading recurse deeper than its groups are nested, which is limited, as its length is.
package struct RegularExpression: Sendable {
    /// Why an expression or a pattern is refused.
    package struct Malformed: Error, Hashable, Sendable {
        /// For the author of the expression: a clause that does not repeat it.
        package let reason: String
    }

    enum Instruction: Sendable {
        case character(CharacterSet)
        /// Goes on at both places.
        case split(Int, Int)
        case jump(Int)
        case start
        case end
        case match
    }

    /// Bytes of one expression, or of one pattern, in UTF-8.
    package static let byteLimit = 1024
    /// The most instructions of one expression, with its repetitions written out.
    package static let instructionLimit = 512

    private let program: [Instruction]

    /// Reads an expression of at most ``byteLimit`` bytes and ``instructionLimit`` instructions.
    package init(_ text: String) throws(Malformed) {
        try Self.checkLength(text)
        var parser = RegularExpressionParser(text)
        program = try RegularExpressionCompiler.program(for: parser.whole())
    }

    /// A pattern of the whole name: `*` stands for any characters, `?` for one, and everything else for itself.
    package init(pattern: String) throws(Malformed) {
        try Self.checkLength(pattern)
        var nodes: [RegularExpressionParser.Node] = [.start]
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case "*": nodes.append(.repetition(.character(.all), least: 0, most: nil))
            case "?": nodes.append(.character(.all))
            default: nodes.append(.character(.one(scalar)))
            }
        }
        program = try RegularExpressionCompiler.program(for: .sequence(nodes + [.end]))
    }

    private static func checkLength(_ text: String) throws(Malformed) {
        guard text.utf8.count <= byteLimit else {
            throw Malformed(reason: "the expression is longer than \(byteLimit) bytes")
        }
    }

    /// Whether it is found anywhere in the name.
    func matches(_ name: String) -> Bool {
        var steps = 0
        return matches(name, steps: &steps)
    }

    /// Whether it is found anywhere in the name.
    /// - Parameter steps: grows by the work that this took: at most the length of the name times ``instructionLimit``, about.
    package func matches(_ name: String, steps: inout Int) -> Bool {
        var threads = Threads(count: program.count)
        var isStart = true
        for character in name.unicodeScalars {
            if add(0, to: &threads, isStart: isStart, isEnd: false) { return true }
            steps += threads.visited
            var next = Threads(count: program.count)
            for place in threads.places {
                guard case .character(let set) = program[place], set.contains(character) else { continue }
                if add(place + 1, to: &next, isStart: false, isEnd: false) { return true }
            }
            threads = next
            isStart = false
        }
        // At the end, `$` holds for those that wait there, too.
        let waiting = threads.ends
        steps += 1 + threads.visited
        threads = Threads(count: program.count)
        if add(0, to: &threads, isStart: isStart, isEnd: true) { return true }
        return waiting.contains { add($0, to: &threads, isStart: isStart, isEnd: true) }
    }

    /// The places where matching goes on.
    private struct Threads {
        var places: [Int] = []
        /// Where it goes on only at the end of the name.
        var ends: [Int] = []
        /// Places that were come to.
        private(set) var visited = 0
        private var seen: [Bool]

        init(count: Int) { seen = Array(repeating: false, count: count) }

        mutating func isNew(_ place: Int) -> Bool {
            if seen[place] { return false }
            seen[place] = true
            visited += 1
            return true
        }
    }

    /// Follows everything that takes no character. True if that reaches the end of the expression.
    private func add(_ first: Int, to threads: inout Threads, isStart: Bool, isEnd: Bool) -> Bool {
        var waiting = [first]
        while let place = waiting.popLast() {
            guard threads.isNew(place) else { continue }
            switch program[place] {
            case .match: return true
            case .character: threads.places.append(place)
            case .jump(let target): waiting.append(target)
            case .split(let one, let other): waiting += [other, one]
            case .start: if isStart { waiting.append(place + 1) }
            case .end: if isEnd { waiting.append(place + 1) } else { threads.ends.append(place) }
            }
        }
        return false
    }
}
