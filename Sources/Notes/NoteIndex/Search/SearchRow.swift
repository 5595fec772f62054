/// The numbers of the rows in the search index: the later a note was changed, the greater, to the second.
enum SearchRow {
    /// Room for notes of the same second.
    private static let perSecond: Int64 = 16
    /// About the year 19 000; before and after that all notes are of the same second.
    private static let lastSecond: Int64 = 1 << 39

    /// A free number for a note that was changed then.
    /// - Parameter isTaken: asked about ten times for ten thousand notes of the same second, as they spread over the next ones.
    static func free(modified: Int64, isTaken: (Int64) throws -> Bool) rethrows -> Int64 {
        let base = first(modified: modified)
        var window = perSecond
        while true {
            let row = base + Int64.random(in: 0..<window)
            if try !isTaken(row) { return row }
            window = min(window * 2, 1 << 40)
        }
    }

    /// Whether a note that was changed then would get a number about there.
    static func isRight(_ row: Int64, modified: Int64) -> Bool {
        row >= first(modified: modified) && row < first(modified: modified) + perSecond
    }

    private static func first(modified: Int64) -> Int64 {
        min(max(modified / 1000, 0), lastSecond) * perSecond
    }
}
