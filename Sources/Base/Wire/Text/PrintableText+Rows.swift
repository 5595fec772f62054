extension PrintableText {
    /// A text for a terminal, in rows of at most so many cells (16 or more).
    ///
    /// A terminal would go on at its left edge with what does not fit into a row, and what somebody else wrote there would
    /// look like a line of the program. Here a row that goes on begins two cells further right than its line did. A line that
    /// is one word, as an address or a key is, stays whole, so that it can be copied.
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

    /// What a row is not broken within: what a person takes for one character, if it is of a usual width.
    private static func pieces(of character: Character) -> [String] {
        let whole = String(character)
        return cells(whole) <= tabCells ? [whole] : character.unicodeScalars.map { String($0) }
    }

    /// The cells that a terminal may need for a text, and not fewer.
    package static func cells(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + cells($1) } }

    /// From one place where a tab ends to the next.
    private static let tabCells = 8

    /// The cells that a terminal may need for a character, and not fewer: from where the wide scripts begin all count as wide,
    /// and the parts of an emoji count by themselves.
    static func cells(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x09: return tabCells
        case 0x20...0x7E: return 1
        case ..<0x20, 0x7F: return 0
        default: break
        }
        // It makes an emoji of a digit or a sign, which many terminals then give two cells.
        if scalar == "\u{FE0F}" { return 1 }
        let isNothing = scalar.properties.isDefaultIgnorableCodePoint
        switch scalar.properties.generalCategory {
        case _ where isNothing: return 0
        case .nonspacingMark, .enclosingMark: return 0
        default: return scalar.value >= 0x1100 ? 2 : 1
        }
    }

    /// Whether it stands on the character before it.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }
}
