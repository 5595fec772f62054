import AgentProtocols
import Errors
import Testing
import Wire

@testable import Agents

/// What a gateway of ours tells of calls of tools, however an agent does: to clients of other makers, to ours, and in the history.
@Suite struct ServedToolsTests {
    private static let input: AgentText = #"{"path":"/a"}"#

    private static func begin(_ status: String, input: AgentText? = nil, id: String = "t") -> AgentEvent {
        var call = AgentToolCall(id: id, title: "read", status: status)
        call.input = input
        return .toolCall(call)
    }

    private static func change(
        _ status: String? = nil, input: AgentText? = nil, output: String? = nil, id: String = "t"
    ) -> AgentEvent {
        var call = AgentToolCall(id: id, status: status)
        call.input = input
        call.results = output.map { [.text(AgentText($0))] }
        return .toolCallChanged(call)
    }

    /// A session in which a message is asked.
    private func talk() throws -> ServedTalk {
        var talk = ServedTalk(id: "s")
        _ = try take(&talk, #"{"type":"message","id":1,"content":"go"}"#)
        return talk
    }

    private func take(_ talk: inout ServedTalk, _ line: String) throws -> [GatewayEvent] {
        talk.take(try GatewayRequest(line.utf8), from: 1, sessions: [], version: "1").compactMap {
            if case .answer(let event) = $0 { event } else { nil }
        }
    }

    private func told(_ talk: inout ServedTalk, _ events: [AgentEvent]) -> [GatewayEvent] {
        events.flatMap { talk.take($0, now: 0) }.compactMap { if case .tell(let event) = $0 { event } else { nil } }
    }

    /// What the history has of calls, as it goes over the wire.
    private func calls(_ talk: inout ServedTalk) throws -> [GatewayHistory.Message] {
        let event = try #require(try take(&talk, #"{"type":"get_history","id":9}"#).last)
        return try #require(GatewayHistory(try GatewayEvent(event.text.utf8))).messages.filter { $0.tool != nil }
    }

    /// What our client shows in the end.
    private func shown(_ events: [GatewayEvent]) throws -> [String: AgentToolCall] {
        var tools = GatewayTools()
        return GatewayToolsTests.shown(
            try events.flatMap { event in
                let read = try GatewayEvent(event.text.utf8)
                return tools.take(try #require(read.kind), read, at: 0)
            })
    }

    // MARK: Once

    private static let orders: [[AgentEvent]] = [
        [begin("in_progress"), change(input: input), change("completed"), change(output: "body")],
        [begin("pending"), change("in_progress", input: input), change("completed", output: "body")],
        [begin("in_progress"), change(output: "bo"), change(input: input), change("completed", output: "body")],
        [begin("pending", input: input), change("in_progress"), change("completed"), change(output: "body")],
        [begin("in_progress"), change("completed"), change(input: input), change(output: "body")],
        [begin("in_progress", input: "{}"), change(input: input), change("completed", output: "body")],
        [
            begin("pending", input: #"{"path"#), change("in_progress", input: input),
            change("completed", output: "body"),
        ],
        [
            begin("in_progress"), change("completed"), change("in_progress", input: input),
            change("completed", output: "body"),
        ],
        [change(input: input), change("in_progress"), change("completed", output: "body")],
        [change("completed", input: input, output: "body")],
        [begin("pending"), change(input: input), change("completed"), change("completed", output: "body")],
    ]

    @Test(arguments: orders, [false, true]) func `a call begins, runs and ends once`(
        order: [AgentEvent], isDoubled: Bool
    ) throws {
        var talk = try talk()
        let events = told(&talk, isDoubled ? order.flatMap { [$0, $0] } : order)
        func all(_ kind: GatewayEventKind) -> [GatewayEvent] { events.filter { $0.kind == kind } }
        #expect(all(.toolStart).count == 1 && events.first?.kind == .toolStart && all(.toolExec).count <= 1)
        #expect(all(.toolInput).map { $0.string("delta") }.joined() == Self.input.text)
        #expect(all(.toolDone).map { $0.string("output") } == ["body"] && events.last?.kind == .toolDone)
        #expect(told(&talk, [.turnEnded(.done)]).map(\.kind) == [.messageEnd, .done])
        let call = try #require(try shown(events)["t"])
        #expect(call.input == Self.input && call.results == [.text("body")] && call.status == "completed")
        let kept = try calls(&talk)
        #expect(kept.map(\.content) == ["body"] && kept.first?.tool?.input == ["path": "/a"])
    }

    /// A client of another maker puts pieces of an input to the call that began last, and believes each end.
    @Test func `the ordinary order of an agent stands on the wire as jcode has it`() throws {
        var talk = try talk()
        let lines = told(&talk, Self.orders[0]).map(\.text)
        #expect(
            lines == [
                #"{"type":"tool_start","id":"t","name":"read"}"#, #"{"type":"tool_exec","id":"t","name":"read"}"#,
                #"{"type":"tool_input","delta":"{\"path\":\"/a\"}"}"#,
                #"{"type":"tool_done","id":"t","name":"read","output":"body"}"#,
            ])
    }

    // MARK: The end

    private static let next: [AgentEvent] = [
        .text("x"), .reasoning("hm"), .usage(AgentUsage(input: 1)), .remark("x"), .plan([]), begin("pending", id: "u"),
        .rolledBack(whole: true), .turnEnded(.done), .turnEnded(.cancelled), .ended(nil), .link(.away),
    ]

    @Test(arguments: next, ["completed", "failed"]) func `a call without output ends when the agent goes on`(
        next: AgentEvent, status: String
    ) throws {
        var talk = try talk()
        #expect(told(&talk, [Self.begin("in_progress"), Self.change(status)]).map(\.kind) == [.toolStart, .toolExec])
        #expect(try calls(&talk) == [])
        let events = told(&talk, [next])
        let done = try #require(events.first)
        #expect(done.kind == .toolDone && events.count { $0.kind == .toolDone } == 1)
        #expect(done.string("output") == "" && done.object.string("error") == (status == "failed" ? "failed" : nil))
        #expect(try calls(&talk).map(\.content) == [""])
    }

    @Test func `what comes of a call later replaces what was told, and the same is not told again`() throws {
        var talk = try talk()
        var events = told(&talk, [Self.begin("in_progress"), Self.change("completed"), .text("x")])
        let more = told(&talk, [Self.change(output: "body"), Self.change(output: "body"), Self.change("completed")])
        #expect(more.map(\.kind) == [.toolDone] && more.first?.string("output") == "body")
        events += more
        #expect(try shown(events)["t"]?.results == [.text("body")])
        #expect(try calls(&talk).map(\.content) == ["body"])
        // Another name is no other end.
        var renamed = AgentToolCall(id: "t", title: "read /a")
        renamed.input = Self.input
        #expect(told(&talk, [.toolCallChanged(renamed)]) == [])
        let kept = try calls(&talk)
        #expect(kept.count == 1 && kept.first?.tool?.name == "read /a" && kept.first?.tool?.input == ["path": "/a"])
        #expect(told(&talk, [.turnEnded(.done), Self.change(output: "late")]).last?.string("output") == "late")
        #expect(try calls(&talk).map(\.content) == ["late"])
    }

    @Test func `the same name in another turn is another call`() throws {
        var talk = try talk()
        _ = told(&talk, [Self.begin("in_progress"), Self.change("completed", output: "one"), .turnEnded(.done)])
        _ = try take(&talk, #"{"type":"message","id":2,"content":"go on"}"#)
        let events = told(&talk, [Self.begin("in_progress"), Self.change("completed", output: "two")])
        #expect(events.map(\.kind) == [.toolStart, .toolExec, .toolDone])
        #expect(try calls(&talk).map(\.content) == ["one", "two"])
    }

    @Test func `a call that did not run is forgotten with its message`() throws {
        var talk = try talk()
        let again: [AgentEvent] = [Self.begin("pending"), .rolledBack(whole: true), Self.change("in_progress")]
        #expect(told(&talk, again).map(\.kind) == [.toolStart, .retryRollback, .toolStart, .toolExec])
        #expect(told(&talk, [.rolledBack(whole: true), Self.change("in_progress")]).map(\.kind) == [.retryRollback])
    }

    // MARK: What it is given

    @Test(arguments: [["in_progress", "completed"], ["completed"]])
    func `what cannot be told as a piece goes along with the next step`(steps: [String]) throws {
        var talk = try talk()
        // Pieces name no call: those of the first would stand at the second.
        var events = told(
            &talk, [Self.begin("pending"), Self.begin("pending", id: "u"), Self.change(input: Self.input)])
        #expect(events.map(\.kind) == [.toolStart, .toolStart])
        events += told(&talk, steps.map { Self.change($0, output: "body") })
        #expect(events.compactMap { $0.object["input"] } == [["path": "/a"]], "once")
        let calls = try shown(events)
        #expect(calls["t"]?.input == Self.input && calls["u"]?.input == nil)
    }

    @Test func `what turns out to be something else is told as a whole`() throws {
        var talk = try talk()
        let events = told(
            &talk,
            [
                Self.begin("pending", input: #"{"path":"/b"}"#), Self.change("in_progress", input: Self.input),
                Self.change(input: #"{"path":"/a","line":1}"#), Self.change("completed", output: "body"),
            ])
        #expect(try shown(events)["t"]?.input == #"{"path":"/a","line":1}"#)
    }

    @Test func `a client that comes in the middle of a call hears at its end what it was given`() throws {
        var talk = try talk()
        _ = told(&talk, [Self.begin("in_progress", input: Self.input)])
        _ = try calls(&talk)
        let events = told(&talk, [Self.change("completed", output: "body")])
        #expect(try shown(events)["t"]?.input == Self.input)
    }

    private static let given: [(text: String, json: JSONValue)] = [
        (#"{"a":[1.50,null]}"#, ["a": [.number("1.50"), nil]]), ("[1]", [1]), (#""ls""#, "ls"), ("7", 7),
        ("ls -l", "ls -l"), (#"{"a":1"#, #"{"a":1"#), (#"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#),
        (
            String(repeating: "[", count: 40) + String(repeating: "]", count: 40),
            .string(String(repeating: "[", count: 40) + String(repeating: "]", count: 40))
        ),
        (
            "[" + Array(repeating: "0", count: 20_000).joined(separator: ",") + "]",
            .string("[" + Array(repeating: "0", count: 20_000).joined(separator: ",") + "]")
        ),
    ]

    @Test(arguments: given) func `the history has it as JSON, if every client can read that`(
        text: String, json: JSONValue
    ) throws {
        var talk = try talk()
        _ = told(&talk, [Self.begin("in_progress", input: AgentText(text)), Self.change("completed", output: "x")])
        #expect(try calls(&talk).map { $0.tool?.input } == [json])
    }

    @Test func `a history that is full can be read`() throws {
        var talk = try talk()
        let many = AgentText("[" + Array(repeating: "0", count: 10_000).joined(separator: ",") + "]")
        for number in 0..<40 {
            _ = told(&talk, [Self.begin("completed", input: many, id: "\(number)"), .text("x")])
        }
        #expect(try calls(&talk).count > 3)
        var history = ServedHistory()
        for number in 0..<16_500 {
            history.add(role: "tool", "", GatewayHistory.Tool(id: "\(number)", name: "n", input: [:]))
        }
        let event = GatewayHistory.compacted(id: 1, session: "s", messages: history.messages)
        #expect(throws: Never.self) { try GatewayEvent(event.text.utf8) }
    }
}
