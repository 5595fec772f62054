import Foundation

/// The clock, and how often a waiting side checks for the other one.
struct MeetingPace: Sendable {
    /// Milliseconds since 1970.
    var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
    /// The server reports at once when the other side comes. An early check finds an other side that came at the same
    /// moment but counts another period.
    var firstLook = Duration.seconds(5)
    var longestLook = Duration.seconds(300)
    /// While the server cannot report.
    var longestUnwatchedLook = Duration.seconds(30)
    /// Longer waits that the server demands are ignored.
    var longestRefusal = Duration.seconds(300)
}
