import AgentProtocols
import Testing
import Wire

/// The agent's side of the Agent Client Protocol as a value: lines in, steps out.
@Suite struct ACPServerTests {
    struct Peer {
        var server = ACPServer(about: ["name": "s", "version": "1"], takesPictures: true)

        init(greets: Bool = true) {
            if greets { _ = ask(0, "initialize", #"{"protocolVersion":1}"#) }
        }

        mutating func say(_ line: String) -> [ACPServer.Step] { server.receive(.complete(Array(line.utf8))) }

        mutating func ask(_ id: Int, _ method: String, _ parameters: String = "{}") -> [ACPServer.Step] {
            say(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#)
        }

        mutating func tell(_ method: String, _ parameters: String) -> [ACPServer.Step] {
            say(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters)}"#)
        }
    }

    private func number(_ id: Int) -> JSONRPCMessage.ID { .number(String(id)) }

    private func code(_ steps: [ACPServer.Step]) -> Int? {
        if case .send(.failure(_, let failure))? = steps.first { failure.code } else { nil }
    }

    @Test(arguments: [0, 1, 2, 65535]) func `whatever version is asked for, the answer is the first`(version: Int)
        throws
    {
        var peer = Peer(greets: false)
        #expect(code(peer.ask(1, "session/list")) == -32600, "initialize comes first")
        guard
            case .send(.result(_, let greeting))? = peer.ask(2, "initialize", #"{"protocolVersion":\#(version)}"#).first
        else { return #expect(Bool(false)) }
        let text =
            #"{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"promptCapabilities":{"image":true,"audio":false,"embeddedContext":true},"mcpCapabilities":{"http":false,"sse":false},"sessionCapabilities":{"list":{},"delete":{},"resume":{},"close":{}}},"authMethods":[],"agentInfo":{"name":"s","version":"1"}}"#
        #expect(greeting.text == text)
        #expect(code(peer.ask(3, "initialize", #"{"protocolVersion":1}"#)) == -32600)
        #expect(code(peer.ask(4, "authenticate", #"{"methodId":"key"}"#)) == -32602)
        for method in ["logout", "session/fork", "session/update", "fs/read_text_file", "_zed/x"] {
            #expect(code(peer.ask(5, method, #"{"sessionId":"s","path":"/a","update":{}}"#)) == -32601, "\(method)")
        }
    }

    private static let requests: [(method: String, parameters: String, request: ACPRequest)] = [
        (
            "session/new", #"{"cwd":"/a","mcpServers":[{"name":"x","command":"/x","args":[],"env":[]}]}"#,
            .begin(folder: "/a", servers: ["x"])
        ),
        (
            "session/load", #"{"sessionId":"s","cwd":"/a","mcpServers":[]}"#,
            .goOn(session: "s", folder: "/a", tells: true)
        ),
        ("session/resume", #"{"sessionId":"s","cwd":"/a"}"#, .goOn(session: "s", folder: "/a", tells: false)),
        ("session/list", "{}", .list(folder: nil)),
        ("session/list", #"{"cwd":"/a","cursor":null}"#, .list(folder: "/a")),
        ("session/close", #"{"sessionId":"s"}"#, .close(session: "s")),
        ("session/delete", #"{"sessionId":"s"}"#, .delete(session: "s")),
        (
            "session/set_mode", #"{"sessionId":"s","modeId":"plan"}"#,
            .choose(session: "s", .mode, option: "plan", by: .sessionSetMode)
        ),
        (
            "session/set_model", #"{"sessionId":"s","modelId":"m"}"#,
            .choose(session: "s", .model, option: "m", by: .sessionSetModel)
        ),
        (
            "session/set_config_option", #"{"sessionId":"s","configId":"model","value":"m"}"#,
            .choose(session: "s", .model, option: "m", by: .sessionSetConfigOption)
        ),
    ]

    @Test(arguments: requests) func `a request is understood, performed and answered once`(
        method: String, parameters: String, request: ACPRequest
    ) {
        var peer = Peer()
        #expect(peer.ask(7, method, parameters) == [.perform(number(7), request)])
        #expect(code(peer.ask(7, method, parameters)) == -32600, "its id is taken")
        #expect(peer.server.finish(number(7), .success(.done)) == [.send(.result(number(7), [:]))])
        #expect(peer.server.finish(number(7), .success(.done)) == [])
        #expect(peer.ask(7, method, parameters).count == 1, "the id is free again")
    }

    @Test(arguments: [
        ("session/new", #"{"cwd":"a","mcpServers":[]}"#), ("session/new", #"{"mcpServers":[]}"#),
        ("session/list", #"{"cursor":"2"}"#),
        ("session/set_config_option", #"{"sessionId":"s","configId":"x","value":"y"}"#),
        ("session/set_config_option", #"{"sessionId":"s","configId":"mode","value":true}"#),
        ("session/prompt", #"{"sessionId":"s","prompt":[{"type":"audio","mimeType":"audio/wav","data":""}]}"#),
        ("session/prompt", #"{"sessionId":"s","prompt":[{"type":"text"}]}"#),
        (
            "session/prompt",
            #"{"sessionId":"s","prompt":[{"type":"resource","resource":{"uri":"file:///a","blob":"AA=="}}]}"#
        ),
    ]) func `parameters that do not fit are refused`(method: String, parameters: String) {
        var peer = Peer()
        #expect(code(peer.ask(1, method, parameters)) == -32602)
    }

    @Test func `a prompt becomes one text, and nothing in it ends a fence`() throws {
        let prompt = try ACPPrompt([
            ["type": "text", "text": "Look at "],
            ["type": "resource_link", "uri": "file:///a/b%20c.md", "name": "b c.md"],
            ["type": "text", "text": "!"], ["type": "image", "mimeType": "image/png", "data": "AA=="],
            ["type": "resource", "resource": ["uri": "file:///a/x%20y", "text": "one\n````\ntwo"]],
        ])
        #expect(prompt.pictures == ["AA=="])
        let expected = """
            Look at [b c.md](file:///a/b%20c.md)![x y](file:///a/x%20y)

            file:///a/x%20y
            `````
            one
            ````
            two
            `````
            """
        #expect(prompt.text == expected)
    }

    @Test func `texts that follow each other are paragraphs`() throws {
        let prompt = try ACPPrompt([["type": "text", "text": "Fix it"], ["type": "text", "text": "Look at a.swift"]])
        #expect(prompt.text == "Fix it\n\nLook at a.swift")
    }

    @Test func `what is asked is answered once, and not after it was withdrawn`() {
        var peer = Peer()
        let option = ACPPermissionRequest.Option(id: "once", name: "Allow", kind: "allow_once")
        let (one, step) = peer.server.ask("s", ACPToolCall(id: "c"), [option])
        guard case .send(.request(let id, let method, let parameters)) = step else { return #expect(Bool(false)) }
        #expect(method == "session/request_permission")
        #expect((try? ACPPermissionRequest(parameters))?.options == [option], "our own side reads it")
        let (two, _) = peer.server.ask("s", ACPToolCall(id: "d"), [option])
        let selected = ACPPermissionRequest.selected("once").text
        let answer = #"{"jsonrpc":"2.0","id":\#(one),"result":\#(selected)}"#
        #expect(id == number(one) && peer.say(answer) == [.answered(one, .option("once"))])
        #expect(peer.say(answer) == [])
        #expect(
            peer.server.withdraw(two)
                == [.send(.notification(method: "$/cancel_request", parameters: ["requestId": .number(String(two))]))])
        #expect(peer.server.withdraw(two) == [])
        #expect(peer.say(#"{"jsonrpc":"2.0","id":\#(two),"result":\#(selected)}"#) == [], "it came too late")
        for (result, expected): (String, ACPPermissionRequest.Answer) in [
            (ACPPermissionRequest.cancelled.text, .cancelled), ("{}", .failed), ("null", .failed),
            (#"{"outcome":{"outcome":"selected"}}"#, .failed),
        ] {
            let (number, _) = peer.server.ask("s", ACPToolCall(id: "e"), [option])
            #expect(
                peer.say(#"{"jsonrpc":"2.0","id":\#(number),"result":\#(result)}"#) == [.answered(number, expected)])
        }
        let (last, _) = peer.server.ask("s", ACPToolCall(id: "f"), [option])
        #expect(
            peer.say(#"{"jsonrpc":"2.0","id":\#(last),"error":{"code":-32601,"message":"no"}}"#)
                == [.answered(last, .failed)])
    }

    @Test func `a turn is cancelled by its session or its request`() {
        var peer = Peer()
        #expect(peer.ask(1, "session/prompt", #"{"sessionId":"s","prompt":[{"type":"text","text":"hi"}]}"#).count == 1)
        #expect(peer.tell("session/cancel", #"{"sessionId":"s"}"#) == [.cancel(session: "s")])
        #expect(peer.tell("$/cancel_request", #"{"requestId":1}"#) == [.withdraw(number(1))])
        #expect(peer.tell("$/cancel_request", #"{"requestId":2}"#) == [])
        #expect(peer.tell("session/cancel", "{}") == [] && peer.tell("unknown", "{}") == [])
        #expect(
            peer.server.finish(number(1), .success(.stopped("cancelled")))
                == [.send(.result(number(1), ["stopReason": "cancelled"]))])
    }

    @Test func `a line that cannot be read is answered, until there are too many`() {
        var peer = Peer()
        for line in ["{", "[]", "null", #""x""#, "\u{0}"] { #expect(code(peer.say(line)) == -32700, "\(line)") }
        #expect(code([peer.server.receive(.tooLong(beginning: []))[0]]) == -32700)
        #expect(
            peer.say(#"{"jsonrpc":"2.0","id":3,"method":"session/list","params":[]}"#)
                == [.send(.failure(number(3), .invalidRequest))])
        #expect(peer.say(#"{"jsonrpc":"1.0","id":3,"result":{}}"#) == [.send(.failure(nil, .invalidRequest))])
        var steps: [ACPServer.Step] = []
        for _ in 0..<ACPServerLimits.unreadable { steps = peer.say("{") }
        #expect(steps == [.giveUp])
    }

    @Test(arguments: [
        (#"{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":[{"id":1,"text":"a"#, JSONRPCMessage.ID.number("7")),
        (#"{ "method" : "m" , "params":{"id":3}, "id" : "a\"b" , "x":"#, .string("a\"b")),
        (#"{"method":"id","id":-1.5e3}"#, .number("-1.5e3")),
        (#"{"jsonrpc":"2.0","id":7,"result":{"method":"x""#, nil), (#"{"id":7,"id":8,"method":"m""#, nil),
        (#"{"method":"m","id":7"#, nil), (#"{"method":"m","id":null,"x":1"#, nil), (#"{"method":"m","id":"7"#, nil),
        (#"[{"method":"m","id":7,"x":1}"#, nil), (#"{"a":{"method":"m","id":7}}"#, nil), ("", nil), ("\"", nil),
        ("{\"", nil),
    ]) func `who asked too much is answered, if it can be seen who that is`(beginning: String, id: JSONRPCMessage.ID?) {
        var peer = Peer()
        let steps = peer.server.receive(.tooLong(beginning: Array(beginning.utf8)))
        guard case .send(.failure(let answered, _))? = steps.first else { return #expect(Bool(false)) }
        #expect(answered == id)
    }

    @Test func `a request that breaks a limit is answered`() {
        var peer = Peer()
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        let steps = peer.say(#"{"jsonrpc":"2.0","id":4,"method":"session/list","params":{"_meta":{"deep":\#(deep)}}}"#)
        guard case .send(.failure(number(4), let failure))? = steps.first else {
            return #expect(Bool(false), "\(steps)")
        }
        #expect(failure.code == -32700)
    }

    @Test func `modes and models are told in both ways`() throws {
        let settings = [
            ACPSetting(.mode, current: "ask", options: [.init(id: "ask", name: "Ask")]),
            ACPSetting(.model, current: "m", options: [.init(id: "m", name: "M")]),
        ]
        var peer = Peer()
        _ = peer.ask(1, "session/new", #"{"cwd":"/a","mcpServers":[]}"#)
        guard
            case .send(.result(_, let answer))? = peer.server.finish(
                number(1), .success(.opened(id: "s", settings: settings))
            ).first
        else { return #expect(Bool(false)) }
        let old =
            #"{"sessionId":"s","modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"}]},"models":{"currentModelId":"m","availableModels":[{"modelId":"m","name":"M"}]},"configOptions":"#
        #expect(answer.text.hasPrefix(old), "\(answer.text)")
    }

    @Test func `so many requests wait at most`() {
        var peer = Peer()
        for id in 1...ACPServerLimits.requests { #expect(code(peer.ask(id, "session/list")) == nil) }
        #expect(code(peer.ask(1000, "session/list")) == -32600)
        _ = peer.server.finish(number(1), .failure(.invalidParameters))
        #expect(code(peer.ask(1000, "session/list")) == nil)
    }

    private static let updates: [ACPUpdate.Kind] = {
        var call = ACPToolCall(id: "1")
        (call.title, call.kind, call.status) = ("Edit", "edit", "pending")
        call.content = [
            .content(ACPContent(text: "x")), .difference(path: "/a", old: nil, new: "n"),
            .difference(path: "/a", old: "o", new: ""), .terminal("t"), .unknown("hologram"),
        ]
        call.locations = [.init(path: "/a", line: 3), .init(path: "/b")]
        (call.input, call.output) = (["deep": [1]], "text")
        return [
            .userText(ACPContent(text: "a")), .agentText(ACPContent(text: "b")), .thought(ACPContent(text: "c")),
            .toolCall(call), .toolCallChanged(call), .toolCallChanged(ACPToolCall(id: "1")),
            .plan([ACPPlanEntry(content: "c", priority: "high", status: "pending")]), .commands([["name": "web"]]),
            .mode("ask"),
            .configOptions([ACPSetting(.model, current: "m", options: [.init(id: "m", name: "M")]).option]),
            .info(title: "T"), .info(title: nil), .usage(used: 5, size: 100), .unknown("from_the_future"),
        ]
    }()

    @Test(arguments: updates) func `an update that is written is read as what it was`(kind: ACPUpdate.Kind) throws {
        let update = ACPUpdate(kind)
        #expect(try ACPUpdate(BoundedJSON.object(JSONValue.object(update.object).text.utf8)) == update)
    }

    @Test func `of a call that changes only the change is told`() {
        var before = ACPToolCall(id: "1")
        (before.title, before.status) = ("Edit", "pending")
        var now = before
        #expect(now.change(since: before) == nil)
        now.status = "completed"
        #expect(now.change(since: before)?.object == ["toolCallId": "1", "status": "completed"])
    }
}
