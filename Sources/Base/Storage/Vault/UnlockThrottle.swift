internal import Wire

/// How long the next passphrase has to wait after wrong ones. A value; the vault keeps it on disk.
///
/// Two mistakes are free. Then the wait doubles from two seconds to an hour.
struct UnlockThrottle: Equatable, Sendable {
    private static let freeFailures: UInt32 = 2
    private static let longestWait: Int64 = 3_600_000
    private static let version: UInt8 = 1
    /// The length of ``bytes``.
    static let byteCount = 13

    private(set) var failures: UInt32 = 0
    /// When the last attempt began, in milliseconds since 1970.
    private var lastAttempt: Int64 = 0

    init() {}

    /// How many milliseconds are left at `now`. If the clock was set back, the whole wait begins at `now`.
    mutating func wait(at now: Int64) -> Int64 {
        if now < lastAttempt { lastAttempt = now }
        let (elapsed, overflow) = now.subtractingReportingOverflow(lastAttempt)
        return overflow ? 0 : max(0, delay - elapsed)
    }

    /// Counts an attempt as failed before it is made, so that cutting the power does not undo the count.
    mutating func countAttempt(at now: Int64) {
        failures = failures == .max ? .max : failures + 1
        lastAttempt = now
    }

    /// The wait after the failures so far.
    private var delay: Int64 {
        guard failures > Self.freeFailures else { return 0 }
        let doublings = failures - Self.freeFailures
        return doublings >= 12 ? Self.longestWait : min(1000 << Int64(doublings), Self.longestWait)
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.writeByte(Self.version)
        writer.writeInteger(failures)
        writer.writeInteger(UInt64(bitPattern: lastAttempt))
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(WireError) {
        var reader = ByteReader(bytes)
        guard try reader.readByte() == Self.version else { throw WireError(.malformed, "unknown version") }
        failures = try reader.readInteger()
        lastAttempt = Int64(bitPattern: try reader.readInteger())
        try reader.expectEnd()
    }

    /// Stands in for a record that cannot be read: a wait of about a minute.
    static func unknown(at now: Int64) -> UnlockThrottle {
        var throttle = UnlockThrottle()
        throttle.failures = 8
        throttle.lastAttempt = now
        return throttle
    }
}
