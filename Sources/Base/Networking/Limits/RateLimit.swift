/// How often something may happen: `burst` times at once, and `perMinute` times a minute in the long run.
package struct RateLimit: Sendable, Equatable {
    /// How many times at once.
    package var burst: Int
    /// How many times a minute in the long run.
    package var perMinute: Double

    /// Sets both.
    package init(burst: Int, perMinute: Double) {
        self.burst = burst
        self.perMinute = perMinute
    }

    /// Never in the way.
    package static let unlimited = RateLimit(burst: .max, perMinute: .infinity)

    /// So many times as much.
    package func times(_ factor: Int) -> RateLimit {
        RateLimit(burst: burst.multipliedOrMax(by: factor), perMinute: perMinute * Double(factor))
    }
}

/// How much of a ``RateLimit`` is left for one source: a token bucket.
package struct TokenBucket: Sendable {
    private var tokens: Double
    private var updated: Int64

    /// A full bucket.
    /// - Parameter now: milliseconds of any clock, as everywhere here.
    package init(_ limit: RateLimit, now: Int64) {
        tokens = Double(limit.burst)
        updated = now
    }

    /// Takes tokens, at most a full bucket. Returns nil, or how many whole seconds to wait until there are enough.
    package mutating func take(_ limit: RateLimit, count: Int = 1, now: Int64) -> Int? {
        guard limit != .unlimited else { return nil }
        refill(limit, now: now)
        let wanted = Double(max(1, min(count, limit.burst)))
        if tokens >= wanted {
            tokens -= wanted
            return nil
        }
        let wait = ((wanted - tokens) * 60 / limit.perMinute).rounded(.up)
        return wait.isFinite ? max(1, Int(min(wait, 86_400))) : 86_400
    }

    /// Puts tokens back, at most until it is full.
    package mutating func giveBack(_ limit: RateLimit, count: Int = 1) {
        tokens = min(tokens + Double(count), Double(limit.burst))
    }

    /// Whether the bucket is full again, so that it need not be remembered.
    package mutating func isFull(_ limit: RateLimit, now: Int64) -> Bool {
        refill(limit, now: now)
        return tokens >= Double(limit.burst)
    }

    /// A clock that was set back neither adds nor removes tokens.
    private mutating func refill(_ limit: RateLimit, now: Int64) {
        let minutes = Double(max(0, now - updated)) / 60_000
        updated = now
        tokens = min(Double(limit.burst), tokens + minutes * limit.perMinute)
    }
}
