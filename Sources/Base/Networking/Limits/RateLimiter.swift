/// One ``RateLimit`` for each of many sources, in bounded memory.
///
/// Sources whose buckets are full again are forgotten. If there are still too many, new ones share one bucket, so a
/// flood of addresses slows down other new sources but not known ones. Times are milliseconds of one clock.
package struct RateLimiter: Sendable {
    /// What each source may do.
    package let limit: RateLimit
    private let capacity: Int
    private var buckets: [String: TokenBucket] = [:]
    private var crowd: TokenBucket
    /// When the table was last searched in vain, so that a flood does not search it again and again.
    private var lastSearch: Int64 = 0

    package init(_ limit: RateLimit, capacity: Int, now: Int64) {
        self.limit = limit
        self.capacity = capacity
        crowd = TokenBucket(limit, now: now)
    }

    /// How many sources are remembered.
    package var count: Int { buckets.count }

    /// Counts `count` events of the source. Returns nil if they may happen, or how many seconds to wait.
    package mutating func take(_ source: String, count: Int = 1, now: Int64) -> Int? {
        guard limit != .unlimited else { return nil }
        if buckets[source] == nil {
            guard hasRoom(now: now) else { return crowd.take(limit, count: count, now: now) }
            buckets[source] = TokenBucket(limit, now: now)
        }
        return buckets[source]?.take(limit, count: count, now: now)
    }

    /// Takes back the last events of the source, because the limit does not apply to them.
    package mutating func giveBack(_ source: String, count: Int = 1) {
        guard limit != .unlimited else { return }
        if buckets[source] != nil {
            buckets[source]?.giveBack(limit, count: count)
        } else {
            crowd.giveBack(limit, count: count)
        }
    }

    /// Forgets the sources that have all their tokens again.
    package mutating func forgetRested(now: Int64) {
        buckets = buckets.filter { entry in
            var bucket = entry.value
            return !bucket.isFull(limit, now: now)
        }
    }

    private mutating func hasRoom(now: Int64) -> Bool {
        if buckets.count < capacity { return true }
        guard now >= lastSearch + 1000 || now < lastSearch else { return false }
        lastSearch = now
        forgetRested(now: now)
        return buckets.count < capacity
    }
}

/// One ``RateLimit`` for each client and one for each network of clients, so that using many addresses of one network
/// gains nothing. A plain value.
package struct SourceRateLimiter: Sendable {
    private var clients: RateLimiter
    private var networks: RateLimiter

    /// - Parameter capacity: how many clients, and how many networks, are remembered.
    package init(_ client: RateLimit, network: RateLimit, capacity: Int, now: Int64) {
        clients = RateLimiter(client, capacity: capacity, now: now)
        networks = RateLimiter(network, capacity: capacity, now: now)
    }

    /// Counts `count` events of the source. Returns nil if they may happen, or how many seconds to wait.
    package mutating func take(_ source: ClientAddress, count: Int = 1, now: Int64) -> Int? {
        if let wait = clients.take(source.key, count: count, now: now) { return wait }
        guard let wait = source.network.flatMap({ networks.take($0, count: count, now: now) }) else { return nil }
        clients.giveBack(source.key, count: count)
        return wait
    }

    /// Takes back the last event of the source, because the limit does not apply to it.
    package mutating func giveBack(_ source: ClientAddress) {
        clients.giveBack(source.key)
        if let network = source.network { networks.giveBack(network) }
    }

    /// Forgets those that have all their tokens again.
    package mutating func forgetRested(now: Int64) {
        clients.forgetRested(now: now)
        networks.forgetRested(now: now)
    }
}
