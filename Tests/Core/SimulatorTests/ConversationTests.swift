import AppCore
import Simulator
import Testing

/// Whole stories, as a script would play them.
@Suite struct ConversationTests {
    @Test func twoPeopleMeetAndTalk() async throws {
        let client = try Client()
        try await client.tap("rooms.create")
        try await client.type("Ann", into: "create.name")
        try await client.tap("create.submit")
        try await client.see("Waiting for the other person")
        #expect(try await client.value(of: "chat.code")?.count == 6)
        try await client.ask("peer", ["do": .string("come")])
        try await client.see("Connected, verified")
        try await client.type("Hello", into: "chat.draft")
        try await client.ask("keypress", ["key": .string("Enter")])
        try await client.see("Seen")
        try await client.ask("peer", ["do": .string("say"), "text": .string("Good evening")])
        try await client.see("Good evening")
        let status = try await client.ask("status")
        #expect(status["connection_state"] == .string("connected"))
        #expect(status["message_count"] == .integer(2))
        #expect(status["lost_effects"] == .array([]))
        try await client.ask("assert_effect", ["type": .string("send_read")])
        try await client.ask("assert_no_error")
    }

    @Test func theJoinerNeedsTheRightCodeAndWords() async throws {
        for (code, words, shown) in [
            ("123456", "maple-otter", "Connected, verified"), ("123456", nil, "Connected, not verified"),
            ("123456", "maple-heron", "The words did not match"), ("999999", nil, "No room waits under this code"),
        ] {
            let client = try Client()
            try await client.tap("rooms.join")
            try await client.type(code, into: "join.code")
            if let words { try await client.type(words, into: "join.words") }
            try await client.ask("keypress", ["key": .string("Enter"), "node_id": .string("join.code")])
            try await client.see(shown)
            if let words {
                let log = try await client.ask("log")
                #expect(try !String(decoding: JSON.encode(log), as: UTF8.self).contains(words))
            }
        }
    }

    @Test func thePersonLocksAndUnlocks() async throws {
        let client = try Client("verified_chat")
        try await client.tap("back")
        try await client.tap("rooms.settings")
        try await client.type("correct horse", into: "settings.passphrase")
        try await client.tap("settings.lock")
        try await client.ask("assert_screen", ["screen": .string("lock")])
        try await client.type("wrong horse", into: "lock.passphrase")
        try await client.see("The passphrase is wrong")
        try await client.type("correct horse", into: "lock.passphrase")
        try await client.see("Ann")
        let state = try await client.ask("state")
        #expect(try !String(decoding: JSON.encode(state), as: UTF8.self).contains("horse"))
    }

    @Test func whatIsWrittenOfflineArrivesLater() async throws {
        let client = try Client("verified_chat")
        try await client.ask("inject_fault", ["kind": .string("offline")])
        try await client.type("Later", into: "chat.draft")
        try await client.tap("chat.send")
        try await client.see("Waiting for the connection")
        let pending = try await client.ask("status")["pending_effects"]?.array ?? []
        #expect(pending.contains { $0["type"]?.string == "deliver" && $0["reason"]?.string == "held" })
        try await client.ask("inject_fault", ["kind": .string("online")])
        try await client.see("Connected")
        try await client.see("Seen")
    }

    @Test func aFullDiskHoldsEverythingBackUntilThereIsRoom() async throws {
        let client = try Client("verified_chat")
        try await client.ask("inject_fault", ["kind": .string("disk_full")])
        try await client.type("Safe", into: "chat.draft")
        try await client.see("The disk is full")
        #expect(try await client.fail("tap", ["node_id": .string("chat.send")]).code == "disabled_node")
        try await client.ask("inject_fault", ["kind": .string("disk_free")])
        try await client.tap("chat.send")
        try await client.see("Seen")
    }

    @Test func aLostEffectIsListed() async throws {
        let client = try Client("verified_chat")
        try await client.ask("inject_fault", ["effect": .string("deliver"), "outcome": .string("lose")])
        try await client.type("Gone", into: "chat.draft")
        try await client.tap("chat.send")
        let lost = try await client.ask("status")["lost_effects"]?.array ?? []
        #expect(lost.count == 1 && lost.first?["type"]?.string == "deliver")
    }

    @Test func waitingLetsLogicalTimePass() async throws {
        let client = try Client("connecting")
        try await client.see("Connecting")
        let waited = try await client.ask("wait", ["contains": .string("Connected, verified")])
        #expect(waited["waited_ms"]?.integer ?? 0 >= 1000)
        let failure = try await client.fail("wait", ["screen": .string("lock"), "timeout_ms": .integer(10)])
        #expect(failure.code == "timeout" && failure.error.contains("screen lock"))
    }

    @Test func aRoomRunsOutWhenNobodyComes() async throws {
        let client = try Client("room_waiting")
        try await client.ask("advance", ["ms": .integer(310_000)])
        try await client.see("The code ran out")
    }
}
