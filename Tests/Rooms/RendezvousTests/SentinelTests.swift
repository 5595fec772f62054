import Networking
import Peers
import Redis
import Testing
import Wire

@testable import Rendezvous

/// A Redis with a replica, watched by a sentinel.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SentinelTests {
    private func follower(of master: RedisServer) async throws -> RedisServer {
        let replica = try await RedisServer([
            "--replicaof", "127.0.0.1", "\(master.port)", "--repl-diskless-sync-delay", "0",
        ])
        let connection = try RedisConnection(RedisAddress(replica.url), timeout: .seconds(60))
        while try connection.command(RedisCommand("ROLE")).array?[3].text != "connected" {
            try await Task.sleep(for: .milliseconds(20))
        }
        return replica
    }

    @Test func roomsSurviveAFailover() async throws {
        let master = try await RedisServer(["--repl-diskless-sync-delay", "0"])
        let replica = try await follower(of: master)
        let sentinel = try await RedisSentinel(watching: master.port)
        let watcher = try RedisConnection(RedisAddress("redis://127.0.0.1:\(sentinel.port)"), timeout: .seconds(60))
        while try watcher.command(RedisCommand("SENTINEL", "replicas", "rooms")).array?.isEmpty != false {
            try await Task.sleep(for: .milliseconds(20))
        }
        // A sentinel that is away keeps nobody away.
        let url = "redis+sentinel://127.0.0.1:1,127.0.0.1:\(sentinel.port)/rooms/2"
        var store = try SharedStore(url, secret: "a secret of all the nodes of this test")
        store.timing = NodeTiming(answer: .seconds(20), decision: .seconds(300), life: .seconds(20))
        let servers = [try await LiveServer(.redis(store)), try await LiveServer(.redis(store))]
        let nodes = Nodes(servers, master)
        try await nodes.areConnected()
        let (room, annas, berts) = try await nodes.meet()
        // What was acknowledged and is at the replica is kept. Redis waits only for what the same connection wrote, and
        // everything before that.
        let connection = try RedisConnection(RedisAddress(master.url), timeout: .seconds(60))
        try connection.command(RedisCommand("SET", "last", "1"))
        #expect(try connection.command(RedisCommand("WAIT", "1", "60000")).integer == 1)
        master.kill()
        while try await nodes[0].post("/api/rooms", ["joinid": "111111", "client1": "x", "expiresInSeconds": 300])
            .status == 503
        {
            try await Task.sleep(for: .milliseconds(50))
        }
        try await nodes.areConnected()
        let anna = try await nodes.join(0, room, "anna", annas)
        let bert = try await nodes.join(1, room, "bert", berts)
        #expect(await anna.next("room_ready") != nil)
        #expect(await bert.next("room_ready") != nil)
        #expect(
            try RedisConnection(RedisAddress(replica.url), timeout: .seconds(60)).command(RedisCommand("ROLE"))
                .array?.first?.text == "master")
        for server in servers { await server.server.stop() }
    }

    @Test func aReplicaIsNotTakenForTheMaster() async throws {
        let master = try await RedisServer(["--repl-diskless-sync-delay", "0"])
        let replica = try await follower(of: master)
        // Nobody has told this sentinel that it watches a replica; it finds out in time.
        let sentinel = try await RedisSentinel(watching: replica.port)
        let address = try RedisAddress("redis+sentinel://127.0.0.1:\(sentinel.port)/rooms")
        do {
            let role = try RedisConnection(address, timeout: .seconds(60)).command(RedisCommand("ROLE"))
            #expect(role.array?.first?.text == "master")
        } catch {
            #expect(error.code == .readOnly)
        }
        let unknown = #expect(throws: RedisError.self) {
            try RedisConnection(
                RedisAddress("redis+sentinel://:hunter22@127.0.0.1:\(sentinel.port)/other"), timeout: .seconds(60))
        }
        #expect(unknown?.message.contains("knows no master other") == true)
        #expect(unknown?.message.contains("hunter22") == false)
    }
}
