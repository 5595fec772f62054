import Networking
import Peers
import Redis
import Synchronization
import Testing
import Wire

@testable import Rendezvous

/// Nodes with wrong clocks, many watchers, and publishers who make things up.
@Suite(.timeLimit(.minutes(10)))
struct HostileNodesTests {
    /// Redis's clock decides, whatever the nodes believe.
    @Test func clocksOfNodesDecideNothing() async throws {
        let redis = try await RedisServer()
        var store = try SharedStore(redis.url, secret: "a secret of all the nodes of this test")
        store.timing = Nodes.patient
        var servers: [LiveServer] = []
        for hours in [-20, 0, 20] as [Timestamp] {
            let environment = RendezvousEnvironment(
                now: { RendezvousEnvironment.system.now() + hours * 3_600_000 },
                random: RendezvousEnvironment.system.random)
            servers.append(try await LiveServer(.redis(store), environment: environment))
        }
        let nodes = Nodes(servers, redis)
        try await nodes.areConnected()
        let (room, annas, berts) = try await nodes.meet()
        let anna = try await nodes.join(2, room, "anna", annas)
        let bert = try await nodes.join(0, room, "bert", berts)
        #expect(await anna.next("room_ready") != nil)
        #expect(await bert.next("room_ready") != nil)
        let made = try await nodes[2].post(
            "/api/rooms", ["joinid": "111111", "client1": "carl", "expiresInSeconds": 300])
        #expect(made.status == 201)
        // Looking for what has expired takes nothing away.
        for server in servers { server.server.sweep() }
        for node in 0..<3 {
            let check = try await nodes[node].post("/api/rooms/check", ["joinid": "111111", "client1": "carl"])
            #expect(check.status == 204)
        }
        for server in servers { await server.server.stop() }
    }

    /// A machine whose clock is set forward while somebody waits.
    @Test func aClockThatIsSetEndsNoWatch() async throws {
        let redis = try await RedisServer()
        var store = try SharedStore(redis.url, secret: "a secret of all the nodes of this test")
        store.timing = Nodes.patient
        let ahead = Mutex<Timestamp>(0)
        let environment = RendezvousEnvironment(
            now: { RendezvousEnvironment.system.now() + ahead.withLock { $0 } },
            random: RendezvousEnvironment.system.random)
        let nodes = Nodes([try await LiveServer(.redis(store), environment: environment)], redis)
        try await nodes.areConnected()
        let code: JSONValue = ["joinid": Nodes.code, "client1": "anna", "expiresInSeconds": 300]
        #expect(try await nodes[0].post("/api/rooms", code).status == 201)
        let anna = try await nodes[0].socket()
        try anna.send(["type": "watch", "joinid": Nodes.code, "deviceId": "anna"])
        #expect(await anna.next("watching") != nil)
        ahead.withLock { $0 = 20 * 3_600_000 }
        // Long enough to be looked at twice.
        try await Task.sleep(for: .seconds(4))
        let accepted = try await nodes[0].post("/api/rooms/accept", ["joinid": Nodes.code, "client2": "bert"])
        #expect(accepted.status == 200)
        #expect(await anna.next("room_accepted") != nil)
        await nodes[0].server.stop()
    }

    /// A node that started since has not heard what was said before, and takes it once. It must not end a code that
    /// was made anew since.
    @Test func oldNewsSaidAgainEndNoNewCode() async throws {
        try await Nodes.run(2) { nodes in
            let code: JSONValue = ["joinid": Nodes.code, "client1": "anna", "expiresInSeconds": 300]
            let recorder = try RedisConnection(RedisAddress(nodes.redis.url), timeout: .seconds(10))
            try recorder.command(RedisCommand("PSUBSCRIBE", "alcove:*:all"))
            #expect(try await nodes[0].post("/api/rooms", code).status == 201)
            #expect(try await nodes[0].post("/api/user/purge", ["deviceIds": ["anna"]]).status == 200)
            var old: (channel: [UInt8], body: [UInt8])?
            while old == nil {
                let parts = try recorder.receive(within: .seconds(10))?.array ?? []
                guard parts.count == 4, let channel = parts[2].bytes, let body = parts[3].bytes, !body.isEmpty else {
                    continue
                }
                old = (channel, body)
            }
            let (channel, body) = try #require(old)
            var store = try SharedStore(nodes.redis.url, secret: "a secret of all the nodes of this test")
            store.timing = Nodes.patient
            let late = Nodes([try await LiveServer(.redis(store))], nodes.redis)
            try await late.areConnected()
            #expect(try await late[0].post("/api/rooms", code).status == 201)
            let anna = try await late[0].socket()
            try anna.send(["type": "watch", "joinid": Nodes.code, "deviceId": "anna"])
            #expect(await anna.next("watching") != nil)
            let publisher = RedisClient(try RedisAddress(nodes.redis.url))
            try publisher.command(RedisCommand([Array("PUBLISH".utf8), channel, body]))
            let accepted = try await nodes[1].post("/api/rooms/accept", ["joinid": Nodes.code, "client2": "bert"])
            #expect(accepted.status == 200)
            #expect(await anna.next()?["roomId"] == accepted["roomid"])
            await late[0].server.stop()
        }
    }

    /// More than are asked for at once, and none is forgotten after the news of their guests was lost.
    /// `ALCOVE_WATCHERS` says how many.
    @Test func manyWatchersHearWhatTheyMissed() async throws {
        let count = Nodes.amount("ALCOVE_WATCHERS", usually: 1200)
        var limits = RendezvousLimits.unlimited
        limits.watchesBySocket = count
        try await Nodes.run(1, limits: limits, options: ["--appendonly", "yes"]) { nodes in
            let namespace = "alcove:"
            let store = RedisRoomStore(
                RedisClient(try RedisAddress(nodes.redis.url), timeout: .seconds(60)), namespace: namespace,
                idleLifetime: RendezvousLimits().idleRoomLifetime.milliseconds)
            let codes = (0..<count).map { "\(100_000 + $0)" }
            for code in codes {
                let request = Creation(
                    code: code, creator: Party(device: "anna", ticket: nil), expiresAt: 600_000, limit: 100_000)
                #expect(try store.create(request, now: 0) != .full)
            }
            let anna = try await nodes[0].socket()
            for code in codes {
                try anna.send(["type": "watch", "joinid": .string(code), "deviceId": "anna"])
                _ = try #require(await anna.next("watching"))
            }
            // Nobody tells the node of these.
            for code in codes {
                let request = Acceptance(
                    code: code, guest: Party(device: "bert", ticket: nil), room: "room \(code)", grace: 600_000,
                    limit: 100_000)
                #expect(try store.accept(request, now: 0) != .full)
            }
            nodes.redis.kill()
            try await nodes.redis.start()
            var heard: Set<String> = []
            while heard.count < codes.count, let news = await anna.next("room_accepted") {
                heard.insert(news["joinid"]?.string ?? "")
            }
            #expect(heard == Set(codes))
        }
    }
}
