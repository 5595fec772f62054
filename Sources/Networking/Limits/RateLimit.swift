/// How often something may happen: `burst` times at once, and `perMinute` times a minute in the long run.
public struct RateLimit: Sendable, Equatable {
    public var burst: Int
    public var perMinute: Double

    public init(burst: Int, perMinute: Double) {
        self.burst = burst
        self.perMinute = perMinute
    }

    /// Never in the way.
    public static let unlimited = RateLimit(burst: .max, perMinute: .infinity)
}

/// How much of a ``RateLimit`` is left for one source: a token bucket.
package struct TokenBucket: Sendable {
    private var tokens: Double
    private var updated: Int64

    package init(_ limit: RateLimit, now: Int64) {
        tokens = Double(limit.burst)
        updated = now
    }

    /// Takes one token. Returns nil, or how many whole seconds to wait until there is one.
    package mutating func take(_ limit: RateLimit, now: Int64) -> Int? {
        guard limit != .unlimited else { return nil }
        refill(limit, now: now)
        if tokens >= 1 {
            tokens -= 1
            return nil
        }
        let wait = ((1 - tokens) * 60 / limit.perMinute).rounded(.up)
        return wait.isFinite ? max(1, Int(min(wait, 86_400))) : 86_400
    }

    package mutating func giveBack(_ limit: RateLimit) { tokens = min(tokens + 1, Double(limit.burst)) }

    package mutating func isFull(_ limit: RateLimit, now: Int64) -> Bool {
        refill(limit, now: now)
        return tokens >= Double(limit.burst)
    }

    /// A clock that was set back gives nothing and takes nothing.
    private mutating func refill(_ limit: RateLimit, now: Int64) {
        let minutes = Double(max(0, now - updated)) / 60_000
        updated = now
        tokens = min(Double(limit.burst), tokens + minutes * limit.perMinute)
    }
}
