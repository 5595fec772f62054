internal import Platform

/// The time of day, which decides when keys expire.
public enum WallClock {
    /// Milliseconds since 1970.
    @Sendable public static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
