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
        let sealed = NodeEnvelope.seal([message], from: "node", number: 7, channel: "to:x", key: key)
        let opened = try #require(NodeEnvelope.open(sealed, channel: "to:x", key: key))
        #expect(opened.node == "node" && opened.number == 7 && opened.messages == [message])
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

    /// Whatever is said arrives as it was said; what another version says is left out, and the rest is heard.
    @Test func messagesOfEachKindAreReadAgain() throws {
        let key = SecretBytes.random(count: 32)
        let messages: [NodeMessage] = [
            .arrived(room: "r", name: "a", peer: "b", isAgain: true), .gone(room: "", peer: "b", .left),
            .replaced(room: "r\r\nDEL x", name: "a b"), .relayed(room: "r", to: "a", peer: "b", text: "{\0\"é\u{202e}"),
            .accepted(code: "482913", room: "r"),
            .removed(Removed(rooms: ["r", "s"], codes: ["1"]), reason: "expired"), .changed(codes: ["1", "2"]),
        ]
        let sealed = NodeEnvelope.seal(messages, from: "n", number: .max, channel: "all", key: key)
        let opened = try #require(NodeEnvelope.open(sealed, channel: "all", key: key))
        #expect(opened.number == .max && opened.messages == messages)
        for words in [[], ["sung", "r"], ["removed", "x", "3", "r"], ["removed", "x", "-1"], ["relayed", "r"]] {
            #expect(NodeMessage(words) == nil, "\(words)")
        }
        // What a node with the secret sends is bounded by what it has sent, whatever lengths it claims.
        for count in 0..<(sealed.count - 32) {
            let body = Array(sealed[32..<32 + count]) + [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]
            let proof = HMAC.code(Array("all".utf8) + [0] + body, key: key)
            _ = NodeEnvelope.open(proof + body, channel: "all", key: key)
        }
    }

    /// What goes to one node goes together, in its order, and no envelope is too long.
    @Test func theOutboxKeepsTheOrder() {
        var outbox = NodeOutbox()
        let long = String(repeating: "x", count: NodeOutbox.size / 2)
        for number in 0..<70 { outbox.add(.accepted(code: "\(number)", room: ""), to: number % 35 == 0 ? nil : "n") }
        #expect(outbox.envelopes.map(\.to) == [nil, "n", "n"])
        #expect(outbox.envelopes.map(\.messages.count) == [2, 64, 4])
        for _ in 0..<3 { outbox.add(.relayed(room: "r", to: "a", peer: "b", text: long), to: "m") }
        #expect(outbox.envelopes.dropFirst(3).map(\.messages.count) == [2, 1])
        #expect(outbox.owed.count == 70)
        outbox.removeAll()
        #expect(outbox.isEmpty)
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
