import AppCore
import Foundation
import Testing

@testable import Simulator

@Suite struct HistoryTests {
    /// A talk with a few steps of the person and of the world.
    private func talk() async throws -> Client {
        let client = try Client()
        try await client.tap("rooms.create")
        try await client.tap("create.submit")
        try await client.ask("peer", ["do": .string("come")])
        try await client.type("Hello", into: "chat.draft")
        try await client.tap("chat.send")
        return client
    }

    @Test func theLogCountsFromOneAndFromZero() async throws {
        let client = try await talk()
        let log = try await client.ask("log")
        let transitions = try #require(log["transitions"]?.array)
        #expect(transitions.compactMap { $0["seq"]?.integer } == Array(1...Int64(transitions.count)))
        #expect(transitions.first?["timestamp_ms"] == .integer(0))
        let times = transitions.compactMap { $0["timestamp_ms"]?.integer }
        #expect(times == times.sorted() && Set(times).count == times.count)
        let last = try #require(transitions.last)
        #expect(last["after"] == (try await client.ask("state")))
        for (earlier, later) in zip(transitions, transitions.dropFirst()) {
            #expect(earlier["after"] == later["before"])
        }
        let effects = try #require(log["effects"]?.array)
        let seqs = Set(transitions.compactMap { $0["seq"] })
        #expect(effects.allSatisfy { $0["seq"].map(seqs.contains) == true && $0["effect"]?["id"] != nil })
    }

    @Test func aTracePlaysToTheSameBytesAndIsWhatHappened() async throws {
        let client = try await talk()
        let trace = try await client.ask("replay", ["name": .string("talk")])
        #expect(trace["schema_version"] == .integer(1) && trace["name"] == .string("talk"))
        let actions = try #require(trace["actions"]?.array)
        #expect(
            actions.compactMap { $0["action"]?["type"]?.string } == [
                "navigate", "create_room", "set_draft", "send_text",
            ])
        try await client.ask("assert_replay", ["trace": trace])

        let other = try Client()
        try await other.ask("replay", ["trace": trace])
        #expect(try await other.ask("state") == client.ask("state"))
        try await other.ask("assert_replay", ["trace": trace])
        // And it goes on from there.
        try await other.ask("peer", ["do": .string("say"), "text": .string("On we go")])
        try await other.see("On we go")
    }

    @Test func timeTravelsStepByStep() async throws {
        let client = try await talk()
        let trace = try await client.ask("export_replay")
        let other = try Client()
        try await other.ask("replay", ["trace": trace, "until": .integer(1)])
        try await other.ask("assert_screen", ["screen": .string("create")])
        #expect(try await other.ask("step")["seq"] == .integer(2))
        try await other.ask("assert_screen", ["screen": .string("chat")])
        try await other.ask("step", ["by": .integer(-2)])
        try await other.ask("assert_screen", ["screen": .string("rooms")])
        let old = try await client.ask("tree", ["at": .integer(1)])
        #expect(old["screen"] == .string("create"), "the present is untouched by a look back")
        try await client.ask("assert_screen", ["screen": .string("chat")])
        #expect(try await client.fail("tree", ["at": .integer(999)]).code == "bad_request")
    }

    /// Traces that version 0.2.0 wrote, whose state had one view.
    @Test(arguments: ["notes", "chat"]) func tracesOfTheLastVersionPlayAsTheySay(name: String) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Golden/trace-0.2.0-\(name).json")
        let trace = try Trace(json: Array(Data(contentsOf: file)))
        let difference = try trace.difference(on: BuiltInCore())
        #expect(difference == nil)
    }

    @Test func aGoldenTraceNamesTheFirstStepThatDiffers() async throws {
        let client = try await talk()
        let trace = try await client.ask("replay")
        var transitions = try #require(trace["transitions"]?.array)
        transitions[1]["changes"]?[path: 0, "to"] = .string("something else")
        var forged = trace
        forged["transitions"] = .array(transitions)
        let failure = try await client.fail("assert_replay", ["trace": forged])
        #expect(failure.code == "assertion_failed")
        #expect(failure.error.contains("Step 2 differs") && failure.error.contains("something else"))
    }

    @Test func bareActionsAreAnsweredByTheWorld() async throws {
        let client = try Client()
        let actions: [JSONValue] = [
            .object(["type": .string("create_room"), "name": .string("Ann"), "expires_in": .integer(300)])
        ]
        try await client.ask(
            "replay",
            ["trace": .object(["schema_version": .integer(1), "name": .string("old"), "actions": .array(actions)])])
        try await client.see("Waiting for the other person")
    }

    @Test(arguments: ["[]", "{}", #"{"schema_version":2,"name":"x","actions":[]}"#, #"{"schema_version":1}"#])
    func whatIsNoTraceSaysWhy(json: String) throws {
        let error = try #require(throws: SimulatorError.self) { try Trace(json: json.utf8) }
        #expect(error.code == .badTrace)
    }

    @Test func aDifferenceShowsNodesAndState() async throws {
        let client = try await talk()
        let difference = try await client.ask("diff", ["from": .integer(0)])
        #expect(difference["added"]?.array?.contains(.string("chat.draft")) == true)
        #expect(difference["removed"]?.array?.contains(.string("rooms.create")) == true)
        #expect(difference["state"]?.array?.isEmpty == false)
    }
}

extension JSONValue {
    fileprivate subscript(path index: Int, key: String) -> JSONValue? {
        get { array?[index][key] }
        set {
            guard case .array(var values) = self else { return }
            values[index][key] = newValue
            self = .array(values)
        }
    }
}
