/// When a component that crashed is started again: after 1 s, then twice as long each time, up to 5 minutes; from the beginning
/// when it ran well for a while; never again after too many crashes in a row.
package struct RestartPolicy: Hashable, Sendable {
    package var first: Duration = .seconds(1)
    package var longest: Duration = .seconds(300)
    /// How long a run has to be to count as a good one.
    package var goodRun: Duration = .seconds(60)
    /// Crashes in a row after which it is left alone until somebody starts it.
    package var attempts = 8

    package init() {}

    /// How long to wait before the next start.
    ///
    /// - Parameter crashes: how often it crashed in a row, this time included.
    /// - Returns: nil to leave it alone.
    package func delay(afterCrashes crashes: Int) -> Duration? {
        guard crashes >= 1, crashes < attempts else { return nil }
        var delay = first
        for _ in 1..<crashes where delay < longest { delay *= 2 }
        return min(delay, longest)
    }

    /// How many crashes there have been in a row after a run of this length ended with one.
    package func crashes(after previous: Int, run: Duration) -> Int { run >= goodRun ? 1 : previous + 1 }
}
