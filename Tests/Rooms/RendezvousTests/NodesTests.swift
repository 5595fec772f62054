import Networking
import Peers
import Redis
import Testing
import Wire

@testable import Rendezvous

/// Several servers that share a Redis.
@Suite(.timeLimit(.minutes(10)))
struct NodesTests {
    /// Whatever happened: nothing stays in Redis for ever, so that a namespace that no node uses any more becomes empty.
    private static func run(
        _ count: Int, limits: RendezvousLimits = .unlimited, _ body: (Nodes) async throws -> Void
    ) async throws {
        try await Nodes.run(count, limits: limits) { nodes in
            try await body(nodes)
            let keys = try nodes.redis.keys()
            #expect(!keys.isEmpty && keys.allSatisfy { $0.hasPrefix("alcove:") }, "\(keys)")
            #expect(try nodes.redis.keysForEver() == [])
        }
    }

    @Test func messagesCrossNodesOnceAndInOrder() async throws {
        try await Self.run(3) { nodes in
            let (room, annas, berts) = try await nodes.meet()
            let anna = try await nodes.join(0, room, "anna", annas)
            let bert = try await nodes.join(1, room, "bert", berts)
            #expect(await bert.next("room_ready")?["isInitiator"] == false)
            #expect(await anna.next("room_ready")?["isInitiator"] == true)
            for number in 0..<200 { try anna.send(["type": "webrtc_offer", "sdp": .string("offer \(number)")]) }
            for number in 0..<200 {
                let message = try #require(await bert.next())
                #expect(message["sdp"]?.string == "offer \(number)")
                #expect(message["roomId"]?.string == room)
            }
            try bert.send(["type": "webrtc_answer", "sdp": "answer"])
            #expect(await anna.next()?["sdp"] == "answer")
            try bert.send(["type": "leave_room"])
            #expect(await anna.next()?["type"] == "peer_left")
            try anna.send(["type": "webrtc_offer", "sdp": "nobody"])
            #expect(await anna.next()?["error"] == "Room must have exactly 2 users for WebRTC")
            let again = try await nodes.join(2, room, "bert", berts)
            #expect(await anna.next()?["type"] == "room_ready")
            again.connection.close()
            #expect(await anna.next()?["type"] == "peer_disconnected")
            let gone = try await nodes[2].post("/api/user/purge", ["deviceIds": ["anna"], "tickets": [.string(annas)]])
            #expect(gone["roomsDeleted"] == 1)
            #expect(await anna.end()?.code == 4002)
        }
    }

    @Test func aWatcherHearsWhatHappensAtAnotherNode() async throws {
        try await Self.run(2) { nodes in
            let created = try await nodes[0].post(
                "/api/rooms", ["joinid": Nodes.code, "client1": "anna", "expiresInSeconds": 300, "ticket": true])
            let anna = try await nodes[1].socket()
            try anna.send([
                "type": "watch", "joinid": Nodes.code, "deviceId": "anna", "ticket": created["ticket"] ?? .null,
            ])
            #expect(await anna.next("watching") != nil)
            let accepted = try await nodes[0].post("/api/rooms/accept", ["joinid": Nodes.code, "client2": "bert"])
            #expect(await anna.next()?["roomId"] == accepted["roomid"])
        }
    }

    @Test func aDeviceThatComesBackAtAnotherNodeReplacesItself() async throws {
        try await Self.run(2) { nodes in
            let (room, annas, berts) = try await nodes.meet()
            let anna = try await nodes.join(0, room, "anna", annas)
            let bert = try await nodes.join(0, room, "bert", berts)
            #expect(await bert.next("room_ready") != nil)
            let again = try await nodes.join(1, room, "anna", annas)
            #expect(await anna.end()?.code == 4001)
            #expect(await bert.next()?["type"] == "peer_disconnected")
            #expect(await bert.next()?["type"] == "room_ready")
            #expect(await again.next("room_ready") != nil)
            try bert.send(["type": "webrtc_answer", "sdp": "here"])
            #expect(await again.next()?["sdp"] == "here")
        }
    }

    @Test func guessesAreLimitedOverAllNodes() async throws {
        var limits = RendezvousLimits()
        limits.codeAttemptsByAddress = RateLimit(burst: 6, perMinute: 0.01)
        try await Self.run(3, limits: limits) { nodes in
            var statuses: [Int] = []
            for number in 0..<12 {
                let body: JSONValue = ["joinid": .string("\(100_000 + number)"), "client2": "eve"]
                statuses.append(try await nodes[number % 3].post("/api/rooms/accept", body).status)
            }
            #expect(statuses == Array(repeating: 404, count: 6) + Array(repeating: 429, count: 6))
            // Who guesses no more may still act with a ticket, and right codes were never counted.
            #expect(try nodes.redis.keys().allSatisfy { !$0.contains("127.0.0.1") })
        }
    }

    private static func create(_ number: Int) -> JSONValue {
        ["joinid": .string("\(100_000 + number)"), "client1": .string("d\(number)"), "expiresInSeconds": 300]
    }

    @Test func ratesAreSharedByAllNodes() async throws {
        var limits = RendezvousLimits.unlimited
        limits.creations = RateLimit(burst: 4, perMinute: 0.01)
        limits.purgedDevices = RateLimit(burst: 100, perMinute: 0.01)
        limits.requests = RateLimit(burst: 12, perMinute: 0.01)
        try await Self.run(3, limits: limits) { nodes in
            var answers: [String] = []
            for number in 0..<6 {
                let answer = try await nodes[number % 3].post("/api/rooms", Self.create(number))
                answers.append(answer["error"]?.string ?? "\(answer.status)")
            }
            #expect(answers == ["201", "201", "201", "201", "too_many_rooms", "too_many_rooms"])
            // Long purges are decided in slices, and counted once.
            let ids = (0..<60).map { JSONValue.string("x\($0)") }
            #expect(try await nodes[0].post("/api/user/purge", ["deviceIds": .array(ids)]).status == 200)
            let second = try await nodes[1].post("/api/user/purge", ["deviceIds": .array(ids)])
            #expect(second["error"] == "too_many_purges" && second.headers["retry-after"] != nil)
            // What was refused counted as nothing, so this is the seventh request.
            let check: JSONValue = ["joinid": "100000", "client1": "d0"]
            var statuses: [Int] = []
            for number in 0..<9 { statuses.append(try await nodes[number % 3].post("/api/rooms/check", check).status) }
            #expect(statuses == Array(repeating: 204, count: 7) + [429, 429])
            #expect(try nodes.redis.keys().allSatisfy { !$0.contains("127.0.0.1") })
            let page = try await nodes[1].send("GET", "/metrics").text
            #expect(page.contains(#"rejected_total{reason="too_many_rooms"} "#))
        }
    }

    @Test func codesThatWaitAreCountedOverAllNodes() async throws {
        var limits = RendezvousLimits.unlimited
        limits.codesByAddress = 3
        try await Self.run(3, limits: limits) { nodes in
            for number in 0..<3 {
                #expect(try await nodes[number].post("/api/rooms", Self.create(number)).status == 201)
            }
            for node in 0..<3 {
                let refused = try await nodes[node].post("/api/rooms", Self.create(3))
                #expect(refused["error"] == "too_many_rooms" && refused.headers["retry-after"] == "60")
            }
            // One that is gone makes room at every node, a moment later.
            #expect(try await nodes[2].post("/api/user/purge", ["deviceIds": ["d0"]]).status == 200)
            while try await nodes[1].post("/api/rooms", Self.create(3)).status == 429 {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(try await nodes[0].post("/api/rooms", Self.create(4)).status == 429)
            // What a dead node held does not count.
            let held = try #require(try nodes.redis.keys().first { $0.hasPrefix("alcove:held:") })
            try nodes.redis.command(["HSET", held, "dead", "100"])
            #expect(try await nodes[2].post("/api/user/purge", ["deviceIds": ["d1"]]).status == 200)
            while try await nodes[0].post("/api/rooms", Self.create(4)).status == 429 {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    @Test func aReplayedOrForgedPublishIsNotRelayed() async throws {
        try await Self.run(2) { nodes in
            let (room, annas, berts) = try await nodes.meet()
            let recorder = try RedisConnection(RedisAddress(nodes.redis.url), timeout: .seconds(10))
            try recorder.command(RedisCommand("PSUBSCRIBE", "alcove:*"))
            let anna = try await nodes.join(0, room, "anna", annas)
            let bert = try await nodes.join(1, room, "bert", berts)
            #expect(await bert.next("room_ready") != nil)
            #expect(await anna.next("room_ready") != nil)
            try anna.send(["type": "webrtc_offer", "sdp": "once"])
            #expect(await bert.next()?["sdp"] == "once")
            var copies: [(channel: [UInt8], body: [UInt8])] = []
            while copies.isEmpty {
                let parts = try recorder.receive(within: .seconds(10))?.array ?? []
                guard parts.count == 4, let channel = parts[2].bytes, let body = parts[3].bytes,
                    String(decoding: body, as: UTF8.self).contains("once")
                else { continue }
                copies.append((channel, body))
            }
            let publisher = RedisClient(try RedisAddress(nodes.redis.url))
            for (channel, body) in copies {
                for forged in [body, Array(repeating: 0, count: 32) + body.dropFirst(32), Array("{}".utf8), []] {
                    try publisher.command(RedisCommand([Array("PUBLISH".utf8), channel, forged]))
                }
            }
            try anna.send(["type": "webrtc_offer", "sdp": "twice"])
            #expect(await bert.next()?["sdp"] == "twice")
        }
    }
}
