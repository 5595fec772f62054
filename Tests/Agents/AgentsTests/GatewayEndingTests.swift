import AgentProtocols
import Errors
import Networking
import Synchronization
import Testing
import Wire

@testable import Agents

/// How a turn over a gateway ends, and what a person hears of that.
@Suite struct GatewayEndingTests {
    private static let failed = AgentEvent.turnEnded(
        .failed(AgentError(.refused, "a answered the message with an error")))

    /// A session in which the gateway has taken a message.
    private func running() throws -> GatewaySession {
        var session = GatewaySession(name: "a", folder: "/p", instance: "i")
        _ = join(&session)
        _ = try session.prompt(AgentPrompt("go"))
        _ = session.receive(#"{"type":"ack","id":\#(session.turn?.id ?? 0)}"#.utf8)
        return session
    }

    private func join(
        _ session: inout GatewaySession, messages: String = "[]", isProcessing: Bool = false
    ) -> [GatewaySession.Step] {
        _ = session.connected()
        let (state, history) = (session.joining?.state ?? 0, session.joining?.history ?? 0)
        _ = session.receive(
            #"{"type":"state","id":\#(state),"session_id":"s1","message_count":1,"is_processing":\#(isProcessing)}"#
                .utf8)
        return session.receive(Self.history(history, messages).utf8)
    }

    private static func history(_ id: UInt64, _ messages: String) -> String {
        #"{"type":"history","id":\#(id),"session_id":"s1","messages":\#(messages)}"#
    }

    private func told(_ steps: [GatewaySession.Step]) -> [AgentEvent] {
        steps.compactMap { if case .tell(let event) = $0 { event } else { nil } }
    }

    private func requests(_ steps: [GatewaySession.Step]) -> [GatewayRequest] {
        steps.compactMap { if case .send(let request) = $0 { request } else { nil } }
    }

    private func done(_ session: inout GatewaySession) -> [AgentEvent] {
        told(session.receive(#"{"type":"done","id":\#(session.turn?.id ?? 0)}"#.utf8))
    }

    private func error(_ session: inout GatewaySession) -> [GatewaySession.Step] {
        session.receive(#"{"type":"error","id":\#(session.turn?.id ?? 0),"message":"no credit"}"#.utf8)
    }

    // MARK: Why

    private static let reasons: [(said: [String?], stop: AgentStop)] = [
        (["max_tokens"], .tokenLimit), (["refusal"], .refused), (["max_turn_requests"], .requestLimit),
        (["end_turn"], .done), (["tool_use"], .done), (["a word of tomorrow"], .done), ([nil], .done), ([], .done),
        (["tool_use", "max_tokens"], .tokenLimit), (["max_tokens", "end_turn"], .done), (["refusal", nil], .done),
        (["max_tokens", "refusal", "refusal"], .refused),
    ]

    @Test(arguments: reasons) func `the last message of the model says how the turn ends`(
        said: [String?], stop: AgentStop
    ) throws {
        var session = try running()
        for reason in said {
            let end = GatewayEvent(.messageEnd, ["stop_reason": reason.map { .string($0) }])
            #expect(session.receive(end.text.utf8).isEmpty)
        }
        #expect(done(&session) == [.turnEnded(stop)])
        // What comes late, and the next turn, are not about it.
        _ = session.receive(#"{"type":"message_end","stop_reason":"refusal"}"#.utf8)
        _ = try session.prompt(AgentPrompt("again"))
        _ = session.receive(#"{"type":"message_end","stop_reason":"refusal"}"#.utf8)
        _ = session.receive(#"{"type":"ack","id":\#(session.turn?.id ?? 0)}"#.utf8)
        #expect(done(&session) == [.turnEnded(.done)])
    }

    @Test func `a turn that a person stopped is stopped, whatever its last message says`() throws {
        var session = try running()
        _ = session.receive(#"{"type":"message_end","stop_reason":"max_tokens"}"#.utf8)
        _ = session.cancel()
        #expect(done(&session) == [.turnEnded(.cancelled)])
    }

    /// What the core holds its queue for, it holds it for behind a gateway, too.
    @Test(arguments: [AgentStop.done, .tokenLimit, .requestLimit, .refused, .cancelled])
    func `our gateway and our client agree on how a turn ended`(stop: AgentStop) throws {
        var (session, talk) = (try running(), ServedTalk(id: "s1"))
        let message = GatewayRequest(.message, id: session.turn?.id ?? 0, ["content": "go"])
        _ = talk.take(message, from: 1, sessions: [], version: "1")
        var events: [AgentEvent] = []
        for case .tell(let event) in talk.take(.turnEnded(stop), now: 0) {
            events += told(session.receive(event.text.utf8))
        }
        #expect(events == [.turnEnded(stop)])
    }

    @Test(arguments: [true, false]) func `what the last message said holds over a break`(comesLate: Bool) throws {
        var session = try running()
        let end = #"{"type":"message_end","stop_reason":"refusal"}"#.utf8
        if !comesLate { _ = session.receive(end) }
        _ = session.disconnected()
        _ = session.connected()
        let history = session.joining?.history ?? 0
        // It may come before the history that was asked for.
        if comesLate { _ = session.receive(end) }
        #expect(done(&session) == [])
        let steps = session.receive(Self.history(history, #"[{"role":"user","content":"go"}]"#).utf8)
        #expect(told(steps).last == .turnEnded(.refused))
    }

    // MARK: Errors

    @Test func `a gateway's words are no part of the answer`() throws {
        var session = try running()
        #expect(told(session.receive(#"{"type":"text_delta","text":"half"}"#.utf8)) == [.text("half")])
        #expect(told(error(&session)) == [.remark("no credit"), Self.failed])
        #expect(error(&session) == [.tell(.other("error"))], "it is over")
    }

    @Test func `the reason is told also where much else was`() throws {
        var session = try running()
        var events: [AgentEvent] = []
        for number in 0..<100 {
            let line = #"{"type":"notification","from_session":"s2","notification_type":{},"message":"\#(number)"}"#
            events += told(session.receive(line.utf8))
        }
        events += told(error(&session))
        let remarks = events.compactMap { if case .remark(let text) = $0 { text.text } else { nil } }
        #expect(remarks.count == AgentLimits.remarks && remarks.last == "no credit")
    }

    /// What comes after the question how the turn that failed went on: the answer, an error, or nothing.
    enum Answer: CaseIterable { case history, error, connectionBreaks }

    @Test(arguments: Answer.allCases) func `an error after a break does not hide what was said since`(
        answer: Answer
    ) throws {
        let all = #"[{"role":"user","content":"go"},{"role":"assistant","content":"one two three"}]"#
        var session = try running()
        _ = session.receive(#"{"type":"text_delta","text":"one "}"#.utf8)
        _ = session.disconnected()
        // What is under way is not in it.
        _ = join(&session, messages: #"[{"role":"user","content":"go"}]"#, isProcessing: true)
        #expect(session.turn?.isHeld == true)
        #expect(told(session.receive(#"{"type":"text_delta","text":"two "}"#.utf8)) == [])
        let steps = error(&session)
        let asked = try #require(requests(steps).first)
        #expect(asked.kind == .getHistory && told(steps) == [])
        #expect(error(&session) == [], "it is known")
        switch answer {
        case .history:
            let events = told(session.receive(Self.history(asked.id, all).utf8))
            #expect(events == [.text(" two three"), .remark("no credit"), Self.failed])
        case .error:
            let line = #"{"type":"error","id":\#(asked.id),"message":"not now"}"#
            #expect(told(session.receive(line.utf8)) == [.remark("no credit"), Self.failed])
        case .connectionBreaks:
            _ = session.disconnected()
            // Somebody else may be at work meanwhile.
            let events = told(join(&session, messages: all, isProcessing: true))
            #expect(events == [.link(.back), .text(" two three"), .remark("no credit"), Self.failed])
        }
        #expect(session.turn == nil)
    }

    @Test(arguments: [true, false]) func `what the gateway has refused is not asked again after a break`(
        isInHistory: Bool
    ) throws {
        var session = GatewaySession(name: "a", folder: "/p", instance: "i")
        _ = join(&session)
        _ = try session.prompt(AgentPrompt("go"))
        _ = session.disconnected()
        _ = session.connected()
        let history = session.joining?.history ?? 0
        #expect(error(&session) == [])
        let messages = isInHistory ? #"[{"role":"user","content":"go"}]"# : "[]"
        let steps = session.receive(Self.history(history, messages).utf8)
        #expect(requests(steps) == [] && told(steps).suffix(2) == [.remark("no credit"), Self.failed])
    }

    /// The lines before which the connection is cut: the message, what acknowledges it, and what is said before the error.
    @Test(.timeLimit(.minutes(2)), arguments: 11...14, [true, false])
    func `a cut anywhere before an error loses nothing of it`(place: Int, isExact: Bool) async throws {
        let script = [
            #"{"type":"text_delta","text":"one "}"#, #"{"type":"text_delta","text":"two"}"#,
            #"{"type":"error","id":ID,"message":"no credit"}"#,
        ]
        let gateway = StrictGateway(script, cuts: [place], pauses: true)
        gateway.state.withLock { $0.isExact = isExact }
        try await gateway.run { agent in
            try await agent.start()
            let events = try await Agent.turn(of: agent, "hello")
            #expect(events.text.filter { !$0.isWhitespace } == "onetwo")
            #expect(events.count { $0 == .remark("no credit") } == 1 && events.failure == .refused)
        }
    }
}
