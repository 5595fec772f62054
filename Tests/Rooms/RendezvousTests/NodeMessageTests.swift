import Cryptography
import Networking
import Peers
import Redis
import Testing

@testable import Rendezvous

/// How nodes know each other.
struct NodeMessageTests {
    @Test func whoDoesNotKnowTheSecretIsNotHeard() async throws {
        let stranger = SecretBytes.random(count: 32)
        let key = SecretBytes.random(count: 32)
        let message = NodeMessage.relayed(room: "r", to: "a", peer: "b", text: "{\"type\":\"webrtc_offer\"}")
        let sealed = NodeEnvelope.seal(message, from: "node", number: 7, channel: "to:x", key: key)
        let opened = try #require(NodeEnvelope.open(sealed, channel: "to:x", key: key))
        #expect(opened.node == "node" && opened.number == 7 && opened.message == message)
        #expect(NodeEnvelope.open(sealed, channel: "to:y", key: key) == nil)
        #expect(NodeEnvelope.open(sealed, channel: "to:x", key: stranger) == nil)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(NodeEnvelope.open(changed, channel: "to:x", key: key) == nil)
        }
        for count in 0..<sealed.count {
            #expect(NodeEnvelope.open(Array(sealed.prefix(count)), channel: "to:x", key: key) == nil)
        }
        var seen = SeenNumbers()
        #expect(seen.take(7, from: "node") && !seen.take(7, from: "node") && !seen.take(6, from: "node"))
        #expect(seen.take(8, from: "node") && seen.take(1, from: "other"))
    }

    @Test func wrongAddressesAndSecretsAreRefused() throws {
        let wrongs = [
            "http://h", "redis://", "redis://h/x", "redis://h:0", "redis://h/1/2", "redis://h?x", "redis://h#x",
            "redis+unix://h", "redis+unix:///s?x=1", "redis+sentinel://h", "redis+sentinel://h,/m",
            "redis+sentinel://h/m/x", "redis+sentinel:///m", "redis://:%zz@h", "redis://[::1", "redis://h:1:2", "redis",
            "redis+sentinel://\(Array(repeating: "h", count: 17).joined(separator: ","))/m",
        ]
        for wrong in wrongs {
            #expect(throws: RedisError.self, "\(wrong)") { try RedisAddress(wrong) }
        }
        let secret = String(repeating: "s", count: 32)
        #expect(throws: RendezvousError.self) { try SharedStore("redis://user@h", secret: secret) }
        #expect(throws: RendezvousError.self) { try SharedStore("redis://h", secret: "short") }
        var access = SharedStore.Access()
        access.password = "p"
        #expect(try SharedStore("redis://user@h", access: access, secret: secret).address.password == "p")
        #expect(throws: RendezvousError.self) { try SharedStore("redis://:q@h", access: access, secret: secret) }
        access.authorities = "ca.pem"
        #expect(throws: RendezvousError.self) { try SharedStore("redis://h", access: access, secret: secret) }
        let address = try RedisAddress("redis://ann:p%40ss@[::1]:7000/3")
        #expect(address == RedisAddress(.tcp(.init("::1", 7000)), user: "ann", password: "p@ss", database: 3))
        #expect(!"\(address)".contains("p@ss"))
        #expect(
            try RedisAddress("redis+unix:///run/redis.sock?db=2") == RedisAddress(.unix("/run/redis.sock"), database: 2)
        )
        #expect(
            try RedisAddress("rediss+sentinel://:p@a:1,b,[::1]:2/ro%2foms/4")
                == RedisAddress(
                    .sentinels([.init("a", 1), .init("b", 26_379), .init("::1", 2)], master: "ro/oms"),
                    tls: ClientTLS(), password: "p", database: 4))
    }

    /// A node that is busy for long says that it lives; one that Redis forgot does not pretend that it was always there.
    @Test func aBusyNodeStaysAlive() async throws {
        let redis = try await RedisServer()
        defer { redis.kill() }
        let client = RedisClient(try RedisAddress(redis.url), timeout: .seconds(60))
        var worker = NodeLink.Worker(client: client)
        worker.wasAlive = true
        worker.lastSign = .now - .seconds(2)
        try client.command(RedisCommand("SET", "node", "1", "PX", "600000"))
        try worker.giveSign(of: "node", every: .seconds(1), life: .seconds(3600))
        let left = try #require(try client.command(RedisCommand("PTTL", "node")).integer)
        #expect(left > 600_000)
        try client.command(RedisCommand("SET", "node", "1", "PX", "600000"))
        try worker.giveSign(of: "node", every: .seconds(1000), life: .seconds(3600))
        #expect(try client.command(RedisCommand("PTTL", "node")).integer ?? 0 <= 600_000)
        try client.command(RedisCommand("DEL", "node"))
        worker.lastSign = .now - .seconds(2)
        try worker.giveSign(of: "node", every: .seconds(1), life: .seconds(3600))
        #expect(try client.command(RedisCommand("EXISTS", "node")) == .integer(0))
    }
}
