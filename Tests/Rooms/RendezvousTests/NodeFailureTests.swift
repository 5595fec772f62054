import Networking
import Peers
import Redis
import Synchronization
import Testing
import Wire

@testable import Rendezvous

/// Several servers that share a Redis, while it or one of them fails.
@Suite(.timeLimit(.minutes(10)))
struct NodeFailureTests {
    @Test func whileRedisIsAwayNewRoomsWaitAndSocketsStay() async throws {
        try await Nodes.run(2, options: ["--appendonly", "yes"]) { nodes in
            let (room, annas, berts) = try await nodes.meet()
            let anna = try await nodes.join(0, room, "anna", annas)
            let bert = try await nodes.join(1, room, "bert", berts)
            #expect(await bert.next("room_ready") != nil)
            #expect(await anna.next("room_ready") != nil)
            for round in 0..<2 {
                nodes.redis.kill()
                let refused = try await nodes[0].post(
                    "/api/rooms", ["joinid": "111111", "client1": "x", "expiresInSeconds": 300])
                #expect(refused.status == 503)
                #expect(refused["error"] == "store_unavailable")
                #expect(refused.headers["retry-after"] == "2")
                #expect(try await nodes[0].send("GET", "/health").status == 200)
                #expect(try await nodes[0].send("GET", "/ready").status == 503)
                try anna.send(["type": "ping"])
                #expect(await anna.next("pong") != nil)
                try await nodes.redis.start()
                // Both are told that the way between them is new, and begin again.
                #expect(await anna.next("room_ready") != nil)
                #expect(await bert.next("room_ready") != nil)
                try await nodes.areConnected()
                await reaches(anna, bert, "a\(round)")
                await reaches(bert, anna, "b\(round)")
            }
            let created = try await nodes[1].post(
                "/api/rooms", ["joinid": "111111", "client1": "x", "expiresInSeconds": 300])
            #expect(created.status == 201)
        }
    }

    /// Nothing fails afterwards because Redis was away while nobody asked.
    @Test func aRestartBetweenRequestsIsNotNoticed() async throws {
        let redis = try await RedisServer()
        let client = RedisClient(try RedisAddress(redis.url), timeout: .seconds(60))
        try client.command(RedisCommand("PING"))
        redis.kill()
        try await redis.start()
        #expect(try client.command(RedisCommand("PING")) == .status("PONG"))
        redis.kill()
    }

    @Test func aRedisThatIsFullReadOnlyOrEmptyBreaksNothing() async throws {
        try await Nodes.run(1) { nodes in
            let (room, annas, _) = try await Nodes([nodes[0], nodes[0]], nodes.redis).meet()
            let create: JSONValue = ["joinid": "222222", "client1": "x", "expiresInSeconds": 300]
            let settings = [
                (["CONFIG", "SET", "maxmemory", "1"], ["CONFIG", "SET", "maxmemory", "0"]),
                (["REPLICAOF", "127.0.0.1", "1"], ["REPLICAOF", "NO", "ONE"]),
            ]
            for (wrong, right) in settings {
                try nodes.redis.command(wrong)
                let refused = try await nodes[0].post("/api/rooms", create)
                #expect(refused.status == 503 && refused["error"] == "store_unavailable", "\(wrong) \(refused.text)")
                try nodes.redis.command(right)
            }
            #expect(try await nodes[0].post("/api/rooms", create).status == 201)
            try nodes.redis.command(["FLUSHALL"])
            let socket = try await nodes[0].socket()
            try socket.send([
                "type": "join_room", "roomId": .string(room), "deviceId": "anna", "ticket": .string(annas),
            ])
            #expect(await socket.next("error")?["error"] == "Invalid roomId")
            #expect(try await nodes[0].post("/api/rooms", create).status == 201)
        }
    }

    @Test func aRedisThatDoesNotAnswerIsGivenUp() async throws {
        try await Nodes.run(1, timing: NodeTiming()) { nodes in
            nodes.redis.pause()
            let create: JSONValue = ["joinid": "222222", "client1": "x", "expiresInSeconds": 300]
            #expect(try await nodes[0].post("/api/rooms", create).status == 503)
            nodes.redis.resume()
            while try await nodes[0].post("/api/rooms", create).status == 503 {
                try await Task.sleep(for: .milliseconds(50))
            }
            // The first request may have been carried out, although nobody heard of it.
            #expect(try await nodes[0].post("/api/rooms/accept", ["joinid": "222222", "client2": "y"]).status == 200)
        }
    }

    /// A Redis that hangs for longer than an answer may take, while nothing is asked of the node: a sign of life fails, and
    /// another one came due meanwhile.
    @Test func aNodeThatIsLeftAloneComesBackAfterRedisHung() async throws {
        try await Nodes.run(1, timing: NodeTiming(answer: .milliseconds(1500))) { nodes in
            nodes.redis.pause()
            while try await nodes[0].send("GET", "/ready").status == 200 {
                try await Task.sleep(for: .milliseconds(50))
            }
            try await Task.sleep(for: .seconds(1))
            nodes.redis.resume()
            try await nodes.areConnected()
        }
    }

    /// After a failure what is owed waits for whatever comes next, also when it fills the queue.
    @Test(arguments: [true, false])
    func aNodeThatOwesAsMuchAsItMayBeginsAgain(withASign: Bool) async throws {
        let redis = try await RedisServer()
        var store = try SharedStore(redis.url, secret: "a secret of the nodes of this test")
        store.timing = Nodes.patient
        let link = NodeLink(id: "one", store, sockets: 0, log: EventLog(nil) { 0 }) { _ in }
        let owed = SignalingRouter.NodeRequest.vacated(.init(room: "room", side: .creator), name: "anna", .left)
        link.state.withLock { $0.jobs = Array(repeating: NodeLink.Job.request(owed), count: NodeLink.waitingLimit) }
        if withASign { link.beat(remote: []) } else { link.perform(owed) }
        while link.state.withLock({ $0.isWorking || !$0.jobs.isEmpty }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try redis.keys().contains("alcove:node:one") == withASign)
        await link.stop()
        redis.kill()
    }

    /// The seat of somebody whose node was killed is free, and nobody waits there.
    @Test func theSeatsOfADeadNodeAreFree() async throws {
        try await Nodes.run(2) { nodes in
            let (room, annas, berts) = try await nodes.meet()
            try nodes.redis.command(["HSET", "alcove:seats:\(room)", "guest", "dead socket"])
            let anna = try await nodes.join(0, room, "anna", annas)
            try anna.send(["type": "webrtc_offer", "sdp": "nobody"])
            #expect(await anna.next()?["error"] == "Room must have exactly 2 users for WebRTC")
            let bert = try await nodes.join(1, room, "bert", berts)
            #expect(await bert.next("room_ready") != nil)
            #expect(await anna.next("room_ready") != nil)
        }
    }

    /// Who sits opposite somebody whose node dies is told so.
    @Test func aNodeWithoutSignsOfLifeIsDead() async throws {
        try await Nodes.run(1) { nodes in
            let (room, annas, _) = try await Nodes([nodes[0], nodes[0]], nodes.redis).meet()
            try nodes.redis.command(["SET", "alcove:node:other", "1"])
            try nodes.redis.command(["HSET", "alcove:seats:\(room)", "guest", "other socket"])
            let anna = try await nodes.join(0, room, "anna", annas)
            #expect(await anna.next()?["type"] == "room_ready")
            try nodes.redis.command(["DEL", "alcove:node:other"])
            #expect(await anna.next()?["type"] == "peer_disconnected")
            try anna.send(["type": "webrtc_offer", "sdp": "nobody"])
            #expect(await anna.next()?["error"] == "Room must have exactly 2 users for WebRTC")
        }
    }

    @Test func whoStopsIsNotReadyAndLeavesItsSeats() async throws {
        try await Nodes.run(2) { nodes in
            let (room, annas, berts) = try await nodes.meet()
            let anna = try await nodes.join(0, room, "anna", annas)
            let bert = try await nodes.join(1, room, "bert", berts)
            #expect(await bert.next("room_ready") != nil)
            #expect(await anna.next("room_ready") != nil)
            #expect(try await nodes[1].send("GET", "/ready").status == 200)
            await nodes[1].server.stop()
            #expect(await anna.next()?["type"] == "peer_disconnected")
            #expect(await bert.end()?.code == 1012)
            let back = try await nodes.join(0, room, "bert", berts)
            #expect(await back.next("room_ready") != nil)
        }
    }

    /// Whoever asks `/ready` looks elsewhere, and nobody who is here notices, until the time is over.
    @Test func whoDrainsTakesNoMoreLoadAndKeepsItsSockets() async throws {
        let live = try await LiveServer { $0.drainTime = .seconds(3600) }
        let created = try await live.post(
            "/api/rooms", ["joinid": "111111", "client1": "anna", "expiresInSeconds": 300, "ticket": true])
        let accepted = try await live.post(
            "/api/rooms/accept", ["joinid": "111111", "client2": "bert", "ticket": true])
        let room = try #require(accepted["roomid"])
        let anna = try await live.socket()
        try anna.send(["type": "join_room", "roomId": room, "deviceId": "anna", "ticket": created["ticket"] ?? .null])
        try await anna.hasJoined()
        #expect(try await live.send("GET", "/ready").status == 200)
        let stopping = Task { await live.server.stop() }
        while try await live.send("GET", "/ready").status != 503 { try await Task.sleep(for: .milliseconds(10)) }
        try anna.send(["type": "ping"])
        #expect(await anna.next("pong") != nil)
        #expect(try await live.send("GET", "/health").status == 200)
        // Also somebody who comes now, because the load balancer has not asked yet.
        let bert = try await live.socket()
        try bert.send(["type": "join_room", "roomId": room, "deviceId": "bert", "ticket": accepted["ticket"] ?? .null])
        try await bert.hasJoined()
        try bert.send(["type": "webrtc_answer", "sdp": "still here"])
        #expect(await anna.next("webrtc_answer")?["sdp"] == "still here")
        stopping.cancel()
        #expect(await anna.end()?.code == 1012)
        #expect(await bert.end()?.code == 1012)
        await stopping.value
        await #expect(throws: (any Error).self) { _ = try await live.send("GET", "/health") }
    }

    @Test func whoDrainsEndsWhenTheTimeIsOver() async throws {
        let time = Duration.milliseconds(300)
        let live = try await LiveServer { $0.drainTime = time }
        let socket = try await live.socket()
        let start = ContinuousClock.now
        await live.server.stop()
        #expect(ContinuousClock.now - start >= time)
        #expect(await socket.end()?.code == 1012)
    }

    /// Says something that was not said before until the other one hears it.
    private func reaches(_ from: TestSocket, _ to: TestSocket, _ text: String) async {
        let connection = from.connection
        let speaking = Task {
            while !Task.isCancelled {
                try connection.send(#"{"type":"webrtc_offer","sdp":"\#(text)"}"#)
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        var heard: JSONObject?
        repeat { heard = await to.next("webrtc_offer") } while heard != nil && heard?["sdp"]?.string != text
        #expect(heard != nil)
        speaking.cancel()
    }
}
