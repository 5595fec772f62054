import AgentProtocols
import Testing
import Wire

@testable import Agents

/// What a client makes of what a gateway tells of calls of tools, however often and in whatever order it does.
@Suite struct GatewayToolsTests {
    private static func events(_ tools: inout GatewayTools, _ lines: [String]) throws -> [AgentEvent] {
        try lines.flatMap { line in
            let event = try GatewayEvent(line.utf8)
            return tools.take(try #require(event.kind), event, at: 0)
        }
    }

    /// What a person sees in the end.
    static func shown(_ events: [AgentEvent]) -> [String: AgentToolCall] {
        events.reduce(into: [:]) { calls, event in
            switch event {
            case .toolCall(let call), .toolCallChanged(let call): calls[call.id] = calls[call.id]?.with(call) ?? call
            default: break
            }
        }
    }

    private static let start = #"{"type":"tool_start","id":"t","name":"read"}"#
    private static let input = #"{"type":"tool_input","delta":"{\"a\":1}"}"#
    private static let exec = #"{"type":"tool_exec","id":"t","name":"read"}"#
    private static func done(_ output: String, _ more: String = "") -> String {
        #"{"type":"tool_done","id":"t","name":"read","output":"\#(output)"\#(more)}"#
    }

    private static let orders: [[String]] = [
        [start, input, exec, done("body")], [start, exec, input, done("body")],
        [start, input, exec, done(""), done("body")], [start, start, input, exec, exec, done("body"), done("body")],
        [start, input, exec, done("wrong", #","error":"wrong""#), done("body")],
        [start, input, done("body"), exec, start], [start, exec, done("body", #","input":{"a":1}"#)],
        [exec, done("body", #","input":{"a":1}"#)], [done("body", #","input":"{\"a\":1}""#)],
        [start, input, input, done("body", #","input":{"a":1}"#)],
        [start, exec, done(""), done("body", #","input":{"a":1}"#)],
    ]

    @Test(arguments: orders) func `what it was given and the whole output are shown`(lines: [String]) throws {
        var tools = GatewayTools()
        let events = try Self.events(&tools, lines)
        let call = try #require(Self.shown(events)["t"])
        #expect(call.input == "{\"a\":1}" && call.results == [.text("body")] && call.status == "completed")
        #expect(!tools.isRunning)
    }

    @Test func `the same end is told once, and one that is over does not run again`() throws {
        var tools = GatewayTools()
        _ = try Self.events(&tools, [Self.start, Self.exec, Self.done("body")])
        #expect(try Self.events(&tools, [Self.done("body"), Self.exec, Self.start, Self.input]) == [])
        #expect(try Self.events(&tools, [Self.done("more")]).count == 1)
        #expect(try Self.events(&tools, [Self.done("more")]) == [])
    }

    @Test func `what comes late of what a tool is given is shown while it runs, a few times`() throws {
        var tools = GatewayTools()
        _ = try Self.events(&tools, [Self.start, Self.exec])
        let events = try Self.events(&tools, Array(repeating: #"{"type":"tool_input","delta":"x"}"#, count: 1000))
        let inputs = events.compactMap { if case .toolCallChanged(let call) = $0 { call.input?.text } else { nil } }
        #expect(inputs.first == "x" && inputs.dropFirst().first == "xx" && inputs.count < 100)
        let end = try Self.events(&tools, [Self.done("body")])
        let call = try #require(Self.shown(end)["t"])
        #expect(call.input?.text.count == 1000)
    }

    @Test func `what unfinished calls are given is bounded together`() throws {
        var tools = GatewayTools()
        let piece = GatewayEvent(.toolInput, ["delta": .string(String(repeating: "x", count: 1 << 20))])
        var bytes = 0
        for number in 0..<12 {
            let start = GatewayEvent(.toolStart, ["id": .string("\(number)"), "name": "n"])
            _ = tools.take(.toolStart, start, at: 0) + tools.take(.toolInput, piece, at: 0)
        }
        for number in 0..<12 {
            let done = GatewayEvent(.toolDone, ["id": .string("\(number)"), "name": "n", "output": ""])
            bytes += Self.shown(tools.take(.toolDone, done, at: 0))["\(number)"]?.input?.text.utf8.count ?? 0
        }
        #expect(bytes == 8 << 20)
    }

    private func took(_ tools: inout GatewayTools, _ input: JSONValue, _ content: String) -> [AgentEvent] {
        let tool = GatewayHistory.Tool(id: "t", name: "read", input: input)
        return tools.took(tool, GatewayHistory.Message(role: "tool", content: content, tool: tool), at: 0)
    }

    private static let inputs: [(json: JSONValue, shown: AgentText?)] = [
        (["a": 1], #"{"a":1}"#), ([1, "x"], #"[1,"x"]"#), ("ls -l", "ls -l"), ("", nil), (nil, nil), (7, "7"),
    ]

    @Test(arguments: inputs) func `a history tells what a tool was given as it is`(
        json: JSONValue, shown: AgentText?
    ) throws {
        var tools = GatewayTools()
        let events = took(&tools, json, "body")
        let call = try #require(Self.shown(events)["t"])
        #expect(call.input == shown && call.results == [.text("body")] && call.status == "completed")
        #expect(took(&tools, json, "other") == [], "what was told says more")
    }

    @Test(arguments: ["completed", "failed"]) func `a history fills what was told without output`(
        status: String
    ) throws {
        var tools = GatewayTools()
        let error = status == "failed" ? #","error":"""# : ""
        _ = try Self.events(&tools, [Self.start, Self.exec, Self.done("", error)])
        #expect(took(&tools, nil, "") == [])
        let events = took(&tools, nil, "body")
        let call = try #require(Self.shown(events)["t"])
        #expect(call.results == [.text("body")] && call.status == status)
        #expect(took(&tools, nil, "body") == [])
    }
}
