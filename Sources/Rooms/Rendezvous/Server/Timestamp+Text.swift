extension Timestamp {
    /// The time as ISO 8601 in UTC with milliseconds: `2026-11-21T02:12:00.125Z`.
    var iso8601: String {
        let (days, milliseconds) = floorDivide(self, by: 86_400_000)
        let (year, month, day) = Self.civil(days)
        let time = [milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1000 % 60]
        let date = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
        let clock = time.map { Self.padded($0, 2) }.joined(separator: ":")
        return "\(date)T\(clock).\(Self.padded(milliseconds % 1000, 3))Z"
    }

    /// The Gregorian date of a count of days since 1970, computed with years that begin in March.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivide(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}

private func floorDivide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let remainder = ((number % divisor) + divisor) % divisor
    return ((number - remainder) / divisor, remainder)
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
