/// One ``RateLimit`` for each client and one for each network of clients, so that nobody gets more by using many
/// addresses of one network. A plain value.
package struct SourceRateLimiter: Sendable {
    private var clients: RateLimiter
    private var networks: RateLimiter

    /// - Parameter capacity: how many clients, and how many networks, are remembered.
    package init(_ client: RateLimit, network: RateLimit, capacity: Int, now: Int64) {
        clients = RateLimiter(client, capacity: capacity, now: now)
        networks = RateLimiter(network, capacity: capacity, now: now)
    }

    /// Counts so many events of the source. Returns nil if they may happen, or how many seconds to wait.
    package mutating func take(_ source: ClientAddress, count: Int = 1, now: Int64) -> Int? {
        if let wait = clients.take(source.key, count: count, now: now) { return wait }
        guard let wait = source.network.flatMap({ networks.take($0, count: count, now: now) }) else { return nil }
        clients.giveBack(source.key, count: count)
        return wait
    }

    /// Takes back the last event of the source: it was none of those that are limited.
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
