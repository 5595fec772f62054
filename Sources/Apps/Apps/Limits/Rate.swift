/// How often something may happen: some at once, and then one more after each pause.
public struct Rate: Hashable, Sendable {
    public var burst: Int
    public var pause: Duration

    public init(burst: Int, pause: Duration) {
        self.burst = burst
        self.pause = pause
    }
}

/// What is left of a rate.
struct Allowance {
    private let rate: Rate
    private var left: Double
    private var counted: ContinuousClock.Instant

    init(_ rate: Rate, at now: ContinuousClock.Instant = .now) {
        self.rate = rate
        left = Double(rate.burst)
        counted = now
    }

    /// Takes one, if one is left.
    mutating func take(at now: ContinuousClock.Instant = .now) -> Bool {
        left = min(Double(rate.burst), left + (now - counted) / rate.pause)
        counted = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
