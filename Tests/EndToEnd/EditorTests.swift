import Foundation
import Peers
import Testing

/// `alcove agent acp`, with the reference library of the Agent Client Protocol as the editor.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct EditorTests {
    typealias Fixture = AgentTests.Fixture

    private func start(
        _ fixture: Fixture, _ steps: String, folder: String? = nil, agent: [String] = ["helper"]
    ) throws -> AlcoveProcess {
        try Self.start(steps, in: folder ?? fixture.folder, of: fixture.words(["agent", "acp"] + agent))
    }

    /// An editor that has a folder open, and this command of Alcove as its agent.
    static func start(_ steps: String, in folder: String, of command: [String]) throws -> AlcoveProcess {
        try AlcoveProcess(
            [Programs.script("acp_client.py"), folder, steps, AlcoveProcess.program] + command,
            program: Programs.python().path)
    }

    /// What the editor sees of each step.
    private func use(
        _ fixture: Fixture, _ steps: String, folder: String? = nil, agent: [String] = ["helper"]
    ) async throws -> [String] {
        let editor = try start(fixture, steps, folder: folder, agent: agent)
        #expect(try await editor.exitCode() == 0, "\(editor.lines)")
        // What the library logs stands between.
        let lines = editor.lines.filter { $0.hasPrefix("{") }
        #expect(lines.first?.contains(#""name": "alcove""#) == true, "\(lines)")
        return Array(lines.dropFirst())
    }

    @Test func `an editor begins a session, and hears the answer while it comes`() async throws {
        let fixture = try await Fixture()
        let lines = try await use(
            fixture,
            #"[{"new":["search"]},{"wait":"agent_message_chunk"},{"prompt":"say one two"},{"prompt":"work"},{"prompt":"where"},{"list":true}]"#
        )
        #expect(lines[0] == #"{"asked": "", "calls": [], "modes": null, "options": {}, "said": ""}"#)
        #expect(lines[1].contains("The tools that this editor offers (search) are not passed on"), "\(lines)")
        #expect(lines[2].contains(#""said": "onetwo", "stop": "end_turn", "thought": "hm""#), "\(lines)")
        #expect(lines[2].contains(#""echo": """#), "the editor shows already what it asked")
        #expect(lines[3].contains(#""calls": [["Read a", "completed"]]"#) && lines[3].contains(#""plan": ["Read it"]"#))
        #expect(lines[4].contains(URL(fileURLWithPath: fixture.folder).lastPathComponent))
        #expect(lines[5] == #"{"same": [true], "titles": ["say one two"]}"#)
        let sessions = try await fixture.run(["agent", "sessions", "helper"]).lines
        #expect(sessions.count == 1 && sessions[0].contains("Done  say one two"), "it is kept: \(sessions)")
    }

    @Test func `what the agent asks is answered in the editor`() async throws {
        let fixture = try await Fixture()
        let lines = try await use(
            fixture,
            #"[{"new":[]},{"prompt":"edit","answer":"once"},{"prompt":"edit","answer":"reject"},{"prompt":"edit","answer":"always"},{"prompt":"edit"}]"#
        )
        let asked =
            #""asked": [{"changes": [["/a", "old\n", "new\n"]], "options": ["once", "always", "reject"], "title": "Change a"}]"#
        #expect(lines[1].contains(asked) && lines[1].contains(#""said": "yes", "stop": "end_turn""#), "\(lines)")
        #expect(lines[2].contains(asked) && lines[2].contains(#""said": "no""#))
        #expect(lines[3].contains(#""said": "yes""#))
        #expect(lines[4].contains(#""asked": []"#) && lines[4].contains("yes"), "the very same was allowed")
        #expect(lines[4].contains("Alcove: Allowed, as you said for this session: Change a"), "\(lines[4])")
        let log = try await fixture.run(["agent", "log"]).lines
        #expect(log.count == 4, "\(log)")
    }

    @Test func `what is answered elsewhere is withdrawn in the editor, and the first answer counts`() async throws {
        let fixture = try await Fixture()
        let editor = try start(
            fixture,
            #"[{"new":[]},{"prompt":"say one"},{"prompt":"edit"},{"wait":"user_message_chunk"},{"wait":"agent_message_chunk"}]"#
        )
        try await editor.expect(#""said": "one""#)
        let terminal = try fixture.start(["agent", "chat", "helper", "--session", try await id(fixture)])
        try await terminal.expect("? Request 1: Change a [edit]")
        terminal.type("/allow 1")
        let turn = try await editor.expect(#""said": "yes""#)
        #expect(turn.contains(#""withdrawn": 1"#), "\(turn)")
        terminal.type("say two")
        try await terminal.expect("< two")
        #expect(
            try await editor.expect("user_message_chunk").contains("say two"), "the editor sees what is asked elsewhere"
        )
        try await editor.expect(#""text": "two""#)
        terminal.type("/quit")
        #expect(try await terminal.exitCode() == 0)
        #expect(try await editor.exitCode() == 0)
    }

    /// The id of the one session that there is.
    private func id(_ fixture: Fixture) async throws -> String {
        let short = try #require(try await fixture.run(["agent", "sessions", "helper"]).lines.first).prefix(8)
        let whole = try await fixture.run(["agent", "sessions", "--json"]).lines.joined()
        return String(try #require(whole.split(separator: "\"").first { $0.hasPrefix(short) }))
    }

    @Test(arguments: ["wait", "edit"]) func `a turn is cancelled from the editor`(prompt: String) async throws {
        let fixture = try await Fixture()
        let lines = try await use(
            fixture, #"[{"new":[]},{"prompt":"\#(prompt)","cancel":true},{"prompt":"say one"}]"#)
        #expect(lines[1].contains(#""stop": "cancelled""#), "\(lines)")
        #expect(lines[2].contains(#""said": "one", "stop": "end_turn""#), "the session goes on")
    }

    @Test func `another process of an editor goes on with a session, and is told all of it or nothing`() async throws {
        let fixture = try await Fixture("acp_agent.py", ["loads", NSTemporaryDirectory() + UUID().uuidString])
        let first = try await use(
            fixture,
            #"[{"new":[]},{"choose":"mode","value":"plan"},{"choose":"model","value":"large"},{"mode":"ask"},{"mode":"none"},{"prompt":"say one"},{"prompt":"work"}]"#
        )
        // Before anything is asked.
        #expect(first[0].contains(#""modes": "ask", "options": {"mode": "ask", "model": "small"}"#), "\(first)")
        #expect(first[1] == #"{"options": {"mode": "plan", "model": "small"}}"#)
        #expect(first[2] == #"{"options": {"mode": "plan", "model": "large"}}"#)
        #expect(first[3] == #"{"mode": "ask"}"# && first[4].contains("-32602"))
        let session = try await id(fixture)
        #expect(try await fixture.run(["host", "stop"]).code == 0)
        let second = try await use(
            fixture,
            #"[{"load":"\#(session)"},{"prompt":"recall"},{"resume":true},{"close":true},{"prompt":"recall"},{"load":true},{"delete":true},{"load":true},{"list":true},{"load":"/x"}]"#
        )
        #expect(
            second[0]
                == #"{"asked": "say onework", "calls": [["Read a", "completed"]], "modes": "ask", "options": {"mode": "ask", "model": "large"}, "said": "one"}"#
        )
        #expect(second[1].contains("say one work ask large"), "the agent goes on, too: \(second)")
        #expect(second[2].contains(#""asked": """#) && second[2].contains(#""said": """#), "nothing is told again")
        #expect(second[3] == #"{"closed": true}"# && second[4].contains("this session is not open here"))
        #expect(second[5].contains("recall") && second[6] == #"{"deleted": true}"#)
        #expect(second[7].contains("-32002") && second[9].contains("-32002"))
        #expect(second[8] == #"{"same": [], "titles": []}"#)
    }

    @Test func `a session goes on in its own folder only, and the command can name the folder`() async throws {
        let fixture = try await Fixture()
        _ = try await use(fixture, #"[{"new":[]},{"prompt":"say one"}]"#)
        let session = try await id(fixture)
        let elsewhere = try await use(fixture, #"[{"load":"\#(session)"},{"list":true}]"#, folder: "/")
        #expect(elsewhere[0].contains("and goes on nowhere else") && elsewhere[1].contains(#""titles": []"#))
        let named = try await use(
            fixture, #"[{"list":true},{"load":"\#(session)"}]"#, folder: "/",
            agent: ["helper", "--folder", fixture.folder])
        #expect(named[0].contains(#""titles": ["say one"]"#) && named[1].contains(#""said": "one""#), "\(named)")
    }

    @Test func `pictures go along where the agent takes them, and files as text`() async throws {
        let fixture = try await Fixture("acp_agent.py", ["sees"])
        let picture = fixture.folder + "/a.png"
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2]).write(to: URL(fileURLWithPath: picture))
        let lines = try await use(
            fixture,
            #"[{"new":[]},{"prompt":"look","image":"\#(picture)"},{"prompt":"say ","resource":["file:///a/b.md","words"]}]"#
        )
        #expect(lines[1].contains(#""said": "image/png 10""#), "\(lines)")
        #expect(lines[2].contains(#""said": "[b.md](file:///a/b.md)file:///a/b.md```words```""#), "\(lines)")
        let blind = try await Fixture()
        let refused = try await use(blind, #"[{"new":[]},{"prompt":"look","image":"\#(picture)"}]"#)
        #expect(refused[1].contains("takes no pictures"), "\(refused)")
    }

    @Test func `a turn goes on when the editor is gone, and a session in which nothing was asked is not kept`()
        async throws
    {
        let fixture = try await Fixture()
        _ = try await use(fixture, #"[{"new":[]},{"new":[]}]"#)
        #expect(try await fixture.run(["agent", "sessions", "--json"]).lines == ["[]"])
        let editor = try fixture.start(["agent", "acp", "helper"])
        try await begin(editor, fixture)
        editor.type(
            #"{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"\#(try await session(of: editor))","prompt":[{"type":"text","text":"edit"}]}}"#
        )
        try await editor.expect("session/request_permission")
        editor.endInput()
        #expect(try await editor.exitCode() == 0)
        let sessions = try await fixture.run(["agent", "sessions", "helper"]).lines
        #expect(sessions.count == 1 && sessions[0].contains("Waits for you"), "\(sessions)")
    }

    private func begin(_ editor: AlcoveProcess, _ fixture: Fixture) async throws {
        editor.type(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}"#)
        try await editor.expect(#""protocolVersion":1"#)
        editor.type(
            #"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"\#(fixture.folder)","mcpServers":[]}}"#)
    }

    private func session(of editor: AlcoveProcess) async throws -> String {
        let line = try await editor.expect(#""sessionId":""#)
        return String(try #require(line.components(separatedBy: #""sessionId":""#).last?.split(separator: "\"").first))
    }

    @Test func `hostile lines are answered, and end nothing but too many of them the editor`() async throws {
        let fixture = try await Fixture()
        let editor = try fixture.start(["agent", "acp", "helper"])
        editor.type("{")
        try await editor.expect(#""code":-32700"#)
        editor.type(bytes: Array(repeating: UInt8(ascii: "a"), count: 9 << 20) + [10])
        try await editor.expect("the line is too long")
        editor.type(#"{"jsonrpc":"2.0","id":9,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}"#)
        try await editor.expect("initialize comes first")
        try await begin(editor, fixture)
        let id = try await session(of: editor)
        let hostile = [
            #"{"jsonrpc":"2.0","id":5,"method":"session/load","params":{"sessionId":"../..","cwd":"/","mcpServers":[]}}"#,
            #"{"jsonrpc":"2.0","id":5,"method":"session/set_mode","params":{"sessionId":"\#(id)","modeId":"\u001b[2J"}}"#,
            #"{"jsonrpc":"2.0","id":5,"method":"session/prompt","params":{"sessionId":"\#(id)","prompt":[]}}"#,
            #"{"jsonrpc":"2.0","id":5,"method":"session/prompt","params":{"sessionId":"none","prompt":[{"type":"text","text":"x"}]}}"#,
            #"{"jsonrpc":"2.0","id":5,"method":"session/new","params":{"cwd":"a","mcpServers":[]}}"#,
            #"{"jsonrpc":"2.0","id":5,"method":"terminal/create","params":{"sessionId":"\#(id)","command":"id"}}"#,
        ]
        for line in hostile {
            editor.type(line)
            try await editor.expect(#""id":5,"error""#)
        }
        editor.type(
            #"{"jsonrpc":"2.0","id":6,"method":"session/prompt","params":{"sessionId":"\#(id)","prompt":[{"type":"text","text":"say one"}]}}"#
        )
        try await editor.expect(#""id":6,"result":{"stopReason":"end_turn"}"#)
        editor.type(bytes: Array(String(repeating: "[]\n", count: 100).utf8))
        try await editor.expect("the editor sends nothing that can be read")
        #expect(try await editor.exitCode() == 0)
    }

    @Test func `a locked profile says what to do, and goes on when it is open`() async throws {
        let fixture = try await Fixture()
        let words = fixture.folder + "/words"
        try Data("correct horse battery staple\n".utf8).write(to: URL(fileURLWithPath: words))
        #expect(try await fixture.run(["passphrase", "set", "--new-passphrase-file", words]).code == 0)
        _ = try await fixture.run(["host", "stop"])
        let editor = try fixture.start(["agent", "acp", "helper"])
        try await begin(editor, fixture)
        try await editor.expect("The profile of Alcove is locked. Unlock it in the page (alcove open)")
        let opened = try fixture.start(["agent", "sessions", "--passphrase-file", words])
        #expect(try await opened.exitCode() == 0)
        // The editor's process hears of it a moment later.
        var answer = "is locked"
        for id in 2..<600 where answer.contains("is locked") {
            editor.type(
                #"{"jsonrpc":"2.0","id":\#(id),"method":"session/new","params":{"cwd":"\#(fixture.folder)","mcpServers":[]}}"#
            )
            answer = try await editor.expect(#""id":\#(id),"#)
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(answer.contains(#""sessionId""#), "\(answer)")
        editor.endInput()
        #expect(try await editor.exitCode() == 0)
        #expect(try await fixture.run(["agent", "acp", "helper", "--passphrase-file", "-"]).code == 64)
    }

    @Test func `an agent whose program is not there lets a session begin, and the first prompt says why it fails`()
        async throws
    {
        let fixture = try await Fixture()
        #expect(try await fixture.run(["agent", "add", "gone", "--", "/no/such/program"]).code == 0)
        let lines = try await use(fixture, #"[{"new":[]},{"prompt":"say one"}]"#, agent: ["gone"])
        #expect(lines[0].contains(#""options": {}"#), "\(lines)")
        #expect(lines[1].contains("-32603") && lines[1].contains("/no/such/program"), "\(lines)")
    }

    @Test func `two editors follow one session, and the first answer counts`() async throws {
        let fixture = try await Fixture()
        let first = try start(fixture, #"[{"new":[]},{"prompt":"say one"},{"prompt":"edit"}]"#)
        try await first.expect(#""said": "one""#)
        let second = try await use(
            fixture,
            #"[{"load":"\#(try await id(fixture))","answer":"once"},{"wait":"agent_message_chunk"},{"wait":"session/request_permission"},{"wait":"agent_message_chunk"}]"#
        )
        #expect(second[0].contains(#""said": "one""#) && second[1].contains(#""text": "one""#), "\(second)")
        #expect(second[3].contains(#""text": "yes""#), "\(second)")
        let turn = try await first.expect(#""said": "yes""#)
        #expect(turn.contains(#""withdrawn": 1"#), "\(turn)")
        #expect(try await first.exitCode() == 0)
    }

    @Test func `an editor that closes no sessions goes on, and those in which it never asked are not kept`()
        async throws
    {
        let fixture = try await Fixture()
        let begun = Array(repeating: #"{"new":[]}"#, count: 18).joined(separator: ",")
        let lines = try await use(fixture, #"[\#(begun),{"prompt":"say one"},{"list":true}]"#)
        #expect(!lines.contains { $0.contains("error") } && lines[18].contains(#""said": "one""#), "\(lines)")
        #expect(lines[19].contains(#""same": [true]"#))
        #expect(try await fixture.run(["agent", "sessions", "helper"]).lines.count == 1)
    }

    @Test func `an agent that is called something else now goes on in the editor`() async throws {
        let fixture = try await Fixture()
        let words = [AlcoveProcess.program] + fixture.words(["agent", "rename", "helper", "coder"])
        let rename = String(decoding: try JSONEncoder().encode(words), as: UTF8.self)
        let lines = try await use(fixture, #"[{"new":[]},{"run":\#(rename)},{"prompt":"say one"},{"list":true}]"#)
        #expect(lines[1] == #"{"code": 0}"# && lines[2].contains(#""said": "one""#), "\(lines)")
        #expect(lines[3].contains(#""same": [true]"#))
    }

    @Test func `who closes a question without an answer is told that the agent waits`() async throws {
        let fixture = try await Fixture()
        let editor = try fixture.start(["agent", "acp", "helper"])
        try await begin(editor, fixture)
        let id = try await session(of: editor)
        editor.type(
            #"{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"\#(id)","prompt":[{"type":"text","text":"edit"}]}}"#
        )
        try await editor.expect("session/request_permission")
        editor.type(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"cancelled"}}}"#)
        try await editor.expect("The agent waits for your answer")
        // What follows at once waits for the end of what is cancelled.
        editor.type(#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"\#(id)"}}"#)
        editor.type(
            #"{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"\#(id)","prompt":[{"type":"text","text":"say one"}]}}"#
        )
        try await editor.expect(#""id":2,"result":{"stopReason":"cancelled"}"#)
        try await editor.expect(#""id":3,"result":{"stopReason":"end_turn"}"#)
        editor.endInput()
        #expect(try await editor.exitCode() == 0)
    }

    @Test func `a model server answers in an editor`() async throws {
        let fixture = try await Fixture()
        let (server, port) = try AgentTests.modelServer()
        #expect(try await fixture.run(["agent", "add", "local", "--openai", "http://127.0.0.1:\(port)"]).code == 0)
        let lines = try await use(fixture, #"[{"new":[]},{"prompt":"say one two"},{"list":true}]"#, agent: ["local"])
        #expect(lines[1].contains(#""said": "Grüß dich", "stop": "end_turn", "thought": "hm""#), "\(lines)")
        #expect(lines[2].contains(#""same": [true]"#))
        await server.ended(grace: .zero)
        let refused = try await use(fixture, #"[{"new":[]},{"prompt":"say one"}]"#, agent: ["local"])
        #expect(refused[1].contains("-32603") && refused[1].contains("127.0.0.1:\(port)"), "\(refused)")
    }

    @Test func `an agent that is not there is said at once`() async throws {
        let fixture = try await Fixture()
        let nobody = try await fixture.run(["agent", "acp", "nobody"])
        #expect(nobody.code == 66 && nobody.lines.last?.contains("there is no agent \"nobody\"") == true)
    }
}
