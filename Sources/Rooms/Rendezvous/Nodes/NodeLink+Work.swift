internal import Redis
internal import Synchronization

/// The work of a link.
extension NodeLink {
    /// Does all of it. Messages are sent together; before a script, those that wait are sent, so that the order stays.
    /// - Parameter jobs: what is left of them; after an error, beginning with the one that failed.
    func perform(_ jobs: inout ArraySlice<Job>, _ worker: inout Worker) throws -> [Event] {
        var events: [Event] = []
        while let job = jobs.first {
            if case .beat = job {
                // It is a sign of life itself.
            } else {
                try worker.giveSign(of: "\(namespace)node:\(id)", every: timing.life / 4, life: timing.life)
            }
            switch job {
            case .tell(let node, let message): worker.outbox.add(message, to: node)
            case .request(.relay(let peer, let room, let name, let text)):
                worker.outbox.add(.relayed(room: room, to: peer.name, peer: name, text: text), to: peer.node)
            case .request(.deny(let peer, let room, let name)):
                worker.outbox.add(.gone(room: room, peer: name, .disconnected), to: peer.node)
            case .request(.seated(let seat, let name, let isAgain)):
                try send(&worker)
                try sit(seat, name, isAgain: isAgain, &worker)
            case .request(.vacated(let seat, let name, let how)):
                try send(&worker)
                if let other = try run(NodeScripts.leave, seat, name, worker.client).other, other.node != id {
                    worker.outbox.add(.gone(room: seat.room, peer: name, how), to: other.node)
                }
            case .beat(let remote):
                try send(&worker)
                events += try beat(remote, &worker)
            }
            jobs.removeFirst()
        }
        try send(&worker)
        return events
    }

    /// Publishes what waits. What is refused or lost stays in the outbox.
    private func send(_ worker: inout Worker) throws(RedisError) {
        guard !worker.outbox.isEmpty else { return }
        var commands: [RedisCommand] = []
        for envelope in worker.outbox.envelopes {
            worker.number += 1
            let channel = envelope.to.map(channel) ?? everybody
            let sealed = NodeEnvelope.seal(
                envelope.messages, from: id, number: worker.number, channel: channel, key: key)
            commands.append(RedisCommand([Array("PUBLISH".utf8), Array(channel.utf8), sealed]))
        }
        for case .failure(let error) in try worker.client.pipeline(commands) { throw error }
        worker.outbox.removeAll()
    }

    private func sit(
        _ seat: SignalingRouter.Seat, _ name: String, isAgain: Bool, _ worker: inout Worker
    ) throws {
        let (before, other, isTaken) = try run(NodeScripts.seat, seat, name, worker.client, isAgain: isAgain)
        if isTaken {
            // The device came to another node while this one was cut off: the socket here is the older one.
            return deliver(.messages([.replaced(room: seat.room, name: name)], from: id))
        }
        if let before, before.node != id {
            worker.outbox.add(.replaced(room: seat.room, name: before.name), to: before.node)
        }
        if let other, other.node != id {
            // Before the other node knows, so that what comes from there finds this node prepared.
            deliver(.opposite(room: seat.room, name: name, other))
            worker.outbox.add(
                .arrived(room: seat.room, name: other.name, peer: name, isAgain: isAgain), to: other.node)
        }
    }

    private func run(
        _ script: RedisScript, _ seat: SignalingRouter.Seat, _ name: String, _ client: RedisClient,
        isAgain: Bool = false
    ) throws -> (before: RemotePeer?, other: RemotePeer?, isTaken: Bool) {
        let side = seat.side == .creator ? "creator" : "guest"
        let arguments = [
            id, seat.room, side, name, String(Self.seatLifetime), isAgain ? "again" : "new",
        ].map { Array($0.utf8) }
        let found = try client.run(script, keys: [namespace], arguments).array ?? []
        let peers = found.map { value -> RemotePeer? in
            let words = (value.text ?? "").split(separator: " ")
            return words.count == 2 ? RemotePeer(node: String(words[0]), name: String(words[1])) : nil
        }
        guard peers.count >= 2 else { throw RedisError(.refused, "Redis gave an answer of another form") }
        return (peers[0], peers[1], found.count == 3)
    }

    private func beat(_ remote: Set<String>, _ worker: inout Worker) throws -> [Event] {
        let nodes = remote.sorted()
        let sign = RedisCommand("SET", "\(namespace)node:\(id)", "1", "PX", String(timing.life.milliseconds), "GET")
        // An empty message, which only this node hears: so it notices when the subscription is dead.
        let echo = RedisCommand("PUBLISH", channel(id), "")
        let answers = try worker.client.pipeline(
            [sign, echo] + nodes.map { RedisCommand("EXISTS", "\(namespace)node:\($0)") })
        for case .failure(let error) in answers { throw error }
        // Redis forgot this node, so others may have taken it for dead.
        let wasForgotten = worker.wasAlive && answers.first == .nothing
        worker.wasAlive = true
        worker.lastSign = .now
        let dead = zip(nodes, answers.dropFirst(2)).filter { $0.1 == .integer(0) }.map(\.0)
        let isResync = state.withLock { state in
            guard state.isHearing, state.hasLost || wasForgotten else { return false }
            state.hasLost = false
            return true
        }
        return (dead.isEmpty ? [] : [.died(Set(dead))]) + (isResync ? [.resync] : [])
    }
}
