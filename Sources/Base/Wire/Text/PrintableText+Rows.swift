extension PrintableText {
    /// A text for a terminal, in rows of at most `width` cells (16 or more).
    ///
    /// A terminal would continue a long line at its left edge, where other people's text would look like a line of the
    /// program. Here each continued row begins two cells further right than its line. A line that is a single word,
    /// such as an address or a key, stays whole, so that it can be copied.
    package static func wrapped(_ text: String, columns: Int) -> String {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.flatMap { rows(of: Substring($0), columns: max(columns, 16)) }.joined(separator: "\n")
    }

    private static func rows(of line: Substring, columns: Int) -> [String] {
        guard line.contains(where: \.isWhitespace) else { return [String(line)] }
        let indentation = line.prefix { $0 == " " }.count
        let margin = String(repeating: " ", count: min(indentation + 2, columns / 4))
        var rows: [String] = []
        // The row up to its last blank, and the word after that.
        var (row, word) = ("", "")
        var (rowCells, wordCells) = (0, 0)
        for piece in line.lazy.flatMap(pieces) {
            let cells = cells(piece)
            if rowCells + wordCells + cells > columns {
                let isShort = wordCells <= columns / 2 && margin.count + wordCells + cells <= columns
                if !isShort || rowCells == 0 {
                    row += word
                    (word, wordCells) = ("", 0)
                }
                rows.append(row)
                (row, rowCells) = (margin, margin.count)
            }
            word += piece
            wordCells += cells
            if piece == " " {
                row += word
                rowCells += wordCells
                (word, wordCells) = ("", 0)
            }
        }
        return rows + [row + word]
    }

    /// Rows are not broken within one of these: a grapheme cluster of a usual width.
    private static func pieces(of character: Character) -> [String] {
        let whole = String(character)
        return cells(whole) <= tabCells ? [whole] : character.unicodeScalars.map { String($0) }
    }

    /// An upper bound of the cells that a terminal needs for a text.
    package static func cells(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + cells($1) } }

    /// The distance between two tab stops.
    private static let tabCells = 8

    /// An upper bound of the cells that a terminal needs for a character: from the first wide script on all count as
    /// wide, and the parts of an emoji count separately.
    static func cells(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x09: return tabCells
        case 0x20...0x7E: return 1
        case ..<0x20, 0x7F: return 0
        default: break
        }
        // It turns a digit or a sign into an emoji, which takes two cells in many terminals.
        if scalar == "\u{FE0F}" { return 1 }
        let isNothing = scalar.properties.isDefaultIgnorableCodePoint
        switch scalar.properties.generalCategory {
        case _ where isNothing: return 0
        case .nonspacingMark, .enclosingMark: return 0
        default: return scalar.value >= 0x1100 ? 2 : 1
        }
    }

    /// Whether it combines with the character before it.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }
}
