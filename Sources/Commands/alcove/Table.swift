import Layout
import Wire

/// Rows whose columns begin at the same cell in every line, whatever is in them: wide scripts, emoji and letters with marks
/// take as many cells as a terminal gives them.
///
/// On a terminal, a table that is wider than the window loses the ends of its longest texts, so that each row stays one line.
/// A pipe gets everything.
struct Table {
    /// Blanks between two columns.
    private static let gap = 2
    /// Cells that a text keeps at least.
    private static let leastCells = 8
    /// Cells before each row.
    var margin = 0
    /// Which columns may lose the ends of their texts.
    var cuts: Set<Int> = [0]
    private var rows: [[String]] = []

    init(margin: Int = 0, cuts: Set<Int> = [0]) { (self.margin, self.cuts) = (margin, cuts) }

    /// Adds a row with texts from elsewhere, which are escaped. Empty cells at the end of a row take no room.
    mutating func add(_ cells: [String]) { rows.append(cells.map { PrintableText.line($0) }) }

    mutating func add(_ cells: String...) { add(cells) }

    /// Writes it to standard output.
    func show() {
        Terminal.print(.lines(lines(width: Terminal.isInteractive ? Terminal.columns() : nil)))
    }

    /// The rows as lines of at most `width` cells, if cutting can achieve that.
    func lines(width: Int?) -> [String] {
        let widths = widths(within: width)
        return rows.map { row in
            var line = String(repeating: " ", count: margin)
            let last = row.lastIndex { !$0.isEmpty } ?? 0
            for (column, text) in row.enumerated() where column <= last {
                let shown = Self.cut(text, to: widths[column])
                line += shown
                guard column < last else { continue }
                line += String(repeating: " ", count: max(widths[column] - PlainText.cells(shown), 0) + Self.gap)
            }
            return line
        }
    }

    private func widths(within limit: Int?) -> [Int] {
        let count = rows.map(\.count).max() ?? 0
        var widths = (0..<count).map { column in
            rows.map { column < $0.count ? PlainText.cells($0[column]) : 0 }.max() ?? 0
        }
        guard let limit else { return widths }
        // A terminal may need more cells than most do: what does not fit there would be broken into rows.
        let doubt = rows.map { $0.reduce(0) { $0 + PrintableText.cells($1) - PlainText.cells($1) } }.max() ?? 0
        var excess = margin + widths.reduce(0, +) + Self.gap * max(count - 1, 0) + max(doubt, 0) - limit
        while excess > 0 {
            let widest = cuts.filter { $0 < count && widths[$0] > Self.leastCells }.max { widths[$0] < widths[$1] }
            guard let widest else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    /// The beginning of a text that fits, with a mark that something is missing.
    private static func cut(_ text: String, to width: Int) -> String {
        guard PlainText.cells(text) > width else { return text }
        var (shown, cells) = ("", 0)
        for character in text {
            cells += PlainText.cells(character)
            guard cells < width else { break }
            shown.append(character)
        }
        return shown + "…"
    }
}
