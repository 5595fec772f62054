internal import Platform
internal import Redis
internal import Synchronization

/// What the other nodes say.
extension NodeLink {
    func listen() {
        var wait = Duration.zero
        while !hasStopped {
            do throws(RedisError) {
                let connection = try RedisConnection(address, timeout: timing.answer)
                try connection.subscribe(to: [channel(id), everybody])
                wait = .zero
                works(.hearing)
                state.withLock { state in
                    state.isHearing = true
                    state.hasLost = true
                }
                beat(remote: [])
                try hear(connection)
            } catch {
                state.withLock { $0.isHearing = false }
                failed(.hearing, error)
                wait = min(max(wait * 2, .milliseconds(50)), .seconds(1))
                Self.sleep(wait * Double.random(in: 0.5...1))
            }
        }
    }

    private func hear(_ connection: RedisConnection) throws(RedisError) {
        var last = ContinuousClock.now
        while !hasStopped {
            if let value = try connection.receive(within: .milliseconds(500)) {
                last = .now
                if let parts = value.array, parts.count == 3, let channel = parts[1].text, let body = parts[2].bytes,
                    !body.isEmpty
                {
                    hear(body, channel)
                }
            } else if ContinuousClock.now - last > timing.life {
                throw RedisError(.lost, "the subscription is silent")
            }
        }
    }

    /// What has no right proof, was heard before, or comes from this node itself is dropped.
    private func hear(_ body: [UInt8], _ channel: String) {
        guard let (node, number, messages) = NodeEnvelope.open(body, channel: channel, key: key), node != id,
            state.withLock({ $0.seen[channel, default: SeenNumbers()].take(number, from: node) })
        else { return }
        deliver(.messages(messages, from: node))
    }

    private static func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}
