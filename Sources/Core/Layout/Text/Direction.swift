/// In which direction a paragraph is read, by its first letter that has one (UAX #9, rules P2 and P3).
enum Direction: Sendable, Hashable {
    case leftToRight, rightToLeft

    init(of text: some Sequence<Unicode.Scalar>) {
        self = .leftToRight
        for scalar in text {
            if let direction = Self.strong(scalar) {
                self = direction
                return
            }
        }
    }

    /// The direction that a scalar has by itself; `nil` for digits, signs, marks and spaces, which follow others.
    private static func strong(_ scalar: Unicode.Scalar) -> Direction? {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0x200E: return .leftToRight
        case 0x200F, 0x61C: return .rightToLeft
        case 0..<0xAA: return nil
        default: break
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: break
        default: return nil
        }
        switch scalar.value {
        // Hebrew, Arabic and their neighbours, their presentation forms, and the scripts of the planes beyond.
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return .rightToLeft
        default: return .leftToRight
        }
    }
}

extension TextBlock {
    /// The direction of each line: a line is read as its paragraph is.
    func directions(of lines: [TextLine]) -> [Direction] {
        let utf8 = text.utf8
        // Most text has no letter beyond Latin, Greek and Cyrillic.
        guard utf8.contains(where: { $0 >= 0xD6 }) else { return lines.map { _ in .leftToRight } }
        var direction = Direction.leftToRight
        var end: Int?
        return lines.map { line in
            defer { end = line.end }
            // Where a line is only wrapped, the next one begins where it ends.
            if end == line.start { return direction }
            let start = utf8.index(utf8.startIndex, offsetBy: line.start)
            direction = Direction(of: text.unicodeScalars[start...].prefix { !$0.endsParagraph })
            return direction
        }
    }
}

extension Unicode.Scalar {
    fileprivate var endsParagraph: Bool {
        (0x0A...0x0D).contains(value) || value == 0x85 || value == 0x2028 || value == 0x2029
    }
}

extension Box.Alignment {
    /// Where a line starts that is read in a direction: what starts at the left edge starts at the right one.
    func reading(_ direction: Direction) -> Box.Alignment {
        guard direction == .rightToLeft else { return self }
        return self == .start || self == .stretch ? .end : self
    }
}
