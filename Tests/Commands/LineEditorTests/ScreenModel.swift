import Wire

/// As much of a terminal as the screen's sequences need: it obeys them and nothing else.
struct ScreenModel {
    let columns: Int
    let rows: Int
    private(set) var lines: [[Character]]
    private(set) var row = 0
    private(set) var column = 0
    private var saved = (row: 0, column: 0)
    /// Rows that have left the screen at its top.
    private(set) var scrolled: [String] = []
    /// What it does not know.
    private(set) var surprises: [String] = []

    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        lines = Array(repeating: [], count: rows)
    }

    static func cells(_ text: String) -> Int { PrintableText.cells(text) }

    /// The rows that have something in them.
    var text: [String] {
        let all = lines.map { String($0) }
        return Array(all[..<((all.lastIndex { !$0.isEmpty } ?? -1) + 1)])
    }

    mutating func write(_ text: String) {
        var rest = Array(text)[...]
        while let next = rest.popFirst() {
            switch next {
            case "\n": newline()
            case "\r": column = 0
            case "\u{1B}": obey(&rest)
            default: put(next)
            }
        }
    }

    private mutating func obey(_ rest: inout ArraySlice<Character>) {
        switch rest.popFirst() {
        case "7": saved = (row, column)
        case "8": (row, column) = saved
        case "[":
            var parameter = ""
            while rest.first?.isNumber == true { parameter.append(rest.removeFirst()) }
            switch rest.popFirst() {
            case "A": row = max(row - (Int(parameter) ?? 1), 0)
            case "J":
                lines[row] = Array(lines[row].prefix(column))
                for below in (row + 1)..<max(rows, row + 1) { lines[below] = [] }
            case let other: surprises.append("CSI \(parameter)\(other ?? "?")")
            }
        case let other: surprises.append("ESC \(other ?? "?")")
        }
    }

    private mutating func newline() {
        column = 0
        if row < rows - 1 { return row += 1 }
        scrolled.append(String(lines.removeFirst()))
        lines.append([])
        saved.row = max(saved.row - 1, 0)
    }

    private mutating func put(_ character: Character) {
        if column + Self.cells(String(character)) > columns { newline() }
        // One element a character is enough here: what is overwritten was erased before.
        if lines[row].count > column { lines[row].removeSubrange(column...) }
        lines[row].append(character)
        column = lines[row].reduce(0) { $0 + Self.cells(String($1)) }
    }
}
