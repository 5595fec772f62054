import AppCore
import Foundation
import ProgramRunner
import Scenarios
import Simulator
import Testing

/// Cores from libraries, driven, asserted on and pictured like our own.
@Suite struct ForeignTests {
    private func withEarlierCore(hasPlaces: Bool = true, _ body: (Client) async throws -> Void) async throws {
        let library = try EarlierCore(hasPlaces: hasPlaces)
        defer { library.remove() }
        try await body(try Client(core: .library(path: library.path)))
    }

    @Test(arguments: [true, false]) func aCoreOfTheEarlierShapePairsAndTalks(hasPlaces: Bool) async throws {
        try await withEarlierCore(hasPlaces: hasPlaces) { client in
            try await client.type("devbox", into: "pair.host")
            try await client.type("123456", into: "pair.code")
            try await client.tap("pair.submit")
            try await client.ask("wait", ["node_id": .string("chat.draft")])
            #expect(try await client.ask("status")["connection_state"] == .string("connected"))
            try await client.type("Hello", into: "chat.draft")
            try await client.ask("keypress", ["key": .string("Enter")])
            try await client.see("Simulated response to: Hello")
            try await client.ask("assert_effect", ["type": .string("send_message"), "contains": .string("Hello")])
            let log = try await client.ask("log")
            let types = log["transitions"]?.array?.compactMap { $0["action"]?["type"]?.string }
            #expect(
                types == [
                    "set_host", "set_pair_code", "tap_node", "pairing_succeeded", "connected", "set_draft", "tap_node",
                    "append_assistant_text", "finish_turn",
                ])
            let trace = try await client.ask("replay", ["name": .string("talk")])
            #expect(trace["actions"]?.array?.count == 5, "only what the person did")
            try await client.ask("assert_replay", ["trace": trace])
            #expect(try await client.ask("screenshot")["svg"]?.string?.contains("Send") == true)
        }
    }

    @Test func itsTracesArePlayedFromWhereTheyBegin() async throws {
        try await withEarlierCore { client in
            try await client.ask("load_scenario", ["scenario": .string("connected_chat")])
            for word in ["one", "two"] {
                try await client.type(word, into: "chat.draft")
                try await client.tap("chat.send")
            }
            let trace = try await client.ask("replay", ["name": .string("talk")])
            let end = try await client.ask("state")
            try await client.ask("reset")
            let played = try await client.ask("replay", ["trace": trace])
            #expect(played["seq"] == .integer(5) && played["total"] == .integer(5))
            #expect(try await client.ask("state") == end)
            try await client.ask("assert_replay", ["trace": trace])
            #expect(try await client.ask("replay", ["trace": trace, "until": .integer(1)])["seq"] == .integer(1))
            #expect(try await client.ask("step")["seq"] == .integer(2))
            #expect(try await client.ask("step", ["by": .integer(-1)])["seq"] == .integer(1))
            #expect(try await client.ask("step", ["by": .integer(9)])["seq"] == .integer(5))
            #expect(try await client.ask("state") == end)
            var elsewhere = trace
            elsewhere["initial_state"] = .object(["screen": .string("moon")])
            #expect(try await client.fail("replay", ["trace": elsewhere]).code == "bad_trace")
            #expect(try await client.ask("state") == end, "nothing has happened")
        }
    }

    @Test func itsGatewayRefusesAsItUsedTo() async throws {
        try await withEarlierCore { client in
            try await client.type("offline-host", into: "pair.host")
            try await client.tap("pair.submit")
            try await client.see("Server unreachable. Confirm host/port and gateway status.")
            #expect(try await client.fail("assert_no_error").code == "assertion_failed")
            try await client.ask("reset")
            try await client.type("devbox", into: "pair.host")
            try await client.type("000000", into: "pair.code")
            try await client.tap("pair.submit")
            try await client.see("Invalid or expired pairing code.")
            try await client.ask("load_scenario", ["scenario": .string("connected_chat")])
            try await client.ask("assert_node", ["node_id": .string("chat.send"), "enabled": .bool(true)])
            #expect(try await client.fail("advance", ["ms": .integer(1)]).code == "not_supported")
        }
    }

    @Test func aWalkOnOurOwnLibraryFindsNothing() async throws {
        let library = Program.products.appending(path: "libalcove_core.so").path
        let loaded = try Client("first_run", core: .library(path: library))
        let walked = try await loaded.ask("walk", ["steps": .integer(1500), "seed": .integer(3)])
        #expect(walked["finding"] == .null)
    }

    /// What a person's host recorded begins in a state of its own.
    @Test func aBugReportPlaysOnALibrary() async throws {
        let library = Program.products.appending(path: "libalcove_core.so").path
        var core = Core(state: try Scenario.named("verified_chat").play().driver.state)
        var clock = LogicalClock(now: Timestamp(milliseconds: 1_900_000_000_000))
        let inputs = [Action.app(.becameInactive), .app(.becameActive), .event(.reachabilityChanged(online: false))]
            .map { clock.input($0) }
        let start = core.state
        for input in inputs { _ = core.dispatch(input) }
        let report = try Trace(name: "report", start: start, inputs: inputs)
        let trace = try JSON.decode(JSONValue.self, from: JSON.encode(report))
        let loaded = try Client("first_run", core: .library(path: library))
        #expect(try await loaded.ask("replay", ["trace": trace])["seq"] == .integer(3))
        #expect(try await loaded.ask("state") == JSON.decode(JSONValue.self, from: JSON.encode(core.state)))
        try await loaded.ask("assert_replay", ["trace": trace])
    }

    /// The same bytes in Swift, in the library, and from a trace.
    @Test func ourOwnCoreAsALibraryDoesTheSame() async throws {
        let library = Program.products.appending(path: "libalcove_core.so").path
        let own = try Client("verified_chat")
        let loaded = try Client("verified_chat", core: .library(path: library))
        for client in [own, loaded] {
            try await client.type("Hello", into: "chat.draft")
            try await client.tap("chat.send")
            try await client.ask("inject_fault", ["kind": .string("offline")])
            try await client.ask("advance", ["ms": .integer(90_000)])
            try await client.ask("peer", ["do": .string("type")])
            try await client.ask("restart")
        }
        #expect(try await own.ask("state") == loaded.ask("state"))
        #expect(try await own.ask("screenshot")["hash"] == loaded.ask("screenshot")["hash"])
        let trace = try await own.ask("replay", ["name": .string("same")])
        #expect(try await loaded.ask("replay", ["name": .string("same")]) == trace)
        try await loaded.ask("assert_replay", ["trace": trace])
        #expect(try await loaded.ask("tree", ["at": .integer(1)]) == own.ask("tree", ["at": .integer(1)]))
    }
}
