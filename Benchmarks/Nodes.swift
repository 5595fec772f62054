import Foundation
import Networking
import Peers
import Redis
import Rendezvous

extension Suite {
    static let nodes = Suite(
        name: "nodes", about: "several rendezvous servers over one Redis: requests, messages across nodes, sockets"
    ) { recorder in
        for count in 1...3 {
            let cluster = try await NodeCluster(count)
            defer { cluster.stop() }
            try await cluster.measure(rooms: 2000, pairs: 500, recorder)
        }
        let cluster = try await NodeCluster(2)
        try await cluster.measureSockets(recorder)
        cluster.stop()
        try await measureScaling(recorder)
    }

    /// Nodes that have a part of a core each, all the same.
    private static func measureScaling(_ recorder: Recorder) async throws {
        var first: (requests: Double, relayed: Double)?
        for count in 1...3 {
            let cluster = try await NodeCluster(count)
            defer { cluster.stop() }
            guard let found = try await cluster.measureScaling(recorder) else { return }
            if let first {
                for (what, rate, base) in [
                    ("REST requests", found.requests, first.requests),
                    ("relayed messages", found.relayed, first.relayed),
                ] {
                    await recorder.record(
                        "\(what), \(count) nodes by one, a part of a core each", rate / base, unit: "times",
                        better: .higher, aim: count == 2 ? 1.7 : nil)
                }
            } else {
                first = found
            }
        }
    }

    @Sendable static func serveNode() async throws -> Int {
        let store = try SharedStore(CommandLine.arguments[2], secret: "a secret of all the nodes of this benchmark")
        let server = try RendezvousServer(RendezvousConfiguration(store: .redis(store), limits: NodeCluster.limits))
        ServerProcess.atExit { await server.stop() }
        return try await server.start()
    }
}

/// A Redis and servers that share it, each in a process of its own.
private struct NodeCluster {
    /// High enough for one machine, but counted in Redis, as those of a real server are.
    static var limits: RendezvousLimits {
        var limits = RendezvousLimits.unlimited
        limits.requests.burst = 1_000_000_000
        limits.creations.burst = 1_000_000_000
        limits.codesByAddress = 1_000_000_000
        limits.codeAttemptsByAddress.burst = 1_000_000_000
        limits.codeAttempts.burst = 1_000_000_000
        return limits
    }

    private let redis: RedisServer
    private let nodes: [ServerProcess]

    init(_ count: Int) async throws {
        // With a file, as real ones have.
        let redis = try await RedisServer(["--appendonly", "yes"])
        self.redis = redis
        nodes = try (0..<count).map { _ in try ServerProcess("--serve-node", redis.url) }
    }

    func stop() {
        for node in nodes { node.stop() }
        redis.kill()
    }

    /// Rooms whose two sides are at different nodes, if there are several.
    func measure(rooms count: Int, pairs: Int, _ recorder: Recorder) async throws {
        let label = nodes.count == 1 ? ", one node" : ", \(nodes.count) nodes"
        let (memory, time) = (try redisFigure("used_memory"), try redisSeconds())
        let rooms = try await Suite.makeRooms(count, nodes, label, recorder)
        let bytes = (try redisFigure("used_memory") - memory) / Double(count)
        let cost = (try redisSeconds() - time) / Double(3 * count) * 1_000_000
        await recorder.record("Redis's time of a REST request\(label)", cost, unit: "µs", better: .lower)
        await recorder.record("Redis's memory of a room and its code\(label)", bytes, unit: "B", better: .lower)
        let present = try pair(Array(rooms.prefix(pairs)))
        let before = try redisSeconds()
        try await Suite.measureRelay(present, nodes, "\(2 * pairs) sockets\(label)", recorder)
        // As many as are relayed there, one by one and in bursts.
        let relay = (try redisSeconds() - before) / 55_000 * 1_000_000
        if nodes.count > 1 {
            await recorder.record("Redis's time of a relayed message\(label)", relay, unit: "µs", better: .lower)
        }
    }

    /// Requests and relayed messages a second; nil if nodes cannot be limited here.
    func measureScaling(_ recorder: Recorder) async throws -> (requests: Double, relayed: Double)? {
        guard nodes.allSatisfy({ $0.limit(toCores: NodeScaling.share) }) else { return nil }
        let label = "\(nodes.count) nodes with \(NodeScaling.share) of a core each"
        let scaling = NodeScaling(ports: nodes.map(\.port))
        let (time, before, start) = (
            try redisSeconds(), ServerProcess.processorSeconds(of: nodes), ContinuousClock.now
        )
        let requests = try scaling.requestRate(seconds: 6)
        let used = ServerProcess.processorSeconds(of: nodes) - before
        let busy = used / seconds(ContinuousClock.now - start) / Double(nodes.count)
        await recorder.record("part of a core that each used, \(label)", busy, unit: "", better: .lower)
        let redis = (try redisSeconds() - time) / (6 * requests) * 1_000_000
        await recorder.record("REST requests, \(label)", requests, unit: "requests/s", better: .higher)
        await recorder.record("Redis's time of a REST request, \(label)", redis, unit: "µs", better: .lower)
        let maker = try RoomMaker(nodes.map(\.port))
        let rooms = try (0..<5).flatMap { round in
            let start = 800_000 + RoomMaker.connections * round
            return try maker.make(Array(start..<start + RoomMaker.connections))
        }
        let local = try scaling.relayRate(rooms, isCrossing: false, seconds: 4)
        await recorder.record("relayed inside a node, \(label)", local, unit: "messages/s", better: .higher)
        let crossing = nodes.count == 1 ? local : try scaling.relayRate(rooms, isCrossing: true, seconds: 4)
        await recorder.record("relayed across nodes, \(label)", crossing, unit: "messages/s", better: .higher)
        // Of two people who come to any node, as many are at the same one as there are nodes.
        let share = 1 / Double(nodes.count)
        return (requests, 1 / (share / local + (1 - share) / crossing))
    }

    /// 20 000 sockets, of which 12 000 are at one node. Most are held by another process, because one may not open so many.
    func measureSockets(_ recorder: Recorder) async throws {
        let (count, own) = (10_000, 1000)
        let rooms = try await Suite.makeRooms(count, nodes, ", for many sockets", recorder)
        func places(_ index: Int) -> (Int, Int) { (nodes[0].port, nodes[index % 5 == 0 ? 0 : 1].port) }
        let held = rooms.indices.dropFirst(own).map { HeldPair(room: rooms[$0], ports: places($0)) }
        let holder = try HeldPair.hold(held)
        defer { holder.stop() }
        let present = try (0..<own).map { try LoadPair(rooms[$0], ports: places($0), source: 2) }
        let label = "\(2 * count) sockets over two nodes"
        let megabytes = Double(nodes.map(\.residentBytes).reduce(0, +)) / 1e6
        await recorder.record("memory of both nodes, \(label)", megabytes, unit: "MB", better: .lower, aim: 300)
        try await Suite.measureRelay(present, nodes, label, recorder)
        // Redis forgets who sits where, and both nodes notice that they missed something.
        let seats =
            "local n = 0 for _, k in ipairs(redis.call('KEYS', 'alcove:seats:*')) do n = n + redis.call('HLEN', k) end return n"
        for pair in present { try pair.staysAlive() }
        let time = try ContinuousClock().measure {
            let forget = "for _, k in ipairs(redis.call('KEYS', 'alcove:seats:*')) do redis.call('DEL', k) end"
            _ = try ask("EVAL", forget, "0")
            _ = try ask("CLIENT", "KILL", "TYPE", "pubsub")
            while (try ask("EVAL", seats, "0").integer ?? 0) < 2 * count { usleep(200_000) }
            for index in present.indices where index % 5 != 0 { try present[index].isReady() }
        }
        await recorder.record("all seated anew, \(label)", seconds(time), unit: "s", better: .lower, aim: 5)
        for pair in present { try pair.passAtLast() }
    }

    private func ask(_ words: String...) throws -> RedisValue {
        let connection = try RedisConnection(RedisAddress(redis.url), timeout: .seconds(60))
        return try connection.command(RedisCommand(words.map { Array($0.utf8) }))
    }

    private func pair(_ rooms: [LoadRoom]) throws -> [LoadPair] {
        try rooms.enumerated().map { index, room in
            let ports = (nodes[index % nodes.count].port, nodes[(index + 1) % nodes.count].port)
            return try LoadPair(room, ports: ports, source: 2 + index / 5000)
        }
    }

    private func redisSeconds() throws -> Double { try redisFigure("used_cpu_sys") + redisFigure("used_cpu_user") }

    /// A line of what Redis says of itself.
    private func redisFigure(_ name: String) throws -> Double {
        let connection = try RedisConnection(RedisAddress(redis.url), timeout: .seconds(10))
        let text = try connection.command(RedisCommand("INFO")).text ?? ""
        let line = text.split(separator: "\r\n").first { $0.hasPrefix(name + ":") } ?? ""
        return Double(line.dropFirst(name.count + 1)) ?? 0
    }
}
