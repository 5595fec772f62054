import Foundation
import Networking
import Synchronization
import Testing
import Wire

@testable import Rendezvous

/// The whole server: limits, restarts, and what its operator sees.
@Suite(.timeLimit(.minutes(5)))
struct ServerTests {
    private static let create = #"{"joinid":"482913","client1":"anna","expiresInSeconds":60}"#

    private func guess(_ live: LiveServer, _ number: Int, headers: HTTPFields = [:]) async throws -> HTTPResponse {
        let body = "{\"joinid\":\"\(100_000 + number)\",\"client2\":\"mallory\"}"
        return try await live.send("POST", "/api/rooms/accept", body, headers: headers)
    }

    @Test func guessingCodesEndsSoon() async throws {
        let clock = TestClock()
        var limits = RendezvousLimits.unlimited
        limits.codeAttemptsByAddress = RateLimit(burst: 5, perMinute: 6)
        try await LiveServer.run(limits: limits, environment: clock.environment) { live in
            #expect(try await live.send("POST", "/api/rooms", Self.create).status == 201)
            for number in 0..<5 { #expect(try await guess(live, number).status == 404) }
            let refused = try await guess(live, 5)
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"] == "10")
            #expect(refused.text == #"{"error":"too_many_attempts"}"#)
            // The right code is refused as well, so that attackers do not learn which one it is.
            let right = #"{"joinid":"482913","client2":"eve"}"#
            #expect(try await live.send("POST", "/api/rooms/accept", right).status == 429)
            // Nor over a socket.
            let socket = try await live.socket()
            try socket.send(["type": "watch", "joinid": "482913", "deviceId": "anna"])
            #expect(await socket.next("error")?["error"] == "Too many attempts")
            clock.advance(milliseconds: 10_000)
            #expect(try await live.send("POST", "/api/rooms/accept", right).status == 200)
        }
    }

    @Test func guessesAreNotCheaperWhenTheyComeAtOnce() async throws {
        var limits = RendezvousLimits.unlimited
        limits.codeAttemptsByAddress = RateLimit(burst: 5, perMinute: 0)
        try await LiveServer.run(limits: limits) { live in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<40 { group.addTask { try await self.guess(live, number).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 404 }.count == 5)
            #expect(statuses.filter { $0 == 429 }.count == 35)
        }
    }

    @Test func pollingTheOwnCodeCostsNothing() async throws {
        var limits = RendezvousLimits.unlimited
        limits.codeAttemptsByAddress = RateLimit(burst: 2, perMinute: 0)
        try await LiveServer.run(limits: limits) { live in
            _ = try await live.send("POST", "/api/rooms", Self.create)
            let check = #"{"joinid":"482913","client1":"anna"}"#
            for _ in 0..<20 { #expect(try await live.send("POST", "/api/rooms/check", check).status == 204) }
        }
    }

    @Test func requestsAndCodesAreLimitedByAddress() async throws {
        var limits = RendezvousLimits.unlimited
        limits.creations = RateLimit(burst: 1, perMinute: 1)
        limits.requests = RateLimit(burst: 3, perMinute: 60)
        let clock = TestClock()
        try await LiveServer.run(limits: limits, environment: clock.environment) { live in
            #expect(try await live.send("POST", "/api/rooms", Self.create).status == 201)
            let second = try await live.send("POST", "/api/rooms", Self.create)
            #expect(second["error"] == "too_many_rooms")
            #expect(second.headers["retry-after"] == "60")
            #expect(try await live.send("GET", "/").status == 200)
            #expect(try await live.send("GET", "/")["error"] == "too_many_requests")
            await #expect(throws: NetworkingError.self) { try await live.socket() }
        }
    }

    @Test func theProxyIsBelievedOnlyWhenToldSo() async throws {
        var limits = RendezvousLimits.unlimited
        limits.codeAttemptsByAddress = RateLimit(burst: 1, perMinute: 0)
        for isTrusted in [true, false] {
            try await LiveServer.run(limits: limits, configure: { $0.trustsForwardedFor = isTrusted }) { live in
                #expect(try await guess(live, 0, headers: ["x-forwarded-for": "1.1.1.1"]).status == 404)
                #expect(try await guess(live, 1, headers: ["x-forwarded-for": "9.9.9.9, 1.1.1.1"]).status == 429)
                let other = try await guess(live, 2, headers: ["x-forwarded-for": "2.2.2.2"])
                #expect(other.status == (isTrusted ? 404 : 429))
            }
        }
    }

    @Test func socketsAreLimitedByAddressAndFreedWhenTheyClose() async throws {
        var limits = RendezvousLimits.unlimited
        limits.socketsByAddress = 2
        try await LiveServer.run(limits: limits) { live in
            let first = try await live.socket()
            let second = try await live.socket()
            await #expect(throws: NetworkingError.self) { try await live.socket() }
            first.connection.close()
            _ = await first.end()
            var third: TestSocket?
            // The server may notice the end a moment after the client.
            while third == nil { third = try? await live.socket() }
            #expect(await third?.next("connected") != nil)
            second.connection.close()
        }
    }

    @Test func whatIsTooLargeIsRefused() async throws {
        try await LiveServer.run { live in
            let body = "{\"joinid\":\"" + String(repeating: "1", count: 110_000) + "\"}"
            let response = try await live.send("POST", "/api/rooms", body)
            #expect(response.status == 413)
            #expect(response.headers["access-control-allow-origin"] == "*")
            let socket = try await live.socket()
            try socket.connection.send(String(repeating: " ", count: 64 * 1024 + 1))
            #expect(await socket.end()?.code == 1009)
            #expect(try await live.send("GET", "/healthz").text == #"{"ok":true}"#)
        }
    }

    @Test func tooManyMessagesCloseTheSocket() async throws {
        var limits = RendezvousLimits.unlimited
        limits.messages = RateLimit(burst: 10, perMinute: 0)
        try await LiveServer.run(limits: limits) { live in
            let socket = try await live.socket()
            for _ in 0..<11 { try? socket.send(["type": "ping"]) }
            #expect(await socket.end()?.code == 1008)
        }
    }

    @Test func aRestartedServerKnowsWhatWasDecided() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "rooms-\(UUID().uuidString).db").path
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        let (room, ticket) = try await LiveServer.run(.sqlite(path)) { live in
            let create: JSONValue = ["joinid": "482913", "client1": "anna", "expiresInSeconds": 60, "ticket": true]
            let ticket = try #require(try await live.post("/api/rooms", create)["ticket"]?.string)
            let accepted = try await live.post("/api/rooms/accept", ["joinid": "482913", "client2": "bert"])
            return (try #require(accepted["roomid"]?.string), ticket)
        }
        try await LiveServer.run(.sqlite(path)) { live in
            let check: JSONValue = ["joinid": "482913", "client1": "anna", "ticket": .string(ticket)]
            #expect(try await live.post("/api/rooms/check", check)["roomid"] == .string(room))
            let socket = try await live.socket()
            try socket.send(
                ["type": "join_room", "roomId": .string(room), "deviceId": "anna", "ticket": .string(ticket)])
            #expect(await socket.next("room_joined")?["isInitiator"] == true)
        }
    }

    @Test func aServerThatStopsSaysGoodbye() async throws {
        let live = try await LiveServer()
        let socket = try await live.socket()
        await live.server.stop()
        #expect(await socket.end()?.code == 1012)
    }

    @Test func theOperatorSeesCountsButNobody() async throws {
        let lines = Mutex<[String]>([])
        try await LiveServer.run(configure: { $0.log = { line in lines.withLock { $0.append(line) } } }) { live in
            _ = try await live.send("POST", "/api/rooms", Self.create)
            _ = try await guess(live, 1)
            let accepted = try await live.post("/api/rooms/accept", ["joinid": "482913", "client2": "bert"])
            let room = try #require(accepted["roomid"])
            let socket = try await live.socket()
            try socket.send(["type": "join_room", "roomId": room, "deviceId": "bert"])
            #expect(await socket.next("room_joined") != nil)
            try socket.send(["type": "webrtc_offer", "sdp": "x"])
            #expect(await socket.next("error") != nil)
            let page = try await live.send("GET", "/metrics")
            #expect(page.status == 200)
            for line in [
                #"requests_total{route="create",status="201"} 1"#, #"requests_total{route="accept",status="404"} 1"#,
                "sockets 1", "live_rooms 1", "rooms 1", "pending_rooms 1", "joined_total 1",
                #"rejected_total{reason="peer_absent"} 1"#, "store_failures_total 0",
                #"store_seconds_bucket{le="+Inf"}"#,
            ] {
                #expect(page.text.contains("\nalcove_rendezvous_" + line))
            }
        }
        let log = lines.withLock { $0 }
        #expect(log.count >= 5)
        for line in log {
            let object = try #require(try JSONValue(line.utf8).object)
            #expect(object["event"]?.string?.isEmpty == false)
            #expect(object["time"]?.string?.hasSuffix("Z") == true)
            let secrets = ["482913", "anna", "bert", "mallory", "127.0.0.1"]
            #expect(secrets.filter { line.contains($0) }.isEmpty)
        }
    }

    @Test func metricsCanBeKeptPrivate() async throws {
        try await LiveServer.run(configure: { $0.servesMetrics = false }) { live in
            let answer = try await live.send("GET", "/metrics")
            #expect(answer.status == 404)
        }
    }

    /// A proxy in front keeps `/metrics` from everybody, and no other path may lead there.
    @Test(arguments: ["/metrics/", "//metrics", "/metrics//"])
    func metricsHaveOnePath(path: String) async throws {
        try await LiveServer.run { live in
            let answer = try await live.send("GET", path)
            #expect(answer.status == 404)
        }
    }

    @Test func aTakenPortIsSaidInWords() async throws {
        try await LiveServer.run { live in
            let server = try RendezvousServer(RendezvousConfiguration(port: live.url.port))
            await #expect(throws: RendezvousError.self) { try await server.start() }
        }
    }
}

/// A log whose reader sleeps does not delay the server, and later reports how many lines were dropped.
struct EventLogTests {
    @Test(.timeLimit(.minutes(5))) func aSlowReaderLosesLinesButHoldsNobodyUp() async throws {
        let lines = Mutex<[String]>([])
        let gate = DispatchSemaphore(value: 0)
        let isOpen = Atomic(false)
        let log = EventLog(
            { line in
                if !isOpen.load(ordering: .acquiring) { gate.wait() }
                lines.withLock { $0.append(line) }
            },
            now: { 0 }
        )
        for _ in 0..<(EventLog.waitingLimit + 5) { log.log("joined") }
        isOpen.store(true, ordering: .releasing)
        gate.signal()
        await log.drain()
        log.log("stopped")
        await log.drain()
        let written = lines.withLock { $0 }
        #expect(written.count == EventLog.waitingLimit + 2)
        #expect(written.suffix(2).first == #"{"time":"1970-01-01T00:00:00.000Z","event":"dropped","lines":5}"#)
    }
}

/// A clock that changes only when set.
final class TestClock: Sendable {
    private let time = Atomic<Timestamp>(1_795_226_520_000)

    func advance(milliseconds: Timestamp) { time.add(milliseconds, ordering: .relaxed) }

    var environment: RendezvousEnvironment {
        RendezvousEnvironment(
            now: { self.time.load(ordering: .relaxed) }, random: RendezvousEnvironment.system.random)
    }
}
