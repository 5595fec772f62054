import AgentProtocols
import Networking
import Synchronization
import Testing
import Wire

@testable import Agents

/// What a gateway takes back is not shown twice.
@Suite(.timeLimit(.minutes(5))) struct GatewayRollbackTests {
    /// A model that is asked three times before it answers, the second time in the middle of a call, and texts that are replaced.
    private static let script = [
        #"{"type":"text_delta","text":"I look "}"#,
        #"{"type":"retry_rollback","attempt":1,"max":3}"#,
        #"{"type":"reasoning_delta","text":"hm"}"#,
        #"{"type":"text_delta","text":"I see "}"#,
        #"{"type":"tool_start","id":"x1","name":"bash"}"#,
        #"{"type":"tool_input","delta":"{\"a\":"}"#,
        #"{"type":"retry_rollback","attempt":2,"max":3}"#,
        #"{"type":"text_delta","text":"I read it. "}"#,
        #"{"type":"tool_start","id":"t1","name":"read"}"#,
        #"{"type":"tool_exec","id":"t1","name":"read"}"#,
        #"{"type":"tool_done","id":"t1","name":"read","output":"x"}"#,
        #"{"type":"text_delta","text":"Two <call>"}"#,
        #"{"type":"text_replace","text":"Two "}"#,
        #"{"type":"tool_start","id":"t2","name":"read"}"#,
        #"{"type":"tool_exec","id":"t2","name":"read"}"#,
        #"{"type":"tool_done","id":"t2","name":"read","output":"y"}"#,
        #"{"type":"text_delta","text":"lines."}"#,
        #"{"type":"text_replace","text":"lines."}"#,
        #"{"type":"text_replace","text":"or three lines"}"#,
        #"{"type":"text_replace","text":"or three lines."}"#,
        #"{"type":"done","id":ID}"#,
    ]
    private static let answer = "I read it. Two or three lines."

    @Test func `a retried answer and a replaced text are shown once`() async throws {
        let gateway = StrictGateway(Self.script)
        try await gateway.run { agent in
            try await agent.start()
            for _ in 0..<2 {
                let events = try await Agent.turn(of: agent, "hello")
                let shown = Shown(events)
                #expect(shown.text == Self.answer && shown.calls == ["t1", "t2"] && shown.thoughts == "")
                #expect(events.count { $0 == .rolledBack(whole: true) } == 2)
                #expect(events.count { $0 == .rolledBack(whole: false) } == 2, "a text that goes on is not replaced")
            }
        }
    }

    /// The line before which the connection is cut: each of the turn.
    @Test(arguments: Array(11...12 + script.count), [false, true])
    func `a cut anywhere leaves nothing that does not count`(place: Int, pauses: Bool) async throws {
        for isExact in [false, true] {
            let gateway = StrictGateway(Self.script, cuts: [place], pauses: pauses)
            gateway.state.withLock { $0.isExact = isExact }
            try await gateway.run { agent in
                try await agent.start()
                let events = try await Agent.turn(of: agent, "hello")
                let shown = Shown(events).text.filter { !$0.isWhitespace }
                let answer = Self.answer.filter { !$0.isWhitespace }
                // Of a gateway whose history lacks what is under way nobody knows what was taken back meanwhile.
                #expect(isExact ? shown == answer : shown.hasSuffix(answer))
                #expect(events.last == .turnEnded(.done))
                if isExact { #expect(Shown(events).calls == ["t1", "t2"]) }
            }
        }
    }

    @Test func `what is no answer is told beside it, and bounded`() async throws {
        var script = [
            #"{"type":"status_detail","detail":"Waits until somebody allows it"}"#,
            #"{"type":"provider_guardrail","message":"not this"}"#,
            #"{"type":"notification","from_session":"s2","from_name":"Bee","notification_type":{"kind":"message"},"message":"hi"}"#,
            #"{"type":"compaction","trigger":"auto"}"#,
        ]
        let remarks = AgentLimits.remarks
        script += (0..<remarks).map { #"{"type":"not_known_\#($0)"}"# }
        let gateway = StrictGateway(script + [#"{"type":"text_delta","text":"a"}"#, #"{"type":"done","id":ID}"#])
        try await gateway.run { agent in
            try await agent.start()
            for _ in 0..<2 {
                let events = try await Agent.turn(of: agent, "hello")
                let told = events.compactMap { if case .remark(let text) = $0 { text.text } else { nil } }
                #expect(told.prefix(3) == ["not this", "Bee: hi", "compaction: auto"] && told.count == remarks - 1)
                #expect(
                    told.last == #"{"type":"not_known_\#(remarks - 5)"}"#, "one is kept for the reason of a failure")
                #expect(events.contains(.detail("Waits until somebody allows it")) && events.text == "a")
            }
        }
    }

    @Test func `what an agent takes back goes through a gateway of ours, and out of its history`() async throws {
        let script: [ScriptedAgent.Line] = [
            .say(.rolledBack(whole: true)), .say(.text("a")), .say(.rolledBack(whole: true)), .say(.text("One. ")),
            .say(.toolCall(AgentToolCall(id: "t", title: "look", status: "in_progress"))), .say(.text("b")),
            .say(.rolledBack(whole: false)), .say(.rolledBack(whole: false)),
            .say(.toolCallChanged(AgentToolCall(id: "t", status: "completed"))), .say(.text("Two.")),
        ]
        try await ServedGateway.run(script) { gateway in
            let token = try await gateway.pair()
            try await Agent.run(gateway.agent(token)) { agent in
                try await agent.start()
                #expect(Shown(try await Agent.turn(of: agent, "hi")).text == "One. Two.")
            }
            let socket = try await gateway.socket(token.text)
            try socket.send(#"{"type":"subscribe","id":1,"working_dir":"\#(gateway.folder)/project"}"#)
            try socket.send(#"{"type":"get_history","id":2}"#)
            let first = try #require(try await socket.events(upTo: .history).last)
            let own = try #require(GatewayHistory(first)).session
            let other = try #require(first.object.array("all_sessions").compactMap(\.string).first { $0 != own })
            try socket.send(#"{"type":"resume_session","id":3,"session_id":"\#(other)"}"#)
            try socket.send(#"{"type":"get_history","id":4}"#)
            let told = try #require(try await socket.events(upTo: .history).last)
            let answer = try #require(GatewayHistory(told)).messages.filter { $0.role == "assistant" }
            #expect(answer.map(\.content).joined() == "One. Two.")
            socket.close()
        }
    }
}

/// What a person sees of a turn, as the core keeps it.
private struct Shown {
    fileprivate enum Part { case text(String), thought(String), call(String, isPending: Bool) }

    private var parts: [Part] = []

    init(_ events: [AgentEvent]) {
        for event in events {
            switch event {
            case .text(let text): parts.append(.text(text.text))
            case .reasoning(let text): parts.append(.thought(text.text))
            case .toolCall(let call), .toolCallChanged(let call):
                let part = Part.call(call.id, isPending: call.status == "pending")
                if let place = parts.firstIndex(where: { $0.id == call.id }) {
                    parts[place] = part
                } else {
                    parts.append(part)
                }
            case .rolledBack(let isWhole): rollBack(isWhole)
            default: break
            }
        }
    }

    private mutating func rollBack(_ isWhole: Bool) {
        let last = parts.lastIndex {
            if case .call(_, let isPending) = $0 { !isWhole || !isPending } else { false }
        }
        let start = last.map { $0 + 1 } ?? 0
        parts = parts[..<start] + parts[start...].filter { if case .thought = $0 { !isWhole } else { false } }
    }

    var text: String { parts.reduce("") { if case .text(let text) = $1 { $0 + text } else { $0 } } }
    var thoughts: String { parts.reduce("") { if case .thought(let text) = $1 { $0 + text } else { $0 } } }
    var calls: [String] { parts.compactMap(\.id) }
}

extension Shown.Part {
    fileprivate var id: String? { if case .call(let id, _) = self { id } else { nil } }
}
