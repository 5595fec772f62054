extension QRCode {
    /// Cells of a row of ``rows(of:)``.
    package var columns: Int { side + 2 * Self.quietZone }

    /// Characters that show two modules each, one above the other.
    package struct Halves: Sendable {
        let both, upper, lower, none: Character

        /// Where the characters are dark and what is behind them is light.
        package static let darkOnLight = Halves(both: "\u{2588}", upper: "\u{2580}", lower: "\u{2584}", none: " ")
        /// Where the characters are light and what is behind them is dark.
        package static let lightOnDark = Halves(both: " ", upper: "\u{2584}", lower: "\u{2580}", none: "\u{2588}")
    }

    /// The code for a terminal, with its quiet zone: about as high as wide, because a cell is about twice as high as wide.
    package func rows(of halves: Halves) -> [String] {
        let range = -Self.quietZone..<side + Self.quietZone
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            String(
                range.map { column in
                    switch (isDark(column: column, row: row), isDark(column: column, row: row + 1)) {
                    case (true, true): halves.both
                    case (true, false): halves.upper
                    case (false, true): halves.lower
                    case (false, false): halves.none
                    }
                })
        }
    }
}
