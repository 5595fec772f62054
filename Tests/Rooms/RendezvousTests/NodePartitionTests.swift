import Networking
import Peers
import Testing
import Wire

@testable import Rendezvous

/// Two nodes, of which one reaches Redis by a network that is slow or broken.
@Suite(.timeLimit(.minutes(10)))
struct NodePartitionTests {
    private static let create: JSONValue = ["joinid": "222222", "client1": "x", "expiresInSeconds": 300]

    private func run(
        timing: NodeTiming, _ body: (Nodes, TCPGate) async throws -> Void
    ) async throws {
        let redis = try await RedisServer()
        let gate = try TCPGate(to: redis.port)
        var servers: [LiveServer] = []
        for port in [gate.port, redis.port] {
            var store = try SharedStore("redis://127.0.0.1:\(port)", secret: "a secret of all the nodes of this test")
            store.timing = timing
            servers.append(try await LiveServer(.redis(store)))
        }
        let nodes = Nodes(servers, redis)
        var failure: (any Error)?
        do {
            try await nodes.areConnected()
            try await body(nodes, gate)
        } catch {
            failure = error
        }
        gate.end()
        for server in servers { await server.server.stop() }
        redis.kill()
        if let failure { throw failure }
    }

    /// Also with the patience that nodes have outside of tests.
    @Test(arguments: [Nodes.patient, NodeTiming()])
    func aRedisThatTakesASecondForEachAnswerIsWaitedFor(_ timing: NodeTiming) async throws {
        try await run(timing: timing) { nodes, gate in
            gate.slow(by: 0.5)
            let (room, annas, berts) = try await nodes.meet()
            let anna = try await nodes.join(0, room, "anna", annas)
            let bert = try await nodes.join(1, room, "bert", berts)
            #expect(await anna.next("room_ready") != nil)
            #expect(await bert.next("room_ready") != nil)
            for number in 0..<3 { try anna.send(["type": "webrtc_offer", "sdp": .string("\(number)")]) }
            for number in 0..<3 { #expect(await bert.next()?["sdp"]?.string == "\(number)") }
            gate.slow(by: 0)
        }
    }

    /// The other node goes on; nobody is in two places, and nothing that was said across the gap comes twice.
    @Test func aNodeThatIsCutOffRefusesAndComesBack() async throws {
        try await run(timing: NodeTiming()) { nodes, gate in
            let (room, annas, berts) = try await nodes.meet()
            let anna = try await nodes.join(0, room, "anna", annas)
            let bert = try await nodes.join(1, room, "bert", berts)
            #expect(await anna.next("room_ready") != nil)
            #expect(await bert.next("room_ready") != nil)
            gate.shut()
            let refused = try await nodes[0].post("/api/rooms", Self.create)
            #expect(refused.status == 503 && refused["error"] == "store_unavailable")
            while try await nodes[0].send("GET", "/ready").status == 200 {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(await bert.next("peer_disconnected") != nil)
            #expect(try await nodes[1].post("/api/rooms/accept", ["joinid": "111111", "client2": "y"]).status == 404)
            // Anna's device comes back at the other node while her socket is still open at the one that is cut off.
            let again = try await nodes.join(1, room, "anna", annas)
            #expect(await bert.next("room_ready") != nil)
            try anna.send(["type": "webrtc_offer", "sdp": "from the other side of the gap"])
            gate.open()
            // Her older socket has lost its seat.
            while let message = await anna.next() {
                if message["type"] == "left_room" { break }
            }
            try again.send(["type": "webrtc_offer", "sdp": "from here"])
            var heard: [String] = []
            while heard.last != "from here", let message = await bert.next() {
                if message["type"] == "webrtc_offer" { heard.append(message["sdp"]?.string ?? "") }
                if message["type"] == "room_ready" { try again.send(["type": "webrtc_offer", "sdp": "from here"]) }
            }
            #expect(heard == ["from here"], "what was said from a seat that is another's does not arrive")
        }
    }
}
