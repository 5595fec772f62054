import AppCore
import Simulator
import Testing

/// Stories of trust, as a script would play them.
@Suite struct CircleTests {
    /// Two people who trust each other and are connected.
    private func member() async throws -> Client {
        let client = try Client()
        try await client.tap("rooms.create")
        try await client.type("Ann", into: "create.name")
        try await client.tap("create.submit")
        try await client.ask("peer", ["do": .string("come")])
        try await client.tap("chat.settings")
        try await client.tap("room_settings.member")
        try await client.see("You are not in each other's circle.")
        try await client.tap("member.add")
        try await client.see("You are in each other's circle.")
        try await client.tap("member.room")
        try await client.see("Connected, verified")
        return client
    }

    @Test func membersFindEachOtherWithoutACode() async throws {
        let client = try await member()
        try await client.ask("peer", ["do": .string("vanish")])
        try await client.ask("advance", ["ms": .integer(120_000)])
        try await client.type("Come back", into: "chat.draft")
        try await client.tap("chat.send")
        try await client.see("Waiting for the connection")
        try await client.ask("peer", ["do": .string("come")])
        try await client.ask("advance", ["ms": .integer(60_000)])
        try await client.see("Seen")
        try await client.ask("assert_effect", ["type": .string("meet")])
        try await client.ask("restart")
        try await client.tap("rooms.circle")
        try await client.see("Connected, verified")
    }

    @Test func trustEndsForGood() async throws {
        let client = try await member()
        try await client.tap("chat.settings")
        try await client.tap("room_settings.member")
        try await client.tap("member.revoke")
        try await client.see("never taken again")
        try await client.tap("revoke.confirm")
        try await client.ask("peer", ["do": .string("come")])
        try await client.ask("advance", ["ms": .integer(3_600_000)])
        try await client.tap("back")
        try await client.tap("back")
        try await client.see("You ended the trust")
        #expect(try await client.fail("tap", ["node_id": .string("chat.draft")]).code == "disabled_node")
        try await client.ask("restart")
        try await client.tap("rooms.circle")
        try await client.see("Ended trust")
    }

    @Test(arguments: [true, false]) func aRevocationIsHeardOrFoundOutLater(isHeard: Bool) async throws {
        let client = try await member()
        try await client.ask("peer", ["do": .string("revoke"), "heard": .bool(isHeard)])
        if !isHeard {
            try await client.see("Waiting for the other person")
            try await client.ask("restart")
            try await client.ask("advance", ["ms": .integer(600_000)])
            try await client.tap("rooms.circle")
            try await client.see("Ended trust")
        } else {
            try await client.see("The other person ended the trust")
        }
    }

    @Test func keysRunLowAndOut() async throws {
        let client = try await member()
        try await client.ask("peer", ["do": .string("leave_keys"), "keys": .integer(1)])
        try await client.see("Few one-time keys are left")
        try await client.type("the last one", into: "chat.draft")
        try await client.tap("chat.send")
        try await client.see("No one-time key is left")
        try await client.ask(
            "peer", ["do": .string("say"), "text": .string("mine too"), "seal": .string("last_resort")])
        try await client.see("Sealed with the last-resort key")
        try await client.tap("chat.keys.renew")
        try await client.ask("assert_no_error")
        #expect(try await client.fail("find_node", ["node_id": .string("chat.keys")]).code == "unknown_node")
    }

    @Test func aMessageIsCarriedEachWay() async throws {
        let client = try await member()
        try await client.type("by hand", into: "chat.draft")
        try await client.tap("chat.seal")
        try await client.see("Sealed in a file to be carried")
        let file = try await client.ask("peer", ["do": .string("hand_over"), "text": .string("back by hand")])
        try await client.tap("back")
        try await client.tap("rooms.circle")
        for shown in [nil, "opened before"] {
            try await client.ask("tap", ["node_id": .string("circle.open"), "name": file["handle"] ?? .null])
            if let shown { try await client.see(shown) }
        }
        try await client.ask("tap", ["node_id": .string("circle.open"), "name": .string("holiday.jpg")])
        try await client.see("not a sealed message")
        let state = try await client.ask("state")
        #expect(try String(decoding: JSON.encode(state), as: UTF8.self).contains("back by hand"))
    }

    @Test(arguments: ["forged", "replayed", "key_reused", "unknown_key", "unreadable"])
    func whatCannotBeOpenedIsCounted(
        reason: String
    ) async throws {
        let client = try await member()
        for _ in 0..<2 {
            try await client.ask("peer", ["do": .string("send_unopenable"), "reason": .string(reason)])
        }
        try await client.see("Messages that were not opened: 2")
    }
}
