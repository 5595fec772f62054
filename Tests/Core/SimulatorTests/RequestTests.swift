import AppCore
import Simulator
import Testing

@Suite struct RequestTests {
    @Test(arguments: ["", "{", "null", "[1]", #"{"id":1}"#, #"{"method":7}"#, "\u{0}", #"{"method":"fly"}"#])
    func whatIsNoRequestGetsAnAnswer(line: String) async throws {
        let response = try await Client().simulator.answer(line: line.utf8)
        #expect(!response.ok && response.error?.isEmpty == false && response.code != nil)
    }

    /// Deeper than any stack could follow.
    @Test(arguments: ["[", #"{"method":"dispatch","params":{"action":"#, #"{"method":"dispatch","params":["#])
    func deepLinesGetAnAnswer(opening: String) async throws {
        for depth in [257, 300, 511, 600, 500_000] {
            let line = opening + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let closing = String(opening.reversed().compactMap { ["{": "}", "[": "]"][$0] })
            let response = try await Client().simulator.answer(line: (line + closing).utf8)
            #expect(!response.ok && response.error?.isEmpty == false)
        }
    }

    @Test func everyMethodOfTheEarlierSimulatorIsThere() async throws {
        let names = [
            "status", "state", "tree", "scene", "preview_mesh", "render", "screenshot", "assert_screenshot",
            "find_node",
            "hit_test", "tap_at", "assert_hit", "type_text", "keypress", "scroll", "gesture", "wait", "inject_fault",
            "assert_screen", "assert_text", "assert_node", "assert_no_error", "assert_transition", "assert_effect",
            "log",
            "replay", "assert_replay", "dispatch", "reset", "load_scenario", "shutdown",
        ]
        for name in names {
            // Without parameters a method works, or says what is missing; none is unknown.
            let simulator = try Client().simulator
            let response = await simulator.answer(
                Request(method: name, params: .object(["timeout_ms": .integer(1)])))
            #expect(
                response.ok || ["bad_request", "assertion_failed"].contains(response.code),
                "\(name): \(response.error ?? "")")
        }
    }

    @Test(
        arguments: [
            ("first_run", nil, 0), ("agent_running", "running", 0), ("agent_asks", "waits", 1),
            ("agent_done", "done", 0),
            ("agent_stopped", "stopped", 0), ("agent_unknown", "unknown", 0), ("agent_away", "unknown", 0),
            ("agent_ready", "ready", 0),
        ] as [(String, String?, Int64)])
    func statusSaysHowAgentsStand(scenario: String, state: String?, requests: Int64) async throws {
        let agents = try #require(try await Client(scenario).ask("status")["agents"]?.array)
        guard let state else { return #expect(agents.isEmpty) }
        let agent = try #require(agents.first)
        #expect(agents.count == 1 && agent["state"] == .string(state) && agent["session"]?.string?.isEmpty == false)
        #expect(agent["requests"] == .integer(requests))
        #expect((agent["unknown_since"] != nil) == (state == "unknown"), "nobody claims to know since when otherwise")
    }

    @Test func parametersOfTheWrongKindAreNamed() async throws {
        let client = try Client()
        let failure = try await client.fail("tap", ["node_id": .integer(3)])
        #expect(failure.code == "bad_request" && failure.error == "tap: \"node_id\" must be a text.")
        #expect(try await client.fail("advance", ["ms": .integer(-1)]).code == "bad_request")
        #expect(try await client.fail("load_scenario", ["scenario": .string("../x")]).code == "unknown_scenario")
        #expect(try await client.fail("dispatch", ["action": .object(["type": .string("fly")])]).code == "bad_request")
        #expect(try await client.fail("inject_fault", ["kind": .string("fire")]).error.contains("offline"))
        #expect(try await client.fail("peer", ["do": .string("say"), "text": .string("x")]).code == "bad_request")
    }

    @Test func pseudoActionsWork() async throws {
        let client = try Client()
        func dispatch(_ action: [String: JSONValue]) async throws -> JSONValue {
            try await client.ask("dispatch", ["action": .object(action)])
        }
        _ = try await dispatch(["type": .string("tap_node"), "node_id": .string("rooms.join")])
        try await client.ask("assert_screen", ["screen": .string("join")])
        let loaded = try await dispatch(["type": .string("load_scenario"), "scenario": .string("locked")])
        #expect(loaded["screen"] == .string("lock") && loaded["final_state"] != nil)
        _ = try await dispatch(["type": .string("reset")])
        try await client.ask("assert_screen", ["screen": .string("rooms")])
        let report = try await dispatch(["type": .string("set_server"), "url": .string("http://localhost:1")])
        #expect(report["transitions"]?.array?.count == 1)
        #expect(report["final_state"]?["settings"]?["server"] == .string("http://localhost:1"))
    }

    @Test(.timeLimit(.minutes(1))) func waitingBlocksNobodyElse() async throws {
        let client = try Client()
        async let waiting = client.simulator.answer(
            Request(method: "wait", params: .object(["screen": .string("join"), "timeout_ms": .integer(30_000)])))
        async let changed = client.simulator.answer(
            Request(method: "changes", params: .object(["since": .integer(1), "timeout_ms": .integer(30_000)])))
        try await client.tap("rooms.join")
        #expect(await waiting.ok)
        #expect(await changed.result?["changed"] == .bool(true))
    }

    @Test func filesAreAttachedByNameAndSize() async throws {
        let client = try Client("verified_chat")
        let file: [String: JSONValue] = [
            "node_id": .string("chat.attach"), "name": .string("a.pdf"), "bytes": .integer(9),
        ]
        try await client.ask("tap", file)
        try await client.see("The other person has the file")
        #expect(try await client.fail("tap", ["node_id": .string("chat.attach")]).code == "wrong_input")
    }

    @Test func aPassphraseIsChangedWithThePresentOne() async throws {
        let client = try Client("unlocked")
        try await client.tap("back")
        try await client.tap("rooms.settings")
        let node: JSONValue = .string("settings.passphrase")
        #expect(try await client.fail("set_text", ["node_id": node, "text": .string("x")]).code == "wrong_input")
        let secrets: JSONValue = .object(["current": .string("pass-1"), "passphrase": .string("new one")])
        try await client.ask("set_text", ["node_id": node, "secrets": secrets])
        try await client.see("The passphrase is set")
    }
}
