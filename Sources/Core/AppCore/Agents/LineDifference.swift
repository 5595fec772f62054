/// What changes from one text to another, line by line, as people know it from patches: `- ` before a line that goes, `+ ` before one that
/// comes, two blanks before one that stays, and `@@ 12 @@` where lines that stay are left out: the number of the next line of the new text.
///
/// A person allows what they see here, so bytes are compared, and not what Unicode holds for the same. A carriage return is shown as `␍`, and a last
/// line that loses or gets its end is followed by one that says so.
struct LineDifference {
    private(set) var added = 0
    private(set) var removed = 0
    private var lines: [String] = []

    var text: String { lines.joined(separator: "\n") }

    /// Lines around a change that are shown.
    static let context = 3
    /// Lines of both texts that are compared with each other. Of longer ones all that is not equal at the ends goes and comes.
    static let compared = 600

    /// A line with its end, so that a last line without one differs from one that has it.
    private struct Line: Equatable {
        let bytes: ArraySlice<UInt8>

        var text: String {
            let line = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
            return String(decoding: line, as: UTF8.self).replacing("\r", with: "\u{240D}")
        }
    }

    private enum Step {
        case stays(Line)
        case goes(Line)
        case comes(Line)
    }

    /// - Parameter old: `nil` for a text that is new.
    init(from old: String?, to new: String) {
        write(Self.steps(Self.lines(old ?? ""), Self.lines(new)))
        // As patches say it.
        let ends = (Self.endsWithLine(old ?? ""), Self.endsWithLine(new))
        if ends == (true, false) { lines.append("\\ No newline at end of file") }
        if ends == (false, true), !new.isEmpty { lines.append("\\ Newline added at end of file") }
    }

    private static func endsWithLine(_ text: String) -> Bool { text.utf8.last.map { $0 == UInt8(ascii: "\n") } ?? true }

    private static func lines(_ text: String) -> [Line] {
        var (lines, rest) = ([Line](), Array(text.utf8)[...])
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(Line(bytes: rest[...end]))
            rest = rest[(end + 1)...]
        }
        return rest.isEmpty ? lines : lines + [Line(bytes: rest)]
    }

    private static func steps(_ old: [Line], _ new: [Line]) -> [Step] {
        let before = zip(old, new).prefix { $0 == $1 }.count
        let rest = min(old.count, new.count) - before
        let behind = zip(old.reversed(), new.reversed()).prefix(rest).prefix { $0 == $1 }.count
        let middle = changes(old[before..<(old.count - behind)], new[before..<(new.count - behind)])
        return new.prefix(before).map(Step.stays) + middle + new.suffix(behind).map(Step.stays)
    }

    /// The fewest lines that go and come.
    private static func changes(_ old: ArraySlice<Line>, _ new: ArraySlice<Line>) -> [Step] {
        guard old.count + new.count <= compared, !old.isEmpty, !new.isEmpty else {
            return old.map(Step.goes) + new.map(Step.comes)
        }
        let (old, new) = (Array(old), Array(new))
        // How many lines the rests from here on have in common at most.
        var common = Array(repeating: Array(repeating: 0, count: new.count + 1), count: old.count + 1)
        for row in old.indices.reversed() {
            for column in new.indices.reversed() {
                common[row][column] =
                    old[row] == new[column]
                    ? common[row + 1][column + 1] + 1 : max(common[row + 1][column], common[row][column + 1])
            }
        }
        var steps: [Step] = []
        var (row, column) = (0, 0)
        while row < old.count || column < new.count {
            if row < old.count, column < new.count, old[row] == new[column] {
                steps.append(.stays(new[column]))
                (row, column) = (row + 1, column + 1)
            } else if column == new.count || row < old.count && common[row + 1][column] >= common[row][column + 1] {
                steps.append(.goes(old[row]))
                row += 1
            } else {
                steps.append(.comes(new[column]))
                column += 1
            }
        }
        return steps
    }

    private mutating func write(_ steps: [Step]) {
        let changes = steps.indices.filter { if case .stays = steps[$0] { false } else { true } }
        var isNear = Array(repeating: false, count: steps.count)
        for change in changes {
            for place in max(0, change - Self.context)...min(steps.count - 1, change + Self.context) {
                isNear[place] = true
            }
        }
        var (number, isCut) = (0, false)
        for (place, step) in steps.enumerated() {
            if case .goes = step {} else { number += 1 }
            guard isNear[place] else {
                isCut = true
                continue
            }
            if isCut { lines.append("@@ \(number) @@") }
            isCut = false
            switch step {
            case .stays(let line): lines.append("  \(line.text)")
            case .goes(let line):
                lines.append("- \(line.text)")
                removed += 1
            case .comes(let line):
                lines.append("+ \(line.text)")
                added += 1
            }
        }
    }
}
