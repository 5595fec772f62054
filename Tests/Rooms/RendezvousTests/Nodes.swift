import Foundation
import Networking
import Peers
import Redis
import Testing
import Wire

@testable import Rendezvous

/// Servers on loopback that share a Redis.
final class Nodes {
    let redis: RedisServer
    private let servers: [LiveServer]

    init(_ servers: [LiveServer], _ redis: RedisServer) {
        self.servers = servers
        self.redis = redis
    }

    subscript(index: Int) -> LiveServer { servers[index] }

    /// Nobody is taken for dead because the machine is slow.
    static let patient = NodeTiming(answer: .seconds(60), decision: .seconds(300), life: .seconds(300))

    static func run(
        _ count: Int, limits: RendezvousLimits = .unlimited, timing: NodeTiming = patient, options: [String] = [],
        _ body: (Nodes) async throws -> Void
    ) async throws {
        let redis = try await RedisServer(options)
        var store = try SharedStore(redis.url, secret: "a secret of all the nodes of this test")
        store.timing = timing
        var servers: [LiveServer] = []
        for _ in 0..<count { servers.append(try await LiveServer(.redis(store), limits: limits)) }
        let nodes = Nodes(servers, redis)
        var failure: (any Error)?
        do {
            try await nodes.areConnected()
            try await body(nodes)
        } catch {
            failure = error
        }
        for server in servers { await server.server.stop() }
        redis.kill()
        if let failure { throw failure }
    }

    /// Waits until all nodes hear each other.
    func areConnected() async throws {
        for server in servers {
            while try await server.send("GET", "/ready").status != 200 { try await Task.sleep(for: .milliseconds(20)) }
        }
    }
}

extension Nodes {
    static let code: JSONValue = "482913"

    /// Anna has made a code at one node, and Bert has accepted it at the other.
    func meet() async throws -> (room: String, annas: String, berts: String) {
        let created = try await self[0].post(
            "/api/rooms", ["joinid": Self.code, "client1": "anna", "expiresInSeconds": 300, "ticket": true])
        #expect(created.status == 201, "\(created.text)")
        let accepted = try await self[1].post(
            "/api/rooms/accept", ["joinid": Self.code, "client2": "bert", "ticket": true])
        #expect(accepted.status == 200, "\(accepted.text)")
        return (
            try #require(accepted["roomid"]?.string), try #require(created["ticket"]?.string),
            try #require(accepted["ticket"]?.string)
        )
    }

    func join(_ node: Int, _ room: String, _ device: String, _ ticket: String) async throws -> TestSocket {
        let socket = try await self[node].socket()
        try socket.send([
            "type": "join_room", "roomId": .string(room), "deviceId": .string(device), "ticket": .string(ticket),
        ])
        try await socket.hasJoined()
        return socket
    }
}

extension TestSocket {
    /// Waits until it sits in its room. A refusal ends the test; nobody waits for what does not come.
    func hasJoined() async throws {
        while let message = await next() {
            if message["type"] == "room_joined" { return }
            try #require(message["type"] != "error", "\(message)")
        }
        try #require(Bool(false), "the socket was closed")
    }
}

extension Nodes {
    /// How many of something there are: few in an ordinary run.
    static func amount(_ variable: String, usually usual: Int) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? usual
    }
}

extension RedisServer {
    /// What a line of `INFO commandstats` says of a command: how often it was called.
    func calls(of command: String) throws -> Int {
        let connection = try RedisConnection(RedisAddress(url), timeout: .seconds(10))
        let text = try connection.command(RedisCommand("INFO", "commandstats")).text ?? ""
        let line = text.split(separator: "\r\n").first { $0.hasPrefix("cmdstat_\(command):calls=") } ?? ""
        return Int(line.dropFirst("cmdstat_\(command):calls=".count).prefix { $0.isNumber }) ?? 0
    }

    func command(_ words: [String]) throws {
        try RedisConnection(RedisAddress(url), timeout: .seconds(10)).command(
            RedisCommand(words.map { Array($0.utf8) }))
    }

    func keys() throws -> [String] {
        let answer = try RedisConnection(RedisAddress(url), timeout: .seconds(10)).command(RedisCommand("KEYS", "*"))
        return (answer.array ?? []).compactMap(\.text)
    }

    /// Keys that do not expire by themselves.
    func keysForEver() throws -> [String] {
        let connection = try RedisConnection(RedisAddress(url), timeout: .seconds(10))
        return try keys().filter { try connection.command(RedisCommand("PTTL", $0)) == .integer(-1) }
    }
}
