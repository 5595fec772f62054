/// A regular expression as JavaScript writes it, for names of files: characters, classes, groups, alternatives, repetitions, `^` and `$`.
///
/// It is matched by following all ways at once, so that no expression takes longer than its length times that of the name. What
/// cannot be matched like that, such as references back and looking ahead, is refused.
struct RegularExpression: Sendable {
    struct Malformed: Error, Hashable, Sendable {
        let reason: String
    }

    /// What may stand at one place of a name.
    struct CharacterSet: Hashable, Sendable {
        var ranges: [ClosedRange<UInt32>]
        var isInverted = false

        func contains(_ character: Unicode.Scalar) -> Bool {
            ranges.contains { $0.contains(character.value) } != isInverted
        }
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

    /// Of one expression, written out.
    static let instructionLimit = 512

    private let program: [Instruction]

    init(_ text: String) throws(Malformed) {
        var parser = RegularExpressionParser(text)
        program = try RegularExpressionCompiler.program(for: parser.whole())
    }

    /// Whether it is found anywhere in the name.
    func matches(_ name: String) -> Bool {
        var threads = Threads(count: program.count)
        var isStart = true
        for character in name.unicodeScalars {
            if add(0, to: &threads, isStart: isStart, isEnd: false) { return true }
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
        threads = Threads(count: program.count)
        if add(0, to: &threads, isStart: isStart, isEnd: true) { return true }
        return waiting.contains { add($0, to: &threads, isStart: isStart, isEnd: true) }
    }

    /// The places where matching goes on.
    private struct Threads {
        var places: [Int] = []
        /// Where it goes on only at the end of the name.
        var ends: [Int] = []
        private var seen: [Bool]

        init(count: Int) { seen = Array(repeating: false, count: count) }

        mutating func isNew(_ place: Int) -> Bool {
            if seen[place] { return false }
            seen[place] = true
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
