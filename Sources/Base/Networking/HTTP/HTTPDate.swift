internal import Platform

/// A moment in a header field: whole seconds since 1970 (RFC 9110 section 5.6.7).
package struct HTTPDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Seconds since 1970, in UTC; between the years 1 and 9999.
    package let seconds: Int

    private static let dayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let bounds = -62_135_596_800...253_402_300_799

    /// A moment outside the years 1 to 9999 becomes the first or last one.
    package init(seconds: Int) { self.seconds = min(max(seconds, Self.bounds.lowerBound), Self.bounds.upperBound) }

    /// Reads the form that is written today, and the two obsolete ones (RFC 850 and `asctime`). Nil if it is none of them.
    package init?(_ text: String) {
        guard text.utf8.count <= 40 else { return nil }
        let words = text.split(whereSeparator: { " ,-".contains($0) }).map(String.init)
        // `asctime` has the month first, the year last and no zone.
        let isOld = words.count == 5
        guard isOld || words.count == 6 && words[5] == "GMT",
            let day = Self.number(isOld ? words[2] : words[1], 1...2),
            let month = Self.monthNames.firstIndex(of: isOld ? words[1] : words[2]),
            var year = Self.number(isOld ? words[4] : words[3], 2...4)
        else { return nil }
        // The year of RFC 850 has two digits. It is never far in the future, and nobody asks about files of 1969.
        if !isOld, words[3].utf8.count == 2 { year += year < 70 ? 2000 : 1900 }
        let clock = words[isOld ? 3 : 4].split(separator: ":", omittingEmptySubsequences: false).map {
            Self.number(String($0), 2...2)
        }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            (1...31).contains(day), hour < 24, minute < 60, second <= 60, (1...9999).contains(year)
        else { return nil }
        let days = Self.days(year, month + 1, day)
        guard Self.date(days).day == day else { return nil }
        self.init(seconds: ((days * 24 + hour) * 60 + minute) * 60 + second)
    }

    package var description: String {
        let days = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
        let rest = seconds - days * 86_400
        let (year, month, day) = Self.date(days)
        // The first day of 1970 was a Thursday.
        let name = Self.dayNames[((days + 3) % 7 + 7) % 7]
        let clock = [rest / 3600, rest / 60 % 60, rest % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        return "\(name), \(Self.padded(day, 2)) \(Self.monthNames[month - 1]) \(Self.padded(year, 4)) \(clock) GMT"
    }

    package static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.seconds < right.seconds }

    /// The present second.
    package static var now: HTTPDate { HTTPDate(seconds: time(nil)) }

    private static func number(_ text: String, _ lengths: ClosedRange<Int>) -> Int? {
        guard lengths.contains(text.utf8.count), text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return Int(text)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }

    /// Days since 1970 of a date in the Gregorian calendar. Years are counted from March, so that a leap day is the last one.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let (era, ofEra) = (year / 400, year % 400)
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    /// The reverse of ``days(_:_:_:)``.
    private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let (era, ofEra) = (shifted / 146_097, shifted % 146_097)
        let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        let day = ofYear - (153 * month + 2) / 5 + 1
        return (year + era * 400 + (month < 10 ? 0 : 1), month < 10 ? month + 3 : month - 9, day)
    }
}
