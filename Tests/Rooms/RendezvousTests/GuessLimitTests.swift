import Networking
import Testing
import Wire

@testable import Rendezvous

/// How many codes may be guessed by an address, a network, and all clients together, with one server and over several
/// nodes: each guess comes to another node than the one before it. Strangers come through a proxy that names their
/// addresses.
@Suite(.timeLimit(.minutes(5)))
struct GuessLimitTests {
    /// Servers that are asked in turn.
    private final class Turn {
        private let servers: [LiveServer]
        private var asked = 0

        init(_ servers: [LiveServer]) { self.servers = servers }

        private func post(_ path: String, _ body: JSONValue, from address: String) async throws -> HTTPResponse {
            asked += 1
            return try await servers[asked % servers.count].send(
                "POST", path, body.text, headers: ["x-forwarded-for": address])
        }

        func create(_ code: Int, from address: String, device: String = "anna") async throws -> HTTPResponse {
            let body: JSONValue = [
                "joinid": .string("\(code)"), "client1": .string(device), "expiresInSeconds": 60, "ticket": true,
            ]
            return try await post("/api/rooms", body, from: address)
        }

        func accept(_ code: Int, from address: String) async throws -> Int {
            let body: JSONValue = ["joinid": .string("\(code)"), "client2": "bert"]
            return try await post("/api/rooms/accept", body, from: address).status
        }
    }

    private func run(
        _ arrangement: Arrangement, _ limits: RendezvousLimits, _ body: (Turn) async throws -> Void
    ) async throws {
        try await arrangement.run(limits: limits, configure: { $0.trustsForwardedFor = true }) {
            try await body(Turn($0))
        }
    }

    @Test(arguments: Arrangement.allCases)
    func aNetworkGuessesNoMoreForItsManyAddresses(_ arrangement: Arrangement) async throws {
        var limits = RendezvousLimits()
        limits.codeAttemptsByNetwork = RateLimit(burst: 60, perMinute: 0)
        try await run(arrangement, limits) { turn async throws in
            var misses = 0
            for number in 0..<100 {
                if try await turn.accept(100_000 + number, from: "2001:db8:7:\(number)::1") == 404 { misses += 1 }
            }
            #expect(misses == 60)
            #expect(try await turn.accept(100_000, from: "2001:db8:8::1") == 404)
        }
    }

    /// Addresses of IPv4 that are written as those of IPv6 are addresses of their own, and no network together.
    @Test(arguments: Arrangement.allCases)
    func mappedAddressesAreManyClients(_ arrangement: Arrangement) async throws {
        var limits = RendezvousLimits()
        limits.codeAttemptsByAddress = RateLimit(burst: 2, perMinute: 0)
        limits.codeAttemptsByNetwork = RateLimit(burst: 2, perMinute: 0)
        try await run(arrangement, limits) { turn async throws in
            for address in ["::ffff:192.0.2.1", "::ffff:192.0.2.2", "::ffff:c000:203"] {
                for status in [404, 404, 429] { #expect(try await turn.accept(100_000, from: address) == status) }
            }
            // The same client, written another way.
            #expect(try await turn.accept(100_000, from: "192.0.2.3") == 429)
        }
    }

    /// An attack on the whole range from many networks: clients without wrong guesses still get in.
    @Test(arguments: Arrangement.allCases)
    func everybodyTogetherGuessesNoMoreThanTheTotal(_ arrangement: Arrangement) async throws {
        var limits = RendezvousLimits()
        limits.codeAttempts = RateLimit(burst: 30, perMinute: 0)
        limits.codeAttemptsInReserve = RateLimit(burst: 2, perMinute: 0)
        try await run(arrangement, limits) { turn async throws in
            _ = try await turn.create(482_913, from: "203.0.113.9")
            for number in 0..<30 {
                #expect(try await turn.accept(100_000 + number, from: "2001:db8:\(number / 10)::1") == 404)
            }
            #expect(try await turn.accept(482_913, from: "2001:db8:0::1") == 429)
            for status in [404, 404, 429] {
                #expect(try await turn.accept(100_000, from: "2001:db8:77::1") == status)
            }
            #expect(try await turn.accept(482_913, from: "198.51.100.7") == 200)
        }
    }

    @Test(arguments: Arrangement.allCases)
    func findingOutWhichCodesAreInUseIsGuessing(_ arrangement: Arrangement) async throws {
        var limits = RendezvousLimits()
        limits.codeAttemptsByAddress = RateLimit(burst: 5, perMinute: 0)
        try await run(arrangement, limits) { turn async throws in
            for number in 0..<6 {
                #expect(try await turn.create(100_000 + number, from: "203.0.113.9").status == 201)
            }
            for number in 0..<5 {
                let taken = try await turn.create(100_000 + number, from: "198.51.100.7", device: "eve")
                #expect(taken.status == 409)
            }
            let refused = try await turn.create(100_005, from: "198.51.100.7", device: "eve")
            #expect(refused["error"] == "too_many_attempts")
            // A client can request its own lost answer again.
            for _ in 0..<10 { #expect(try await turn.create(100_000, from: "203.0.113.9").status == 201) }
        }
    }
}
