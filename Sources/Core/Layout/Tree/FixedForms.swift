import AppCore

// Times in one form on every machine, so that pictures are equal. A timestamp is of the years 1970 to 9999.

extension Timestamp {
    /// `2023-11-14 22:13 UTC`.
    var minuteText: String { "\(dayText) \(clockText)" }

    /// `22:13 UTC`: a picture is the same wherever it is made, and says which time it shows.
    var clockText: String {
        let minutes = milliseconds / 60_000 % 1440
        return "\(Self.padded(minutes / 60)):\(Self.padded(minutes % 60)) UTC"
    }

    /// `2023-11-14`, by the Gregorian calendar.
    private var dayText: String {
        // From 1 March of the year 0, in eras of 400 years, with years that begin in March, so that a leap day is the last.
        let days = milliseconds / 86_400_000 + 719_468
        let (era, dayOfEra) = (days / 146_097, days % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return "\(year)-\(Self.padded(month >= 10 ? month - 9 : month + 3))-\(Self.padded(day))"
    }

    private static func padded(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
