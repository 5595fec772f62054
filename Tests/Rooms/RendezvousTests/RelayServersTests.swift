import Cryptography
import Testing
import Wire

@testable import Rendezvous

/// STUN and TURN servers that the server hands out.
@Suite(.timeLimit(.minutes(5)))
struct RelayServersTests {
    private static let relays = RelayServers(
        stun: ["stun:s.example"], turn: ["turn:t.example", "turn:t.example?transport=tcp"],
        access: .secret(SecretBytes(copying: "north".utf8), lifetime: 3600))

    /// The example of coturn's documentation: the secret and the name make the password.
    @Test func aPasswordIsTheHMACOfTheName() throws {
        let offer = Self.relays.offer(now: 1_400_000_000_500, random: [UInt8](repeating: 7, count: 10))
        let servers = try #require(offer["iceServers"]?.elements)
        #expect(servers[0].text == #"{"urls":["stun:s.example"]}"#)
        let turn = try #require(servers[1].object)
        let name = try #require(turn["username"]?.string)
        #expect(name.hasPrefix("1400003600:") && name.count == 11 + 16)
        let expected = HMAC.code(Array(name.utf8), key: SecretBytes(copying: "north".utf8), function: .sha1)
        #expect(turn["credential"]?.string == Base64.encode(expected))
        #expect(offer["expiresInSeconds"]?.text == "3600")
    }

    @Test func aNameForEverybodyCountsForEver() throws {
        let relays = RelayServers(
            turn: ["turn:t"], access: .password(user: "ada", SecretBytes(copying: "x y".utf8)))
        let offer = JSONValue.object(relays.offer(now: 1, random: []))
        #expect(
            offer.text
                == #"{"type":"ice_servers","iceServers":[{"urls":["turn:t"],"username":"ada","credential":"x y"}]}"#)
        #expect(!"\(relays)".contains("x y"))
    }

    @Test func whoEntersARoomGetsThemBeforeItIsReady() async throws {
        try await LiveServer.run(configure: { $0.relays = Self.relays }) { live in
            let (one, two) = try await Self.room(live, tickets: true)
            for socket in [one, two] {
                #expect(await socket.next()?["type"]?.string == "connected")
                #expect(await socket.next()?["type"]?.string == "room_joined")
            }
            let first = try #require(await one.next("ice_servers"))
            #expect(await one.next()?["type"]?.string == "room_ready")
            let second = try #require(await two.next())
            #expect(second["type"] == "ice_servers")
            #expect(Self.name(first) != Self.name(second), "nobody has the name of another one")
            try one.send(["type": "ice_servers"])
            let again = try #require(await one.next("ice_servers"))
            #expect(Self.name(again) != Self.name(first))
        }
    }

    @Test func olderClientsGetWhatTheyAlwaysGot() async throws {
        try await LiveServer.run(configure: { $0.relays = Self.relays }) { live in
            let (one, _) = try await Self.room(live, tickets: false)
            var types: [String] = []
            while types.last != "room_ready" { types.append(await one.next()?["type"]?.string ?? "room_ready") }
            #expect(types == ["connected", "room_joined", "room_ready"])
        }
    }

    @Test func onlyWhoIsInARoomGetsThem() async throws {
        try await LiveServer.run(configure: { $0.relays = Self.relays }) { live in
            let socket = try await live.socket()
            try socket.send(["type": "ice_servers"])
            #expect(await socket.next("error")?["error"] == "Not in a room")
        }
    }

    @Test func aServerThatHasNoneSendsNothingAndSaysSo() async throws {
        try await LiveServer.run { live in
            let (one, _) = try await Self.room(live, tickets: true)
            var types: [String] = []
            while types.last != "room_ready" { types.append(await one.next()?["type"]?.string ?? "room_ready") }
            #expect(!types.contains("ice_servers"))
            try one.send(["type": "ice_servers"])
            #expect(await one.next("ice_servers")?["iceServers"]?.elements?.isEmpty == true)
        }
    }

    private static func name(_ offer: JSONObject) -> String? {
        offer["iceServers"]?.elements?.last?.object?["username"]?.string
    }

    /// Two sockets in one room.
    private static func room(_ live: LiveServer, tickets: Bool) async throws -> (TestSocket, TestSocket) {
        let code: JSONValue = "482913"
        let created = try await live.post(
            "/api/rooms", ["joinid": code, "client1": "anna", "expiresInSeconds": 300, "ticket": .bool(tickets)])
        let accepted = try await live.post(
            "/api/rooms/accept", ["joinid": code, "client2": "bert", "ticket": .bool(tickets)])
        let room = try #require(accepted["roomid"])
        var sockets: [TestSocket] = []
        for (device, ticket) in [("anna", created["ticket"]), ("bert", accepted["ticket"])] {
            let socket = try await live.socket()
            var join: JSONObject = ["type": "join_room", "roomId": room, "deviceId": .string(device)]
            if let ticket { join.append("ticket", ticket) }
            try socket.send(.object(join))
            sockets.append(socket)
        }
        return (sockets[0], sockets[1])
    }
}

extension JSONValue {
    fileprivate var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }
}
