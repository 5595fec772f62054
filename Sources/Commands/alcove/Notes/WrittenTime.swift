import AppCore
import Foundation

/// A moment as a person or a script writes it: `2026-11-21T22:05:09Z`, `2026-11-21 22:05`, `2026-11-21`, `10m` (ago), or
/// milliseconds since 1970. Without a zone it is the time of this machine.
enum WrittenTime {
    /// Milliseconds since 1970.
    static func milliseconds(_ text: String, now: Date = Date()) -> Int64? {
        if let number = Int64(text), text.count >= 12 { return number }
        if let seconds = WrittenDuration.seconds(text), Int(text) == nil {
            return Int64(now.timeIntervalSince1970 * 1000) - Int64(seconds) * 1000
        }
        return date(text).map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
    }

    /// For a person: the time of this machine with its zone and with milliseconds, so that it can be given back and means
    /// the same moment.
    static func text(_ milliseconds: Int64, zone: TimeZone = .current) -> String {
        // Formatting cuts what is below a millisecond, and not every millisecond has a `Double` of its own.
        Date(timeIntervalSince1970: (Double(milliseconds) + 0.5) / 1000).formatted(
            Date.ISO8601FormatStyle(timeZoneSeparator: .colon, includingFractionalSeconds: true, timeZone: zone))
    }

    /// The hour and the minute on this machine, for what a person reads at once.
    static func clock(_ milliseconds: Int64) -> String {
        text(milliseconds).split(separator: "T").last.map { String($0.prefix(5)) } ?? ""
    }

    private static func date(_ text: String) -> Date? {
        var full = text.replacing(" ", with: "T")
        if !full.contains("T") { full += "T00:00" }
        guard let clock = full.split(separator: "T").last else { return nil }
        let hasZone = clock.contains { "Z+-".contains($0) }
        if !hasZone, clock.count(where: { $0 == ":" }) == 1 { full += ":00" }
        guard hasZone else { return local(full) }
        let whole = try? Date.ISO8601FormatStyle().parse(full)
        return whole ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(full))
    }

    /// A time without a zone, as the clock of this machine shows it.
    private static func local(_ text: String) -> Date? {
        let moment = try? Date.ISO8601FormatStyle().parse(text + "Z")
        guard
            let shown = moment ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text + "Z"))
        else { return nil }
        // The zone's distance from UTC is that of the moment that is looked for, which is not known before.
        let zone = TimeZone.current
        let guess = shown.addingTimeInterval(-Double(zone.secondsFromGMT(for: shown)))
        return shown.addingTimeInterval(-Double(zone.secondsFromGMT(for: guess)))
    }
}

/// A moment in the JSON that a command prints: ISO 8601 in UTC with milliseconds, `2026-11-21T22:05:09.120Z`.
struct ISOTime: Encodable {
    /// Since 1970.
    let milliseconds: Int64

    init(_ milliseconds: Int64) { self.milliseconds = milliseconds }

    init(_ timestamp: Timestamp) { self.init(timestamp.milliseconds) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(WrittenTime.text(milliseconds, zone: .gmt))
    }
}
