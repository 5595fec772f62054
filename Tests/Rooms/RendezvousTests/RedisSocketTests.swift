import Foundation
import Networking
import Peers
import Redis
import Testing
import Wire

@testable import Rendezvous

/// Redis on the same machine, by a Unix socket.
@Suite(.timeLimit(.minutes(5)))
struct RedisSocketTests {
    @Test func aNodeReachesRedisByAUnixSocket() async throws {
        // Short, because the path of a socket has at most 107 bytes.
        let path = "/tmp/redis-\(UUID().uuidString).socket"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let redis = try await RedisServer(["--unixsocket", path])
        let client = RedisClient(try RedisAddress("redis+unix://\(path)"), timeout: .seconds(60))
        // It listens at the port first.
        for _ in 0..<1000 where (try? client.command(RedisCommand("PING"))) == nil {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try client.command(RedisCommand("PING")) == .status("PONG"))
        var store = try SharedStore("redis+unix://\(path)?db=2", secret: "a secret of all the nodes of this test")
        store.timing = Nodes.patient
        let servers = [try await LiveServer(.redis(store)), try await LiveServer(.redis(store))]
        let nodes = Nodes(servers, redis)
        try await nodes.areConnected()
        let (room, annas, berts) = try await nodes.meet()
        let anna = try await nodes.join(0, room, "anna", annas)
        let bert = try await nodes.join(1, room, "bert", berts)
        #expect(await anna.next("room_ready") != nil)
        try bert.send(["type": "webrtc_answer", "sdp": "by a socket"])
        #expect(await anna.next("webrtc_answer")?["sdp"] == "by a socket")
        #expect(try nodes.redis.keys() == [], "everything is in the other database")
        for server in servers { await server.server.stop() }
        redis.kill()
    }
}
