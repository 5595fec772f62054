import AgentProtocols
import Errors
import Testing
import Wire

@testable import Agents

/// What a person does with a session at a jcode gateway beside asking.
@Suite struct GatewayCommandTests {
    /// A session that can be used, and the number of its last request.
    private func joined(server: String = "jcode", _ messages: String = "[]") -> (session: GatewaySession, last: UInt64)
    {
        var session = GatewaySession(name: "a", folder: "/p", instance: "i")
        _ = session.connected()
        let id = session.joining?.history ?? 0
        let line =
            #"{"type":"history","id":\#(id),"session_id":"s1","server_name":"\#(server)","messages":\#(messages)}"#
        #expect(session.receive(line.utf8).contains(.ready))
        return (session, id)
    }

    private func texts(_ steps: [GatewaySession.Step]) -> String {
        steps.compactMap { if case .tell(.text(let text)) = $0 { text.text } else { nil } }.joined()
    }

    /// The first request that goes out.
    private func sent(_ steps: [GatewaySession.Step]) throws -> GatewayRequest {
        try #require(steps.lazy.compactMap { if case .send(let request) = $0 { request } else { nil } }.first)
    }

    private func end(_ steps: [GatewaySession.Step]) -> AgentStop? {
        steps.lazy.compactMap { if case .tell(.turnEnded(let stop)) = $0 { stop } else { nil } }.first
    }

    @Test(arguments: [
        (
            "/compact", #"{"type":"compact","id":4}"#, #""type":"compact_result","message":"shorter","success":true"#,
            "shorter"
        ),
        (
            "/effort  high ", #"{"type":"set_reasoning_effort","id":4,"effort":"high"}"#,
            #""type":"reasoning_effort_changed","effort":"high""#, "high"
        ),
        (
            "/rewind undo", #"{"type":"rewind_undo","id":4}"#,
            #""type":"history","session_id":"s1","messages":[{"role":"user","content":"hi"}]"#, "1 messages"
        ),
        (
            "/rewind 2", #"{"type":"rewind","id":4,"message_index":2}"#,
            #""type":"history","session_id":"s1","messages":[]"#, "0 messages"
        ),
        (
            "/rewind", #"{"type":"get_history","id":4}"#,
            #""type":"history","session_id":"s1","messages":[{"role":"user","content":"a\nb"},{"role":"tool","content":"x","tool_data":{"id":"t","name":"n","input":1}},{"role":"assistant","content":"c"}]"#,
            "1. You: a b\n2. Agent: c"
        ),
        (
            "/split", #"{"type":"split","id":4}"#,
            #""type":"split_response","new_session_id":"s9","new_session_name":"owl""#, "--take-up s9"
        ),
        (
            "/transfer", #"{"type":"transfer","id":4}"#,
            #""type":"split_response","new_session_id":"s9","new_session_name":"owl""#, "--take-up s9"
        ),
        ("/rename Two  words", #"{"type":"rename_session","id":4,"title":"Two words"}"#, #""type":"done""#, "Done"),
        ("/rename", #"{"type":"rename_session","id":4}"#, #""type":"done""#, "Done"),
    ]) func `a command asks the gateway, and its answer ends the turn`(
        prompt: String, request: String, answer: String, said: String
    ) throws {
        var (session, _) = joined()
        #expect(try sent(session.prompt(AgentPrompt(prompt))).text == request)
        #expect(session.receive(#"{"type":"ack","id":4}"#.utf8).isEmpty)
        let steps = session.receive("{\(answer),\"id\":4}".utf8)
        #expect(texts(steps).contains(said) && end(steps) == .done, "\(steps)")
        // The next message is one.
        #expect(try sent(session.prompt(AgentPrompt("hi"))).kind == .message)
    }

    @Test func `an empty session has another name`() throws {
        var (session, _) = joined(#"[{"role":"user","content":"hi"}]"#)
        _ = try session.prompt(AgentPrompt("/clear"))
        _ = session.receive(#"{"type":"ack","id":4}"#.utf8)
        let renamed = session.receive(#"{"type":"session","session_id":"s2"}"#.utf8)
        #expect(renamed == [.tell(.opened(thread: "s2", goesOn: true))] && session.id == "s2")
        #expect(end(session.receive(#"{"type":"done","id":4}"#.utf8)) == .done)
        // A break after that leads to the new one.
        _ = session.disconnected()
        #expect(try sent(session.connected()).object.string("target_session_id") == "s2")
    }

    @Test(arguments: ["/rewind x", "/rewind 0", "/rewind -1", "/effort", "/effort  "])
    func `one that is written wrongly is said to be so`(prompt: String) throws {
        var (session, _) = joined()
        let steps = try session.prompt(AgentPrompt(prompt))
        #expect(texts(steps).contains("It is written /") && end(steps) == .done)
        #expect(!steps.contains { if case .send = $0 { true } else { false } })
    }

    @Test(arguments: [
        "/tmp is full", "/clearly", "//clear", " /clear", "/ clear", "clear", "/", "/clear the build folder",
        "/compact\nit",
        "/split main.swift in two", "/rewind to where we were", "/effort more on the tests",
    ])
    func `anything else is asked`(prompt: String) throws {
        var (session, _) = joined()
        #expect(try sent(session.prompt(AgentPrompt(prompt))).kind == .message)
    }

    @Test func `a gateway of ours is asked, because its agent may have such commands itself`() throws {
        var (session, _) = joined(server: "alcove")
        #expect(try sent(session.prompt(AgentPrompt("/compact"))).kind == .message)
    }

    @Test(arguments: [
        #"{"type":"error","id":4,"message":"Cannot now"}"#, #"{"type":"error","id":0,"message":"Cannot now"}"#,
        #"{"type":"compact_result","id":4,"message":"Cannot now","success":false}"#,
        #"{"type":"reasoning_effort_changed","id":4,"error":"Cannot now"}"#,
    ]) func `what the gateway does not do is told in its words`(answer: String) throws {
        var (session, _) = joined()
        _ = try session.prompt(AgentPrompt("/compact"))
        let steps = session.receive(answer.utf8)
        guard case .failed? = end(steps) else {
            Issue.record("it did not fail")
            return
        }
        #expect(texts(steps) == "Cannot now")
    }

    @Test func `after a break nothing is done twice, and what waited is done`() throws {
        var (session, _) = joined()
        _ = try session.prompt(AgentPrompt("/rewind 2"))
        _ = session.disconnected()
        _ = session.connected()
        let back = #"{"type":"history","id":\#(session.joining?.history ?? 0),"session_id":"s1","messages":[]}"#
        let steps = session.receive(back.utf8)
        guard case .failed? = end(steps) else {
            Issue.record("it did not fail")
            return
        }
        #expect(!steps.contains { if case .send = $0 { true } else { false } })
        _ = session.disconnected()
        #expect(try session.prompt(AgentPrompt("/rewind undo")).isEmpty)
        _ = session.connected()
        let again = #"{"type":"history","id":\#(session.joining?.history ?? 0),"session_id":"s1","messages":[]}"#
        #expect(
            session.receive(again.utf8).contains {
                if case .send(let sent) = $0 { sent.kind == .rewindUndo } else { false }
            })
    }

    @Test func `one that is stopped is waited for no longer`() throws {
        var (session, _) = joined()
        _ = try session.prompt(AgentPrompt("/compact"))
        #expect(session.cancel() == [.tell(.turnEnded(.cancelled))])
        #expect(session.receive(#"{"type":"compact_result","id":4,"message":"late","success":true}"#.utf8).isEmpty)
    }

    @Test func `what one did that was stopped holds`() throws {
        var (session, _) = joined(#"[{"role":"user","content":"hi"}]"#)
        _ = try session.prompt(AgentPrompt("/clear"))
        _ = session.cancel()
        #expect(session.receive(#"{"type":"session","session_id":"s1"}"#.utf8).isEmpty, "it is the one that is there")
        let renamed = session.receive(#"{"type":"session","session_id":"s2"}"#.utf8)
        #expect(renamed == [.tell(.opened(thread: "s2", goesOn: true))])
        #expect(session.receive(#"{"type":"done","id":4}"#.utf8).isEmpty)
        // Later names are of something else.
        #expect(session.receive(#"{"type":"session","session_id":"provider"}"#.utf8).isEmpty && session.id == "s2")
        // The gateway may not have kept it: another one may stand for it.
        _ = session.disconnected()
        _ = session.connected()
        let line = #"{"type":"history","id":\#(session.joining?.history ?? 0),"session_id":"s3","messages":[]}"#
        #expect(session.receive(line.utf8).contains(.ready) && session.id == "s3")
    }

    @Test func `pictures make a message of it`() throws {
        var (session, _) = joined()
        let picture = try #require(PromptPicture([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(try sent(session.prompt(AgentPrompt("/clear", pictures: [picture]))).kind == .message)
    }
}
