import Foundation

/// What time it is, and how often a side that waits looks for the other one by itself.
struct MeetingPace: Sendable {
    /// Milliseconds since 1970.
    var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
    /// The server tells at once when the other side comes. A first look soon after finds an other side that came in the
    /// same moment and counts another period.
    var firstLook = Duration.seconds(5)
    var longestLook = Duration.seconds(300)
    /// While the server cannot tell.
    var longestUnwatchedLook = Duration.seconds(30)
    /// Longer waits that the server asks for are not believed.
    var longestRefusal = Duration.seconds(300)
}
