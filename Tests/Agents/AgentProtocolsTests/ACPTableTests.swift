import AgentProtocols
import Testing
import Wire

/// Every method and update of version 1, as it stands on the wire. Each has members that nobody knows, and all of it comes out as it went in.
@Suite struct ACPTableTests {
    private static let extra = #""_meta":{"a":[1.50,"é",null]},"newer":1e3"#

    private static let methods: [(method: ACPMethod, parameters: String)] = [
        (.initialize, #""protocolVersion":1,"clientCapabilities":{"terminal":false}"#),
        (.authenticate, #""methodId":"key""#),
        (.logout, #""x":1"#),
        (.sessionNew, #""cwd":"/a","mcpServers":[]"#),
        (.sessionLoad, #""sessionId":"s","cwd":"/a","mcpServers":[]"#),
        (.sessionResume, #""sessionId":"s","cwd":"/a""#),
        (.sessionList, #""cursor":"c""#),
        (.sessionClose, #""sessionId":"s""#),
        (.sessionDelete, #""sessionId":"s""#),
        (.sessionSetMode, #""sessionId":"s","modeId":"ask""#),
        (.sessionSetConfigOption, #""sessionId":"s","configId":"model","value":true"#),
        (.sessionSetModel, #""sessionId":"s","modelId":"m""#),
        (.sessionPrompt, #""sessionId":"s","prompt":[{"type":"text","text":"hi"}]"#),
        (.sessionCancel, #""sessionId":"s""#),
        (.sessionUpdate, #""sessionId":"s","update":{"sessionUpdate":"plan","entries":[]}"#),
        (.sessionRequestPermission, #""sessionId":"s","toolCall":{"toolCallId":"1"},"options":[]"#),
        (.readTextFile, #""sessionId":"s","path":"/a","line":1"#),
        (.writeTextFile, #""sessionId":"s","path":"/a","content":"""#),
        (.terminalCreate, #""sessionId":"s","command":"ls""#),
        (.terminalOutput, #""sessionId":"s","terminalId":"t""#),
        (.terminalWaitForExit, #""sessionId":"s","terminalId":"t""#),
        (.terminalKill, #""sessionId":"s","terminalId":"t""#),
        (.terminalRelease, #""sessionId":"s","terminalId":"t""#),
        (.elicitationCreate, #""message":"name?","mode":"form""#),
        (.elicitationComplete, #""elicitationId":"e""#),
        (.cancelRequest, #""requestId":7"#),
    ]

    @Test func `the table has every method`() {
        #expect(Set(Self.methods.map(\.method)) == Set(ACPMethod.allCases))
    }

    @Test(arguments: methods) func `a method comes out as it went in`(method: ACPMethod, parameters: String) throws {
        let id = method.isNotification ? "" : #""id":"q","#
        let line =
            #"{"jsonrpc":"2.0",\#(id)"method":"\#(method.rawValue)","params":{\#(parameters),\#(Self.extra)},"z":0}"#
        let message = try JSONRPCMessage(line.utf8)
        #expect(String(decoding: message.line, as: UTF8.self) == line + "\n")
        switch message.content {
        case .request(.string("q"), let name, let object) where !method.isNotification:
            #expect(name == method.rawValue)
            try method.check(parameters: object)
        case .notification(let name, let object) where method.isNotification:
            #expect(name == method.rawValue)
            try method.check(parameters: object)
        default: Issue.record("it was read as something else")
        }
    }

    @Test func `a parameter that is missing or of another kind is refused`() throws {
        for (method, _) in Self.methods where ![.logout, .sessionList].contains(method) {
            #expect(throws: AgentProtocolError.self) { try method.check(parameters: [:]) }
        }
        #expect(throws: AgentProtocolError.self) { try ACPMethod.sessionCancel.check(parameters: ["sessionId": 1]) }
        #expect(throws: AgentProtocolError.self) { try ACPMethod.sessionPrompt.check(result: ["stopReason": 1]) }
        #expect(throws: AgentProtocolError.self) { try ACPMethod.sessionPrompt.check(result: []) }
        #expect(try ACPMethod.authenticate.check(result: nil) == [:])
    }

    private static func call(_ object: JSONObject) -> ACPToolCall? { try? ACPToolCall(object) }

    private static let updates: [(name: String, members: String, kind: ACPUpdate.Kind?)] = [
        ("user_message_chunk", #""content":{"type":"text","text":"a"}"#, .userText(ACPContent(text: "a"))),
        ("agent_message_chunk", #""content":{"type":"text","text":"b"}"#, .agentText(ACPContent(text: "b"))),
        ("agent_thought_chunk", #""content":{"type":"text","text":"c"}"#, .thought(ACPContent(text: "c"))),
        (
            "tool_call", #""toolCallId":"1","title":"Edit","kind":"edit","status":"pending""#,
            call(["toolCallId": "1", "title": "Edit", "kind": "edit", "status": "pending"]).map { .toolCall($0) }
        ),
        (
            "tool_call_update", #""toolCallId":"1","status":"completed","content":[],"rawOutput":{"a":1}"#,
            call(["toolCallId": "1", "status": "completed", "content": [], "rawOutput": ["a": 1]]).map {
                .toolCallChanged($0)
            }
        ),
        ("plan", #""entries":[]"#, .plan([])),
        ("available_commands_update", #""availableCommands":[{"name":"web"}]"#, .commands([["name": "web"]])),
        ("current_mode_update", #""currentModeId":"ask""#, .mode("ask")),
        ("config_option_update", #""configOptions":[]"#, .configOptions([])),
        ("session_info_update", #""title":"T""#, .info(title: "T")),
        ("usage_update", #""used":5,"size":100"#, .usage(used: 5, size: 100)),
        ("from_the_future", #""anything":[{}]"#, .unknown("from_the_future")),
    ]

    /// What a kind is called on the wire. One that is added needs a row, or this does not compile.
    private static func name(_ kind: ACPUpdate.Kind) -> String {
        switch kind {
        case .userText: "user_message_chunk"
        case .agentText: "agent_message_chunk"
        case .thought: "agent_thought_chunk"
        case .toolCall: "tool_call"
        case .toolCallChanged: "tool_call_update"
        case .plan: "plan"
        case .commands: "available_commands_update"
        case .mode: "current_mode_update"
        case .configOptions: "config_option_update"
        case .info: "session_info_update"
        case .usage: "usage_update"
        case .unknown(let name): name
        }
    }

    @Test func `the table has every kind of update`() {
        #expect(Self.updates.allSatisfy { row in row.kind.map { Self.name($0) == row.name } ?? false })
        #expect(Set(Self.updates.map(\.name)).count == 12)
    }

    @Test(arguments: updates) func `an update is understood and kept`(
        name: String, members: String, kind: ACPUpdate.Kind?
    ) throws {
        let text = #"{"sessionUpdate":"\#(name)",\#(members),\#(Self.extra)}"#
        let update = try ACPUpdate(BoundedJSON.object(text.utf8))
        #expect(update.kind == kind)
        #expect(JSONValue.object(update.object).text == text)
    }

    @Test func `an update without what its kind must have is refused`() {
        let broken = [
            "{}", #"{"sessionUpdate":1}"#, #"{"sessionUpdate":"tool_call","toolCallId":"1"}"#,
            #"{"sessionUpdate":"tool_call_update"}"#, #"{"sessionUpdate":"agent_message_chunk","content":{}}"#,
            #"{"sessionUpdate":"usage_update","used":-1,"size":5}"#, #"{"sessionUpdate":"plan"}"#,
        ]
        for text in broken {
            #expect(throws: AgentProtocolError.self, "\(text)") { try ACPUpdate(BoundedJSON.object(text.utf8)) }
        }
    }

    @Test func `a call of a tool has its results, places and input`() throws {
        let text = #"""
            {"sessionUpdate":"tool_call","toolCallId":"1","title":"Edit","kind":"edit","status":"pending","content":[
            {"type":"content","content":{"type":"text","text":"x"}},{"type":"diff","path":"/a","oldText":null,"newText":"n"},
            {"type":"terminal","terminalId":"t"},{"type":"hologram"}],"locations":[{"path":"/a","line":3},{"path":"/b"}],
            "rawInput":{"deep":[1]}}
            """#
        guard case .toolCall(let call) = try ACPUpdate(BoundedJSON.object(text.utf8)).kind else {
            Issue.record("it is no call")
            return
        }
        #expect((call.id, call.title, call.kind, call.status) == ("1", "Edit", "edit", "pending"))
        #expect(
            call.content == [
                .content(ACPContent(text: "x")), .difference(path: "/a", old: nil, new: "n"), .terminal("t"),
                .unknown("hologram"),
            ])
        #expect(call.locations?.map(\.line) == [3, nil])
        #expect(call.input?.text == #"{"deep":[1]}"#)
        #expect(call.output == nil)
    }

    private static let contents: [(json: JSONValue, kind: ACPContent.Kind?)] = [
        (["type": "text", "text": "a"], .text("a")),
        (["type": "image", "mimeType": "image/png", "data": "AA=="], .image(mimeType: "image/png", base64: "AA==")),
        (["type": "audio", "mimeType": "audio/wav", "data": ""], .audio(mimeType: "audio/wav", base64: "")),
        (["type": "resource_link", "uri": "file:///a", "name": "a"], .link(uri: "file:///a", name: "a")),
        (["type": "resource", "resource": ["uri": "file:///a", "text": "t"]], .resource(uri: "file:///a", text: "t")),
        (["type": "smell"], .unknown("smell")),
        (["type": "text"], nil), (["text": "a"], nil), ([], nil), (nil, nil),
    ]

    @Test(arguments: contents) func `content is understood by its kind`(json: JSONValue, kind: ACPContent.Kind?) {
        #expect(ACPContent(json)?.kind == kind)
        if let content = ACPContent(json) { #expect(JSONValue.object(content.object) == json) }
    }

    @Test func `a request whose answers cannot be told apart is refused`() throws {
        func request(_ options: JSONValue) throws -> ACPPermissionRequest {
            try ACPPermissionRequest(["sessionId": "s", "toolCall": ["toolCallId": "1"], "options": options])
        }
        func option(_ id: Int) -> JSONValue { ["optionId": .string("\(id)"), "name": "Go", "kind": "allow_once"] }
        #expect(try request([option(1), option(2)]).options.map(\.id) == ["1", "2"])
        for options: JSONValue in [
            [], [option(1), option(1)], [option(1), ["name": "?"]], .array((1...17).map(option)),
        ] {
            #expect(throws: AgentProtocolError.self) { try request(options) }
        }
        #expect(ACPPermissionRequest.selected("1").text == #"{"outcome":{"outcome":"selected","optionId":"1"}}"#)
        #expect(ACPPermissionRequest.cancelled.text == #"{"outcome":{"outcome":"cancelled"}}"#)
    }
}
