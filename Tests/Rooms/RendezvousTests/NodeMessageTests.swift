import Cryptography
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
        for wrong in ["http://h", "redis://", "redis://h/x", "redis://user@h", "rediss://h", "redis+unix://h"] {
            #expect(throws: RendezvousError.self) { try SharedStore(wrong, secret: String(repeating: "s", count: 32)) }
        }
        #expect(throws: RendezvousError.self) { try SharedStore("redis://h", secret: "short") }
        let address = try RedisAddress("redis://ann:p%40ss@[::1]:7000/3")
        #expect(address == RedisAddress(.tcp(host: "::1", port: 7000), user: "ann", password: "p@ss", database: 3))
        #expect(!"\(address)".contains("p@ss"))
        #expect(
            try RedisAddress("redis+unix:///run/redis.sock?db=2") == RedisAddress(.unix("/run/redis.sock"), database: 2)
        )
    }
}
