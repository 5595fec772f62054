import AppCore
import Foundation
import Scenarios
import Simulator
import Testing

/// Scripts of the earlier simulator: what it answered to each request was recorded from it in `Golden/earlier.jsonl`,
/// with what belongs to its own core left out: `<state>` stands for a state, `<report: …>` for what a dispatch returns.
@Suite struct EarlierTests {
    private struct Recorded: Decodable {
        var scenario: String?
        var method: String?
        var params: JSONValue?
        var ok: Bool?
        var result: JSONValue?
    }

    private static func recorded() throws -> [Recorded] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Golden/earlier.jsonl")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            try JSON.decode(Recorded.self, from: $0.utf8)
        }
    }

    @Test func everyRecordedRequestIsAnsweredAlike() async throws {
        let core = try EarlierCore()
        defer { core.remove() }
        var simulator: Simulator?
        var count = 0
        for (line, recorded) in try Self.recorded().enumerated() {
            if let scenario = recorded.scenario {
                simulator = try Simulator(
                    core: .library(path: core.path), scenario: Scenario.named("first_run"), jcodeScenario: scenario,
                    socketPath: "/tmp/sim.sock")
                continue
            }
            let request = Request(
                id: .string("1"), method: try #require(recorded.method), params: recorded.params ?? .null)
            let answer = try JSON.decode(
                JSONValue.self, from: JSON.encode(try #require(await simulator?.answer(request))))
            #expect(answer["id"] == .string("1") && answer["ok"]?.bool == recorded.ok, "line \(line + 1): \(answer)")
            let result = answer["result"].map(Self.masked)
            #expect(
                Self.contains(result, recorded.result ?? .null),
                "line \(line + 1): \(request.method) \(request.params) gave \(result ?? .null)")
            count += 1
        }
        #expect(count == 92)
    }

    /// What belongs to a core, as words.
    private static func masked(_ value: JSONValue) -> JSONValue {
        if let list = value.array { return .string("<\(list.count)>") }
        guard let members = value.object else { return value }
        func has(_ keys: String...) -> Bool { keys.allSatisfy { members[$0] != nil } }
        func count(_ key: String) -> Int { members[key]?.array?.count ?? 0 }
        if has("transitions", "effect_records", "final_state") {
            return .string("<report: \(count("transitions")) transitions, \(count("effect_records")) effects>")
        }
        if has("seq", "timestamp_ms", "before", "after", "action", "effects") { return .string("<transition>") }
        if has("seq", "timestamp_ms", "effect"), members.count == 3 { return .string("<effect>") }
        let node = [
            "id", "role", "label", "value", "visible", "enabled", "focused", "accessibility_label",
            "accessibility_value", "supported_actions", "bounds", "children",
        ]
        if node.allSatisfy({ members[$0] != nil }) { return .string("<node>") }
        if has("screen", "root"), members.count == 2 { return .string("<tree>") }
        if has("schema_version", "name", "initial_state", "actions", "transitions", "effects", "final_state") {
            let counts = ["actions", "transitions", "effects"].map { "\(count($0)) \($0)" }.joined(separator: ", ")
            return .string("<trace \(members["name"]?.string ?? ""): \(counts)>")
        }
        if has("draft_message", "connection_state", "messages") { return .string("<state>") }
        var result = members.mapValues(masked)
        if has("started_at_ms", "socket_path") { result["started_at_ms"] = .string("<time>") }
        if has("started_at_ms", "socket_path") { result["socket_path"] = .string("<path>") }
        return .object(result)
    }

    /// Whether a result has all that was recorded; it may say more.
    private static func contains(_ actual: JSONValue?, _ recorded: JSONValue) -> Bool {
        guard let members = recorded.object else { return actual == recorded }
        return members.allSatisfy { contains(actual?[$0], $1) }
    }

    /// Our own core says other things in the same shapes.
    @Test(
        arguments: [
            ("assert_screen", #"{"screen": "chat"}"#, ["screen"]),
            ("assert_text", #"{"contains": "Ann"}"#, ["contains"]),
            ("assert_node", #"{"node_id": "chat.draft", "enabled": true}"#, ["node.id", "node.bounds.x"]),
            ("assert_no_error", #"{}"#, ["ok"]),
            ("assert_hit", #"{"x": 80, "y": 810, "node_id": "chat.leave"}"#, ["x", "y", "node_id"]),
            ("assert_transition", #"{}"#, ["transition.seq", "transition.action.type"]),
            ("assert_effect", #"{}"#, ["effect.seq", "effect.effect.type"]),
            ("tap_at", #"{"x": 80, "y": 810}"#, ["x", "y", "node_id", "report.transitions", "report.final_state"]),
            ("type_text", #"{"node_id": "chat.draft", "text": "!"}"#, ["node_id", "text", "report.effect_records"]),
            ("keypress", #"{"key": "?"}"#, ["key", "node_id", "handled", "report.final_state.rooms"]),
            ("scroll", #"{"node_id": "chat.messages"}"#, ["node_id", "delta_y", "node.id", "offset"]),
            ("gesture", #"{"type": "swipe_up"}"#, ["type", "accepted"]),
            ("gesture", #"{"type": "pinch"}"#, ["type", "accepted", "handled"]),
            ("hit_test", #"{"x": 80, "y": 810}"#, ["x", "y", "node.id"]),
            ("wait", #"{"screen": "chat"}"#, ["matched", "waited_ms"]),
            ("inject_fault", #"{"kind": "offline"}"#, ["kind", "report.transitions"]),
            ("inject_fault", #"{"kind": "tool_failed"}"#, ["kind", "rules"]),
            ("preview_mesh", #"{}"#, ["scene_schema_version", "vertex_count", "vertices"]),
            ("reset", #"{}"#, ["transitions", "effect_records", "final_state"]),
            ("load_scenario", #"{"scenario": "locked"}"#, ["transitions", "final_state", "screen"]),
            ("shutdown", #"{}"#, ["message"]),
        ] as [(String, String, [String])])
    func ourOwnCoreAnswersInTheSameShapes(method: String, params: String, keys: [String]) async throws {
        let client = try Client("verified_chat")
        try await client.type("Hello", into: "chat.draft")
        try await client.tap("chat.send")
        let parameters = try JSON.decode(JSONValue.self, from: params.utf8).object
        let result = try await client.ask(method, #require(parameters))
        for key in keys {
            let value = key.split(separator: ".").reduce(result as JSONValue?) { $0?[String($1)] }
            #expect(value != nil, "\(method): \(key) is missing")
        }
    }

    @Test func aSecretIsNotSaidAgain() async throws {
        let client = try Client("locked")
        let result = try await client.ask(
            "type_text", ["node_id": .string("lock.passphrase"), "text": .string("correct horse battery")])
        #expect(!String(decoding: try JSON.encode(result), as: UTF8.self).contains("correct horse"))
    }

    @Test func aCapitalLetterStaysOneAndBackspaceTakesAGrapheme() async throws {
        let core = try EarlierCore()
        defer { core.remove() }
        let client = try Client(core: .library(path: core.path))
        try await client.ask("load_scenario", ["scenario": .string("connected_chat")])
        try await client.type("e\u{301}", into: "draft")
        try await client.ask("keypress", ["key": .string("Backspace")])
        try await client.ask("keypress", ["key": .string("A")])
        #expect(try await client.value(of: "chat.draft") == "A")
    }

    /// The log goes on over faults and scenarios, so that a trace of them plays.
    @Test func aTraceOfFaultsPlays() async throws {
        let core = try EarlierCore()
        defer { core.remove() }
        let client = try Client(core: .library(path: core.path))
        for kind in ["tool_failed", "offline", "connection_failed"] {
            try await client.ask("inject_fault", ["kind": .string(kind)])
        }
        let trace = try await client.ask("replay")
        #expect(trace["actions"]?.array?.count == 3 && trace["transitions"]?.array?.count == 3)
        try await client.ask("assert_replay", ["trace": trace])
    }
}
