import Wire

/// The part of an edited line that one row of a terminal shows, with the cursor in it. A line that is longer than the row
/// moves under it, so that the row never breaks, whatever the width of the window.
package struct LineRow: Hashable, Sendable {
    /// What stands before the cursor, safe for a terminal. It begins with a mark if something is left out before it.
    package let before: String
    /// What stands behind it. It ends with a mark if something is left out.
    package let after: String

    /// Stand for what is left out: every terminal gives them one cell.
    static let marks = (before: "<", after: ">")

    /// - Parameter columns: the cells there are, 4 or more.
    package init(_ line: EditedLine, columns: Int) {
        // The cursor needs a cell, and so do the marks.
        let room = max(columns, 4) - 3
        var (start, cells) = (line.cursor, 0)
        while start > 0 {
            let more = Self.cells(line.characters[start - 1])
            // What stands behind the cursor shall be seen, too.
            guard cells + more <= (room * 3 + 3) / 4 else { break }
            (start, cells) = (start - 1, cells + more)
        }
        var end = line.cursor
        while end < line.characters.count {
            let more = Self.cells(line.characters[end])
            guard cells + more <= room else { break }
            (end, cells) = (end + 1, cells + more)
        }
        before = (start > 0 ? Self.marks.before : "") + line.characters[start..<line.cursor].map(Self.shown).joined()
        after =
            line.characters[line.cursor..<end].map(Self.shown).joined()
            + (end < line.characters.count ? Self.marks.after : "")
    }

    private static func shown(_ character: Character) -> String {
        switch character {
        case "\n": "↵"
        case "\t": " "
        default: PrintableText.line(String(character))
        }
    }

    private static func cells(_ character: Character) -> Int { PrintableText.cells(shown(character)) }
}
