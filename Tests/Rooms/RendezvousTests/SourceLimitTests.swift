import Networking
import Testing
import Wire

@testable import Rendezvous

/// Limits on codes by one address, one network and all clients together. Strangers come through a proxy that names
/// their addresses.
@Suite(.timeLimit(.minutes(5)))
struct SourceLimitTests {
    private static let address = "203.0.113.9"

    private func post(
        _ live: LiveServer, _ path: String, _ body: String, from address: String = address
    ) async throws -> HTTPResponse {
        try await live.send("POST", path, body, headers: ["x-forwarded-for": address])
    }

    private func create(
        _ live: LiveServer, _ code: Int, from address: String = address, device: String = "anna"
    ) async throws -> HTTPResponse {
        let body = "{\"joinid\":\"\(code)\",\"client1\":\"\(device)\",\"expiresInSeconds\":60,\"ticket\":true}"
        return try await post(live, "/api/rooms", body, from: address)
    }

    private func accept(_ live: LiveServer, _ code: Int, from address: String) async throws -> Int {
        try await post(live, "/api/rooms/accept", "{\"joinid\":\"\(code)\",\"client2\":\"bert\"}", from: address).status
    }

    private func run(
        _ limits: RendezvousLimits = RendezvousLimits(), _ clock: TestClock = TestClock(),
        _ body: (LiveServer) async throws -> Void
    ) async throws {
        try await LiveServer.run(
            limits: limits, environment: clock.environment, configure: { $0.trustsForwardedFor = true }, body)
    }

    @Test func aStrangerLocksNoCode() async throws {
        try await run { live async throws in
            let wrong = #"{"joinid":"482913","client1":"eve"}"#
            // Before the code is made, and while it waits.
            for number in 0..<40 { _ = try await post(live, "/api/rooms/check", wrong, from: "2001:db8:\(number)::1") }
            let ticket = try #require(try await create(live, 482_913)["ticket"]?.string)
            for number in 0..<40 { _ = try await post(live, "/api/rooms/check", wrong, from: "2001:db8:\(number)::1") }
            let check = "{\"joinid\":\"482913\",\"client1\":\"anna\",\"ticket\":\"\(ticket)\"}"
            #expect(try await post(live, "/api/rooms/check", check).status == 204)
            #expect(try await accept(live, 482_913, from: "198.51.100.7") == 200)
        }
    }

    /// Nor by another client behind the same address.
    @Test func whoHasATicketIsNotKeptFromTheCode() async throws {
        try await run { live async throws in
            let ticket = try #require(try await create(live, 482_913)["ticket"]?.string)
            let wrong = #"{"joinid":"482913","client1":"eve"}"#
            for _ in 0..<20 { #expect(try await post(live, "/api/rooms/check", wrong).status == 404) }
            #expect(try await post(live, "/api/rooms/check", wrong).status == 429)
            let check = "{\"joinid\":\"482913\",\"client1\":\"anna\",\"ticket\":\"\(ticket)\"}"
            #expect(try await post(live, "/api/rooms/check", check).status == 204)
        }
    }

    /// The answers to wrong tickets distinguish a right device id from a wrong one.
    @Test func wrongTicketsAreCounted() async throws {
        let wrong = String(repeating: "A", count: 43)
        try await run { live in
            let ticket = try #require(try await create(live, 482_913)["ticket"]?.string)
            func check(_ device: String, _ ticket: String) async throws -> Int {
                let body = "{\"joinid\":\"482913\",\"client1\":\"\(device)\",\"ticket\":\"\(ticket)\"}"
                return try await post(live, "/api/rooms/check", body).status
            }
            for _ in 0..<10 {
                #expect(try await check("eve", wrong) == 404)
                #expect(try await check("anna", wrong) == 403)
            }
            #expect(try await check("eve", wrong) == 429)
            #expect(try await check("anna", wrong) == 429)
            #expect(try await check("anna", ticket) == 204)
        }
    }

    @Test func aWatchIsCountedAsAClaim() async throws {
        var limits = RendezvousLimits.unlimited
        limits.codeAttemptsByAddress = RateLimit(burst: 2, perMinute: 0)
        try await LiveServer.run(limits: limits) { live async throws in
            let create: JSONValue = ["joinid": "482913", "client1": "anna", "expiresInSeconds": 60, "ticket": true]
            let ticket = try #require(try await live.post("/api/rooms", create)["ticket"])
            let wrong = JSONValue.string(String(repeating: "A", count: 43))
            let socket = try await live.socket()
            for error in ["Forbidden", "Forbidden", "Too many attempts"] {
                try socket.send(["type": "watch", "joinid": "482913", "deviceId": "anna", "ticket": wrong])
                #expect(await socket.next("error")?["error"] == .string(error))
            }
            try socket.send(["type": "watch", "joinid": "482913", "deviceId": "anna", "ticket": ticket])
            #expect(await socket.next("watching") != nil)
        }
    }

    @Test func anAddressReservesSoManyCodesAtOnce() async throws {
        let clock = TestClock()
        var limits = RendezvousLimits()
        limits.codesByAddress = 3
        try await run(limits, clock) { live async throws in
            for number in 0..<3 { #expect(try await create(live, 100_000 + number).status == 201) }
            let refused = try await create(live, 100_003)
            #expect(refused["error"] == "too_many_rooms")
            #expect(refused.headers["retry-after"] == "60")
            // It can request again what it has already, and others have their own limits.
            #expect(try await create(live, 100_000).status == 201)
            #expect(try await create(live, 100_003, from: "198.51.100.7").status == 201)
            // A meeting is no code.
            let meeting = #"{"joinid":"xka32f4acy4wbkyeduf3synwca","client1":"anna","expiresInSeconds":60}"#
            #expect(try await post(live, "/api/rooms", meeting).status == 201)
            // Given up, and run out.
            let ticket = try #require(try await create(live, 100_000)["ticket"]?.string)
            let purge = "{\"deviceIds\":[\"anna\"],\"tickets\":[\"\(ticket)\"]}"
            #expect(try await post(live, "/api/user/purge", purge)["pendingsDeleted"] == 2)
            #expect(try await create(live, 100_004).status == 201)
            #expect(try await create(live, 100_005).status == 429)
            clock.advance(milliseconds: 60_000)
            live.server.sweep()
            #expect(try await create(live, 100_006).status == 201)
        }
    }

    @Test func aCodeThatWasSeenWithoutATicketMakesRoom() async throws {
        var limits = RendezvousLimits()
        limits.codesByAddress = 1
        try await run(limits) { live async throws in
            let create = #"{"joinid":"482913","client1":"anna","expiresInSeconds":60}"#
            for _ in 0..<3 {
                #expect(try await post(live, "/api/rooms", create).status == 201)
                #expect(try await accept(live, 482_913, from: "198.51.100.7") == 200)
                let check = #"{"joinid":"482913","client1":"anna"}"#
                #expect(try await post(live, "/api/rooms/check", check).status == 200)
            }
        }
    }

    @Test func mappedAddressesAreManyClients() async throws {
        var limits = RendezvousLimits()
        limits.requests = RateLimit(burst: 2, perMinute: 0)
        try await run(limits) { live async throws in
            for address in ["::ffff:192.0.2.1", "::ffff:192.0.2.2", "::ffff:c000:203"] {
                for status in [404, 404, 429] { #expect(try await accept(live, 100_000, from: address) == status) }
            }
            // The same client, written another way.
            #expect(try await accept(live, 100_000, from: "192.0.2.3") == 429)
        }
    }

    @Test func aPurgeIsBounded() async throws {
        try await run { live async throws in
            func purge(_ count: Int) async throws -> HTTPResponse {
                let ids = (0..<count).map { "\"\(String($0 % 4096, radix: 16))\"" }.joined(separator: ",")
                return try await post(live, "/api/user/purge", "{\"deviceIds\":[\(ids)]}")
            }
            #expect(try await purge(16_500)["error"] == "too_many_device_ids")
            #expect(try await purge(1000)["deviceIdCount"] == 1000)
            #expect(try await purge(1000).status == 200)
            let refused = try await purge(1000)
            #expect(refused.status == 429)
            #expect(refused["error"] == "too_many_purges")
        }
    }

    @Test func theTicketsOfAPurgeAreCountedToo() async throws {
        try await run { live async throws in
            let tickets = (0..<1000).map { "\"ticket \($0)\"" }.joined(separator: ",")
            let body = "{\"deviceIds\":[\"anna\"],\"tickets\":[\(tickets)]}"
            for _ in 0..<2 { #expect(try await post(live, "/api/user/purge", body).status == 200) }
            let refused = try await post(live, "/api/user/purge", body)
            #expect(refused.status == 429)
            #expect(refused["error"] == "too_many_purges")
        }
    }

    @Test func aLongPurgeIsDecidedInSlices() async throws {
        let devices = (0..<120).map { "device \($0)" }
        let (first, rest) = try #require(RESTCall.purge(devices: devices, tickets: ["t"]).split())
        #expect(first == .purge(devices: Array(devices[..<50]), tickets: ["t"]))
        let (second, last) = try #require(rest.split())
        #expect(second == .purge(devices: Array(devices[50..<100]), tickets: ["t"]))
        #expect(last == .purge(devices: Array(devices[100...]), tickets: ["t"]))
        #expect(last.split() == nil)
        try await LiveServer.run { live async throws in
            for number in 0..<120 {
                let (code, device) = ("\(100_000 + number)", "device \(number)")
                let body: JSONValue = ["joinid": .string(code), "client1": .string(device), "expiresInSeconds": 60]
                #expect(try await live.post("/api/rooms", body).status == 201)
            }
            let ids = devices.map { "\"\($0)\"" }.joined(separator: ",")
            let answer = try await live.send("POST", "/api/user/purge", "{\"deviceIds\":[\(ids)]}")
            #expect(
                answer.text == #"{"success":true,"deviceIdCount":120,"roomsDeleted":0,"pendingsDeleted":120}"#)
        }
    }

    @Test func aBrowserMayAskWhetherItMayAskAlsoWhenItMayNot() async throws {
        var limits = RendezvousLimits.unlimited
        limits.requests = RateLimit(burst: 2, perMinute: 0)
        try await run(limits) { live async throws in
            let check = #"{"joinid":"482913","client1":"eve"}"#
            for _ in 0..<3 { _ = try await post(live, "/api/rooms/check", check) }
            #expect(try await post(live, "/api/rooms/check", check).status == 429)
            let answer = try await live.send("OPTIONS", "/api/rooms", headers: ["x-forwarded-for": Self.address])
            #expect(answer.status == 204)
            #expect(answer.headers["access-control-allow-origin"] == "*")
        }
    }
}
