/// A moment on the host's clock: milliseconds since 1970-01-01T00:00:00Z.
///
/// The core has no clock. Every ``Input`` brings the moment it happened at. Values outside the years 1970…9999
/// are moved to the nearer end, and arithmetic stops there too, so that no clock, however wrong, can trap.
package struct Timestamp: Sendable, Hashable {
    /// Milliseconds since 1970, in `0...Timestamp.latest`.
    package let milliseconds: Int64

    /// The last millisecond of the year 9999.
    private static let latest: Int64 = 253_402_300_799_999

    package init(milliseconds: Int64) { self.milliseconds = min(max(milliseconds, 0), Self.latest) }

    /// The moment `milliseconds` later (earlier when negative).
    package func advanced(byMilliseconds milliseconds: Int64) -> Timestamp {
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
        return Timestamp(milliseconds: overflow ? (milliseconds < 0 ? 0 : Self.latest) : sum)
    }

    /// The moment `seconds` later (earlier when negative).
    package func advanced(bySeconds seconds: Int64) -> Timestamp {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return advanced(byMilliseconds: overflow ? (seconds < 0 ? .min : .max) : product)
    }

    /// Milliseconds from this moment until `other`; negative when `other` is earlier.
    package func milliseconds(until other: Timestamp) -> Int64 { other.milliseconds - milliseconds }
}

extension Timestamp: Comparable {
    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}

extension Timestamp: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}
