import Cryptography
import Networking
import Peers
import Redis
import Testing
import Wire

@testable import Rendezvous

/// Calls that are sent to Redis together are decided as if they had come one by one.
@Suite(.timeLimit(.minutes(5)))
struct CallsTogetherTests {
    private static let mint = TicketMint(key: .random(count: 32))

    private func run(_ limits: RendezvousLimits, _ body: (RedisRoomStore, RedisServer, Caller) throws -> Void)
        async throws
    {
        let server = try await RedisServer()
        defer { server.kill() }
        let store = RedisRoomStore(
            RedisClient(try RedisAddress(server.url), timeout: .seconds(60)), namespace: "test:",
            idleLifetime: limits.idleRoomLifetime.milliseconds,
            limits: RedisLimitNames(node: "here", key: .random(count: 32)))
        try body(store, server, Caller(limits: limits))
    }

    /// Makes calls as the server would.
    private struct Caller {
        let limits: RendezvousLimits

        func call(_ call: RESTCall, from address: String = "192.0.2.1") -> AskedCall {
            let context = DecisionContext(
                mint: CallsTogetherTests.mint, limits: limits, now: RendezvousEnvironment.system.now(),
                newRoom: RendezvousEnvironment.system.roomID(), nonce: RendezvousEnvironment.system.random(16))
            let source = ClientAddress(address)
            return AskedCall(call, from: source, SharedCharge(call, from: source, held: HeldCodes(), limits), context)
        }

        func create(_ code: String, _ device: String = "anna", wantsTicket: Bool = true) -> AskedCall {
            call(.create(code: code, device: device, seconds: 300, wantsTicket: wantsTicket))
        }

        func accept(_ code: String, _ device: String = "bert", from address: String = "192.0.2.1") -> AskedCall {
            call(.accept(code: code, device: device, wantsTicket: true), from: address)
        }
    }

    private func statuses(_ results: [Result<RESTDecision, any Error>]) -> [Int] {
        results.map { (try? $0.get().response.status) ?? 0 }
    }

    @Test func ofTwoGuestsInOneExchangeOneGetsIn() async throws {
        try await run(.unlimited) { store, _, caller in
            let calls = [caller.create("111111"), caller.create("111111", "carl"), caller.accept("111111")]
            #expect(statuses(store.decide(calls + [caller.accept("111111", "eve")])) == [201, 409, 200, 409])
        }
    }

    /// The same request again, before the answer came, gets the same ticket and the same room.
    @Test func repeatedCallsGetTheSameTickets() async throws {
        try await run(.unlimited) { store, _, caller in
            let made = try store.decide((0..<3).map { _ in caller.create("111111") }).map { try $0.get().response }
            #expect(Set(made.map(\.status)) == [201] && Set(made.compactMap { $0["ticket"] }).count == 1)
            let accepted = try store.decide((0..<3).map { _ in caller.accept("111111") }).map { try $0.get().response }
            #expect(Set(accepted.map(\.status)) == [200] && Set(accepted.compactMap { $0["ticket"] }).count == 1)
            #expect(Set(accepted.compactMap { $0["roomid"] }).count == 1)
            let room = try #require(accepted[0]["roomid"]?.string)
            let berts = Proof(device: "bert", ticket: accepted[2]["ticket"]?.string)
            #expect(try store.admit(to: room, berts, now: 0) == .admitted(.guest))
            // Who has another device, or no ticket, gets nothing by asking again.
            #expect(
                statuses(store.decide([caller.create("111111", "eve"), caller.accept("111111", "eve")])) == [
                    409, 409,
                ])
            #expect(statuses(store.decide([caller.create("111111", wantsTicket: false)])) == [500])
        }
    }

    /// Only wrong guesses are counted, to the last one, however many come at once.
    @Test func guessesInOneExchangeAreCountedOneByOne() async throws {
        var limits = RendezvousLimits.unlimited
        limits.codeAttemptsByAddress = RateLimit(burst: 6, perMinute: 0.01)
        try await run(limits) { store, server, caller in
            let right =
                (0..<20).map { caller.create("2000\($0 + 10)") } + (0..<10).map { caller.accept("2000\($0 + 10)") }
            let rights = statuses(store.decide(right))
            #expect(rights == Array(repeating: 201, count: 20) + Array(repeating: 200, count: 10))
            let wrong = (0..<10).map { caller.accept("3000\($0 + 10)", "eve") }
            #expect(
                statuses(store.decide(wrong))
                    == Array(repeating: 404, count: 6) + Array(repeating: 429, count: 4))
            // A right code is refused now, too, or the answer would tell it; a right ticket is not.
            #expect(statuses(store.decide([caller.accept("200020")])) == [429])
            #expect(statuses(store.decide([caller.accept("200020", from: "192.0.2.2")])) == [200])
            let ticket = store.decide([
                caller.call(.create(code: "400000", device: "dora", seconds: 300, wantsTicket: true), from: "192.0.2.3")
            ])
            let proof = Proof(device: "dora", ticket: try ticket[0].get().response["ticket"]?.string)
            let forged = Proof(device: "dora", ticket: Base64URL.encode([UInt8](repeating: 7, count: 32)))
            let checks = [proof, forged, proof].map { caller.call(.check(code: "400000", $0)) }
            #expect(statuses(store.decide(checks)) == [204, 429, 204])
        }
    }

    /// A Redis that forgot the scripts is told them again, also in the middle.
    @Test func forgottenScriptsAreToldAgain() async throws {
        try await run(.unlimited) { store, server, caller in
            for round in 0..<3 {
                let calls = (0..<80).map { caller.create("\(round + 1)000\($0 + 10)") }
                #expect(statuses(store.decide(calls)) == Array(repeating: 201, count: 80))
                try server.command(["SCRIPT", "FLUSH"])
            }
        }
    }

    /// A full Redis refuses a call whole: nothing is counted and nothing kept, and no other call suffers.
    @Test func aFullRedisKeepsNothingHalf() async throws {
        var limits = RendezvousLimits.unlimited
        limits.creations = RateLimit(burst: 3, perMinute: 0.01)
        try await run(limits) { store, server, caller in
            _ = store.decide([caller.create("111111")])
            let before = try server.keys().sorted()
            try server.command(["CONFIG", "SET", "maxmemory", "1"])
            for result in store.decide((0..<5).map { caller.create("22222\($0)") }) {
                #expect(throws: RedisError.self) { try result.get() }
            }
            #expect(try server.keys().sorted() == before)
            try server.command(["CONFIG", "SET", "maxmemory", "0"])
            let after = store.decide((0..<3).map { caller.create("22222\($0)") })
            #expect(statuses(after) == [201, 201, 429])
        }
    }

    /// Each request for a room is one question to Redis, and nobody is told of a guest who is not waited for.
    @Test func aRequestAsksRedisOnce() async throws {
        var limits = RendezvousLimits()
        limits.requests = .unlimited
        try await Nodes.run(2, limits: limits) { nodes in
            // Scripts are told once.
            _ = try await nodes.meet()
            let listener = try RedisConnection(RedisAddress(nodes.redis.url), timeout: .seconds(10))
            try listener.command(RedisCommand("PSUBSCRIBE", "alcove:*"))
            let before = try nodes.redis.calls(of: "evalsha")
            for number in 0..<5 {
                let code = JSONValue.string("\(600_000 + number)")
                let made = try await nodes[0].post(
                    "/api/rooms", ["joinid": code, "client1": "anna", "expiresInSeconds": 300, "ticket": true])
                #expect(made.status == 201)
                let accepted = try await nodes[1].post(
                    "/api/rooms/accept", ["joinid": code, "client2": "bert", "ticket": true])
                #expect(accepted.status == 200)
            }
            #expect(try nodes.redis.calls(of: "evalsha") == before + 10)
            // Signs of life are empty; two of each node come after the news that there would have been.
            var (signs, published) = (0, 0)
            while signs < 4, let parts = try listener.receive(within: .seconds(30))?.array {
                if parts.count == 4, parts[3].bytes?.isEmpty == true { signs += 1 } else { published += 1 }
            }
            #expect(signs == 4)
            #expect(published == 0)
        }
    }

    /// A node that asks what it missed is told of later guests, too.
    @Test func whoAsksForNewsIsToldOfLaterGuests() async throws {
        try await run(.unlimited) { store, _, caller in
            #expect(statuses(store.decide([caller.create("111111"), caller.create("222222")])) == [201, 201])
            #expect(try store.news(of: ["111111", "999999"], now: 0) == ["999999": .gone])
            let news = try store.decide([caller.accept("111111"), caller.accept("222222")]).map { try $0.get().news }
            let watchers = news.map { if case .accepted(_, _, let nodes) = $0 { nodes } else { ["nothing"] } }
            #expect(watchers == [["here"], []])
        }
    }
}
