internal import Redis

extension NodeLink {
    /// What does the work of a link.
    struct Worker {
        let client: RedisClient
        var number: UInt64 = 0
        var outbox = NodeOutbox()
        var wasAlive = false
        var lastSign = ContinuousClock.now

        /// A sign of life in the middle of long work, such as saying anew where thousands sit: the next one that is due
        /// waits behind it, and the others would take this node for dead. One that Redis forgot stays forgotten, so that the
        /// node notices.
        mutating func giveSign(of key: String, every time: Duration, life: Duration) throws(RedisError) {
            guard wasAlive, ContinuousClock.now - lastSign > time else { return }
            lastSign = .now
            try client.command(RedisCommand("SET", key, "1", "PX", String(life.milliseconds), "XX"))
        }
    }
}
