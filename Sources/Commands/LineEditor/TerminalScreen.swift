import Wire

/// A terminal whose last two rows stay where they are, a status and the line that is being written, while lines come above
/// them. It knows what it wrote, not what the terminal shows: everything it is given must be safe for one, in rows that fit.
///
/// Each change is a text to be written at once, made of characters, line ends and these sequences of ECMA-48: cursor up
/// (CUU), erase below (ED), and save and restore of the cursor (DECSC, DECRC). The cursor is at the line that is being written
/// before and after each.
package struct TerminalScreen: Sendable {
    private struct Entry: Sendable {
        var id: String?
        var text: String
        var rows: Int
    }

    /// Lines that may still be on the screen, the last one last.
    private var entries: [Entry] = []
    private var columns: Int
    private var rows: Int
    private var status = ""
    private var line = LineRow(EditedLine(), columns: 4)
    /// How many rows there are from the status to the cursor, both counted; 0 if they are not there.
    private var drawn = 0

    /// A narrow window has no room for it.
    private var prompt: String { columns < 20 ? "" : "Say: " }
    /// While the terminal belongs to somebody else, the last two rows are not drawn.
    private var isPaused = false

    /// - Parameters:
    ///   - columns: cells in a row.
    ///   - rows: rows in the window.
    package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }

    /// The cells that there are for the line that is being written.
    package var lineColumns: Int { columns - prompt.count }

    /// A text above the last two rows, with the name under which it can be replaced.
    package mutating func add(_ text: String, id: String? = nil) -> String {
        remember(text, id: id)
        return erased() + text + "\n" + bottom()
    }

    /// Writes another text in the place of one that was added.
    /// - Returns: nil if it is no longer on the screen.
    package mutating func replace(_ id: String, with text: String) -> String? {
        guard let index = entries.lastIndex(where: { $0.id == id }), let count = Self.rows(of: text, columns: columns)
        else { return nil }
        let height = entries[index...].reduce(0) { $0 + $1.rows }
        guard drawn > 0, height + drawn <= rows else { return nil }
        entries[index].text = text
        entries[index].rows = count
        let written = entries[index...].map { $0.text + "\n" }.joined()
        return Self.up(height + drawn - 1) + "\r\u{1B}[J" + written + bottom()
    }

    /// Shows another status, or another state of the line.
    package mutating func draw(status: String? = nil, line: LineRow? = nil) -> String {
        if let status { self.status = Self.cut(status, columns: columns - 1) }
        if let line { self.line = line }
        return erased() + bottom()
    }

    /// The window has another size. A terminal may break rows that are there in another way, so what is above is left alone.
    package mutating func resize(columns: Int, rows: Int) {
        let heights = [PrintableText.cells(status), PrintableText.cells(line.before) + prompt.count].map { cells in
            max((cells + max(columns, 1) - 1) / max(columns, 1), 1)
        }
        if drawn > 0 { drawn = heights.reduce(0, +) }
        entries = []
        (self.columns, self.rows) = (columns, rows)
        status = Self.cut(status, columns: columns - 1)
    }

    /// Takes the last two rows away; what comes next may be anybody's.
    package mutating func end() -> String {
        defer { (drawn, entries) = (0, []) }
        return erased()
    }

    /// Takes the last two rows away until ``resume()``.
    package mutating func pause() -> String {
        isPaused = true
        return end()
    }

    package mutating func resume() { isPaused = false }

    private mutating func remember(_ text: String, id: String?) {
        guard let count = Self.rows(of: text, columns: columns) else { return entries = [] }
        entries.append(Entry(id: id, text: text, rows: count))
        if entries.count > rows { entries.removeFirst(entries.count - rows) }
    }

    /// Goes to where the status begins, and erases from there on.
    private func erased() -> String { drawn > 0 ? Self.up(drawn - 1) + "\r\u{1B}[J" : "" }

    private mutating func bottom() -> String {
        drawn = isPaused ? 0 : 2
        guard !isPaused else { return "" }
        return status + "\n" + prompt + line.before + "\u{1B}7" + line.after + "\u{1B}8"
    }

    private static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }

    /// How many rows a text takes; nil if a terminal decides that.
    private static func rows(of text: String, columns: Int) -> Int? {
        let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
        return rows.allSatisfy { PrintableText.cells(String($0)) <= columns } ? rows.count : nil
    }

    private static func cut(_ text: String, columns: Int) -> String {
        var (shown, cells) = ("", 0)
        for character in text {
            cells += PrintableText.cells(String(character))
            guard cells <= columns else { break }
            shown.append(character)
        }
        return shown
    }
}
