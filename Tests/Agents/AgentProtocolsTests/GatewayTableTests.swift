import AgentProtocols
import Testing
import Wire

/// Every request and every event of a mobile client of jcode's gateway, as it stands on the wire. Each has members that nobody knows, and all of it comes
/// out as it went in.
@Suite struct GatewayTableTests {
    private static let extra = #""_x":{"a":[1.50,"é",null]},"newer":1e3"#

    private static let requests: [(kind: GatewayRequestKind, members: String)] = [
        (
            .subscribe,
            #""working_dir":"/p","target_session_id":"s","client_instance_id":"c","client_has_local_history":true,"allow_session_takeover":true,"terminal_env":[["A","b"]],"selfdev":false"#
        ),
        (
            .message,
            #""content":"hello","images":[["image/png","AAAA"]],"system_reminder":"r","active_skill":"k","no_reply":true"#
        ),
        (.cancel, #""x":1"#),
        (.softInterrupt, #""content":"wait","images":[],"urgent":true"#),
        (.cancelSoftInterrupts, #""x":1"#),
        (.backgroundTool, #""x":1"#),
        (.clear, #""x":1"#),
        (.rewind, #""message_index":3"#),
        (.rewindUndo, #""x":1"#),
        (.ping, #""x":1"#),
        (.state, #""x":1"#),
        (.getHistory, #""x":1"#),
        (.getModelCatalog, #""x":1"#),
        (.getCompactedHistory, #""visible_messages":20"#),
        (
            .resumeSession,
            #""session_id":"s","client_instance_id":"c","client_has_local_history":false,"allow_session_takeover":false"#
        ),
        (.cycleModel, #""direction":-1"#),
        (.setModel, #""model":"m""#),
        (.setRoute, #""selection":{"model":"m","route":1}"#),
        (.setReasoningEffort, #""effort":"high""#),
        (.renameSession, #""title":"T""#),
        (.split, #""x":1"#),
        (.transfer, #""x":1"#),
        (.compact, #""x":1"#),
        (.stdinResponse, #""request_id":"r","input":"secret""#),
    ]

    private static let events: [(kind: GatewayEventKind, members: String)] = [
        (.ack, #""id":1"#),
        (.done, #""id":18446744073709551615"#),
        (.error, #""id":1,"message":"no","retry_after_secs":5"#),
        (.pong, #""id":1"#),
        (.state, #""id":1,"session_id":"s","message_count":2,"is_processing":true"#),
        (.textDelta, #""text":"a\n""#),
        (.textReplace, #""text":"b""#),
        (.reasoningDelta, #""text":"hm""#),
        (.reasoningDone, #""duration_secs":1.25"#),
        (.messageEnd, #""stop_reason":"end_turn""#),
        (.retryRollback, #""attempt":1,"max":3"#),
        (.interrupted, #""x":1"#),
        (.providerGuardrail, #""stop_reason":"refusal","message":"no""#),
        (.tokens, #""input":1,"output":2,"cache_read_input":3,"cache_creation_input":4"#),
        (.toolStart, #""id":"t","name":"bash""#),
        (.toolInput, #""delta":"{\"a\"""#),
        (.toolExec, #""id":"t","name":"bash""#),
        (.toolDone, #""id":"t","name":"bash","output":"o","error":"e""#),
        (.batchProgress, #""progress":{"done":1}"#),
        (.stdinRequest, #""request_id":"r","prompt":"Password:","is_password":true,"tool_call_id":"t""#),
        (.generatedImage, #""id":"i","path":"/a.png","output_format":"png""#),
        (.sidePaneImages, #""session_id":"s","images":[]"#),
        (.session, #""session_id":"s""#),
        (.sessionCloseRequested, #""reason":"r""#),
        (.sessionRenamed, #""session_id":"s","title":"T","display_title":"T""#),
        (
            .history,
            #""id":1,"session_id":"s","messages":[{"role":"user","content":"a"},{"role":"tool","content":"o","tool_data":{"id":"t","name":"bash","input":{"command":"ls"},"intent":"i"}}],"total_tokens":[1,2],"all_sessions":["s"],"activity":{"is_processing":true,"current_tool_name":"bash"},"was_interrupted":true"#
        ),
        (
            .compactedHistory,
            #""id":1,"session_id":"s","messages":[],"compacted_total":9,"compacted_visible":2,"compacted_remaining":7"#
        ),
        (.compaction, #""trigger":"auto","pre_tokens":9"#),
        (.compactResult, #""id":1,"message":"m","success":false"#),
        (.contextMessageAdded, #""id":1"#),
        (.softInterruptInjected, #""content":"c","display_role":"user","point":"A","tools_skipped":2"#),
        (.memoryInjected, #""count":3,"prompt":"p""#),
        (.splitResponse, #""id":1,"new_session_id":"n","new_session_name":"N""#),
        (.connectionType, #""connection":"https""#),
        (.connectionPhase, #""phase":"connecting""#),
        (.statusDetail, #""detail":"d""#),
        (.upstreamProvider, #""provider":"p""#),
        (.modelChanged, #""id":1,"model":"m","provider_name":"p","error":"e""#),
        (.reasoningEffortChanged, #""id":1,"effort":"low""#),
        (.availableModelsUpdated, #""available_models":["m"],"provider_model":"m""#),
        (.mcpStatus, #""servers":["a:3"]"#),
        (
            .notification,
            #""from_session":"s","from_name":"n","notification_type":{"kind":"file_conflict","path":"/a"},"message":"m""#
        ),
        (.reloading, #""new_socket":"/s""#),
        (.reloadProgress, #""step":"s","message":"m","success":true"#),
        (.swarmStatus, #""members":[]"#),
        (.swarmPlan, #""swarm_id":"w","version":1,"items":[]"#),
        (
            .swarmPlanProposal,
            #""swarm_id":"w","proposer_session":"s","items":[],"summary":"u","proposal_key":"k""#
        ),
    ]

    @Test func `the tables have every kind`() {
        #expect(Set(Self.requests.map(\.kind)) == Set(GatewayRequestKind.allCases))
        #expect(Set(Self.events.map(\.kind)) == Set(GatewayEventKind.allCases))
    }

    @Test(arguments: requests) func `a request comes out as it went in`(
        kind: GatewayRequestKind, members: String
    ) throws {
        let line = #"{"type":"\#(kind.rawValue)","id":18446744073709551615,\#(members),\#(Self.extra)}"#
        let request = try GatewayRequest(line.utf8)
        #expect(request.kind == kind && request.id == .max && request.text == line)
    }

    @Test(arguments: events) func `an event comes out as it went in`(kind: GatewayEventKind, members: String) throws {
        let line = #"{"type":"\#(kind.rawValue)",\#(members),\#(Self.extra)}"#
        let event = try GatewayEvent(line.utf8)
        #expect(event.kind == kind && event.text == line)
    }

    @Test func `a kind that nobody knows is kept as it is`() throws {
        let line = #"{"type":"comm_list","id":7,"session_id":"s","deep":{"a":[1.0]}}"#
        let request = try GatewayRequest(line.utf8)
        #expect(request.kind == nil && request.type == "comm_list" && request.text == line)
        let event = try GatewayEvent(line.utf8)
        #expect(event.kind == nil && event.type == "comm_list" && event.text == line)
    }

    @Test(
        arguments: [
            #"{"type":"message","id":1}"#, #"{"type":"message","id":-1,"content":""}"#,
            #"{"type":"message","content":""}"#,
            #"{"type":"message","id":18446744073709551616,"content":""}"#, #"{"type":1,"id":1}"#, "[]", "", "x",
            #"{"type":"rewind","id":1,"message_index":1.5}"#, #"{"type":"ping","id":1,"id":2}"#,
        ])
    func `a request without what it must have is refused`(line: String) {
        #expect(throws: AgentProtocolError.self) { try GatewayRequest(line.utf8) }
    }

    @Test(
        arguments: [
            #"{"type":"text_delta"}"#, #"{"type":"text_delta","text":1}"#, #"{"type":"done"}"#, #"{"id":1}"#,
            #"{"type":"state","id":1,"session_id":"s","message_count":2,"is_processing":1}"#,
            #"{"type":"notification","from_session":"s","notification_type":"x","message":"m"}"#,
        ])
    func `an event without what it must have is refused`(line: String) {
        #expect(throws: AgentProtocolError.self) { try GatewayEvent(line.utf8) }
    }

    @Test func `what we write is in the order in which it was given, without what is missing`() {
        let request = GatewayRequest(
            .subscribe, id: 3, ["working_dir": "/p", "target_session_id": nil, "allow_session_takeover": true])
        #expect(
            request.text == #"{"type":"subscribe","id":3,"working_dir":"/p","allow_session_takeover":true}"#)
        #expect(GatewayEvent(.pong, ["id": 5]).text == #"{"type":"pong","id":5}"#)
    }

    @Test func `a history is understood with tools whose input is any JSON`() throws {
        let members = try #require(Self.events.first { $0.kind == .history }).members
        let event = try GatewayEvent(#"{"type":"history",\#(members)}"#.utf8)
        let history = try #require(GatewayHistory(event))
        #expect(history.session == "s" && history.messages.map(\.role) == ["user", "tool"])
        #expect(history.messages[1].tool?.input == ["command": "ls"] && history.messages[1].content == "o")
        #expect(history.isProcessing == true && history.wasInterrupted && !history.isComplete)
        let own = GatewayHistory.event(
            id: 9, session: "s", messages: history.messages, isProcessing: false,
            sessions: [.init(id: "s", title: "Tidy")], version: "1")
        let again = try #require(GatewayHistory(try GatewayEvent(own.text.utf8)))
        #expect(again.messages == history.messages && again.isProcessing == false && again.isComplete)
    }
}
