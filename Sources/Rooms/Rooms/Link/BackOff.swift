/// How long to wait before trying again: doubling, with jitter, so that the clients of a restarted server do not all
/// return at the same moment.
package struct BackOff: Sendable, Equatable {
    package static let first: Duration = .milliseconds(500)
    package static let longest: Duration = .seconds(30)

    private let first: Duration
    private let longest: Duration
    private var attempts = 0

    package init(first: Duration = Self.first, longest: Duration = Self.longest) {
        self.first = first
        self.longest = longest
    }

    /// The next wait, between half of and the whole of the doubled time.
    /// - Parameter jitter: a random number between 0 and 1.
    package mutating func next(jitter: Double) -> Duration {
        let doubled = min(first * (1 << min(attempts, 6)), longest)
        attempts += 1
        let share = 0.5 + 0.5 * min(max(jitter, 0), 1)
        return doubled * share
    }

    /// The wait after a server said that it stops and that another one is there: between a tenth of and the whole of
    /// ``LinkMachine/Limit/move``.
    /// - Parameter jitter: a random number between 0 and 1.
    static func move(jitter: Double) -> Duration { LinkMachine.Limit.move * (0.1 + 0.9 * min(max(jitter, 0), 1)) }

    /// Call this after a success.
    package mutating func reset() { attempts = 0 }
}
