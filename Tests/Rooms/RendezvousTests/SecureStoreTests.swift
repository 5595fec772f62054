import Networking
import Peers
import Redis
import Testing
import Wire

@testable import Rendezvous

/// Redis over TLS: whom a node trusts, and what it says about those that it does not.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SecureStoreTests {
    private static let patience = Duration.seconds(60)

    private func address(
        _ redis: RedisServer, host: String = "127.0.0.1", trust: String?, identity: TestAuthority.Identity? = nil
    ) throws -> RedisAddress {
        var address = try RedisAddress("rediss://\(host):\(redis.port)")
        if let trust { address.tls?.trust = .authorities(path: trust) }
        address.tls?.identity = identity.map { TLSIdentity(certificatePath: $0.certificate, keyPath: $0.key) }
        return address
    }

    private func refusal(_ address: RedisAddress, within time: Duration = patience) -> RedisError? {
        #expect(throws: RedisError.self) { try RedisConnection(address, timeout: time) }
    }

    @Test func nodesShareARedisOverTLS() async throws {
        let authority = try TestAuthority()
        let redis = try await RedisServer(
            ["--requirepass", "swordfish"], identity: try authority.issue("IP:127.0.0.1"), clientsOf: authority)
        let client = try authority.issue("DNS:node")
        var access = SharedStore.Access()
        access.password = "swordfish"
        access.authorities = authority.own.certificate
        access.identity = (client.certificate, client.key)
        var store = try SharedStore(redis.url, access: access, secret: "a secret of all the nodes of this test")
        store.timing = Nodes.patient
        let servers = [try await LiveServer(.redis(store)), try await LiveServer(.redis(store))]
        let nodes = Nodes(servers, redis)
        try await nodes.areConnected()
        let (room, annas, berts) = try await nodes.meet()
        let anna = try await nodes.join(0, room, "anna", annas)
        let bert = try await nodes.join(1, room, "bert", berts)
        #expect(await anna.next("room_ready") != nil)
        #expect(await bert.next("room_ready") != nil)
        // More than one TLS record, in both directions.
        let long = String(repeating: "x", count: 50_000)
        for number in 0..<20 { try anna.send(["type": "webrtc_offer", "sdp": .string("\(number) \(long)")]) }
        for number in 0..<20 { #expect(await bert.next()?["sdp"]?.string == "\(number) \(long)") }
        for server in servers { await server.server.stop() }
    }

    @Test func anIdleConnectionIsKept() async throws {
        let authority = try TestAuthority()
        let redis = try await RedisServer(identity: try authority.issue("IP:127.0.0.1"))
        let connection = try RedisConnection(
            address(redis, trust: authority.own.certificate), timeout: Self.patience)
        for _ in 0..<3 {
            // Whatever TLS sends by itself is no end.
            #expect(!connection.isBroken)
            #expect(try connection.command(RedisCommand("PING")) == .status("PONG"))
        }
        redis.kill()
        while !connection.isBroken { try await Task.sleep(for: .milliseconds(10)) }
    }

    @Test func certificatesThatProveNothingAreRefused() async throws {
        let (authority, stranger) = (try TestAuthority(), try TestAuthority())
        let trust = authority.own.certificate
        let good = try await RedisServer(identity: try authority.issue("IP:127.0.0.1"))
        let unknown = refusal(try address(good, trust: stranger.own.certificate))
        #expect(unknown?.code == .untrusted && unknown?.message.contains("trust the authority") == true)
        #expect(refusal(try address(good, trust: nil))?.code == .untrusted)
        let misnamed = refusal(try address(good, host: "localhost", trust: trust))
        #expect(misnamed?.code == .untrusted && misnamed?.message.contains("use the name") == true)
        for validity in [TestAuthority.Validity.past, .future] {
            let old = try await RedisServer(identity: try authority.issue("IP:127.0.0.1", valid: validity))
            let expired = refusal(try address(old, trust: trust))
            #expect(expired?.code == .untrusted && expired?.message.contains("renew it") == true)
        }
        let plain = try await RedisServer()
        // It waits for more of what it takes for a command.
        let silent = refusal(try address(plain, trust: trust), within: .milliseconds(300))
        #expect(silent?.code == .untrusted && silent?.message.contains("tls-port") == true)
        let unread = refusal(try address(good, trust: "/nowhere/ca.pem"))
        #expect(unread?.code == .untrusted && unread?.message.contains("/nowhere/ca.pem") == true)
        let choosy = try await RedisServer(identity: try authority.issue("IP:127.0.0.1"), clientsOf: authority)
        #expect(refusal(try address(choosy, trust: trust))?.message.contains("tls-auth-clients") == true)
        let foreign = try address(choosy, trust: trust, identity: try stranger.issue("DNS:node"))
        #expect(refusal(foreign)?.message.contains("may not accept") == true)
    }

    /// Not in what a failure says, whatever Redis repeats of it.
    @Test func passwordsAreInNoSentence() async throws {
        let redis = try await RedisServer(["--requirepass", "swordfish", "--rename-command", "AUTH", ""])
        let renamed = refusal(try RedisAddress("redis://:hunter22@127.0.0.1:\(redis.port)"))
        let locked = try await RedisServer(["--requirepass", "swordfish"])
        let wrong = refusal(try RedisAddress("redis://:hunter22@127.0.0.1:\(locked.port)"))
        #expect(wrong?.code == .denied)
        let away = refusal(try RedisAddress("redis://ann:hunter22@127.0.0.1:1"))
        for error in [renamed, wrong, away] {
            let error = try #require(error)
            #expect(!error.description.contains("hunter22"))
        }
        let connection = try RedisConnection(
            RedisAddress("redis://:swordfish@127.0.0.1:\(locked.port)"), timeout: Self.patience)
        let unknown = #expect(throws: RedisError.self) {
            try connection.command(RedisCommand("NOTHING", "a ticket", "a code"))
        }
        #expect(unknown?.message.contains("a ticket") == false)
    }
}
