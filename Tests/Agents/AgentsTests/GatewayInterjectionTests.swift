import AgentProtocols
import Errors
import Testing
import Wire

@testable import Agents

/// What is said to an agent behind jcode's gateway in the middle of its turn: it goes once, or comes back.
@Suite struct GatewayInterjectionTests {
    /// A session in which the gateway has taken a message.
    private func running(server: String = "jcode") throws -> GatewaySession {
        var session = GatewaySession(name: "a", folder: "/p", instance: "i")
        join(&session, server: server)
        let sent = try requests(session.prompt(AgentPrompt("go")))
        _ = session.receive(#"{"type":"ack","id":\#(try #require(sent.first).id)}"#.utf8)
        return session
    }

    @discardableResult private func join(
        _ session: inout GatewaySession, server: String = "jcode", messages: String = "[]", isProcessing: Bool = true
    ) -> [GatewaySession.Step] {
        _ = session.connected()
        let (state, history) = (session.joining?.state ?? 0, session.joining?.history ?? 0)
        _ = session.receive(
            #"{"type":"state","id":\#(state),"session_id":"s1","message_count":1,"is_processing":\#(isProcessing)}"#
                .utf8)
        return session.receive(
            #"{"type":"history","id":\#(history),"session_id":"s1","server_name":"\#(server)","messages":\#(messages)}"#
                .utf8)
    }

    private func requests(_ steps: [GatewaySession.Step]) -> [GatewayRequest] {
        steps.compactMap { if case .send(let request) = $0 { request } else { nil } }
    }

    private func link(_ steps: [GatewaySession.Step]) -> [AgentLinkEvent] {
        steps.compactMap { step in
            guard case .tell(.link(let event)) = step, case .interjected = event else { return nil }
            return event
        }
    }

    private func interject(_ session: inout GatewaySession, _ text: String = "also b") throws -> UInt64 {
        let request = try #require(requests(session.interject(text, number: 7)).first)
        #expect(request.kind == .softInterrupt && request.object.string("content") == text)
        #expect(request.object["urgent"] == .bool(false))
        return request.id
    }

    @Test(arguments: ["also b", "before\n\nalso b", "also b\n\nbehind", "x\n\nalso b\n\ny"])
    func `it was read when the gateway says that it put it in, alone or with others`(content: String) throws {
        var session = try running()
        let id = try interject(&session)
        #expect(link(session.receive(#"{"type":"ack","id":\#(id)}"#.utf8)).isEmpty, "that is not read yet")
        let line = GatewayEvent(.softInterruptInjected, ["content": .string(content), "point": "D"]).text.utf8
        #expect(link(session.receive(line)) == [.interjected(7, isRead: true)])
        #expect(link(session.receive(line)).isEmpty, "told twice, it is read once")
        #expect(throws: Never.self) { try session.interject("c", number: 8) }
    }

    @Test func `what others put in is not ours`() throws {
        var session = try running()
        _ = try interject(&session)
        let line = GatewayEvent(.softInterruptInjected, ["content": "also bees", "point": "D"]).text.utf8
        #expect(link(session.receive(line)).isEmpty && session.interjection != nil)
    }

    @Test func `it is taken back, unless the gateway was faster`() throws {
        for isFaster in [false, true] {
            var session = try running()
            _ = try interject(&session)
            let back = try #require(requests(session.takeBack(interjection: 7)).first)
            #expect(back.kind == .cancelSoftInterrupts && session.takeBack(interjection: 7).isEmpty)
            let read = GatewayEvent(.softInterruptInjected, ["content": "also b", "point": "A"]).text.utf8
            if isFaster { #expect(link(session.receive(read)) == [.interjected(7, isRead: true)]) }
            let settled = link(session.receive(#"{"type":"ack","id":\#(back.id)}"#.utf8))
            #expect(settled == (isFaster ? [] : [.interjected(7, isRead: false)]))
        }
    }

    @Test func `a gateway that does not know it says so, and the message comes back`() throws {
        var session = try running()
        let id = try interject(&session)
        let steps = session.receive(#"{"type":"error","id":\#(id),"message":"unknown request"}"#.utf8)
        #expect(link(steps) == [.interjected(7, isRead: false)] && session.turn != nil)
    }

    @Test(arguments: ["done", "interrupted"]) func `at the end of the turn it is taken back`(end: String) throws {
        var session = try running()
        let message = session.turn?.id ?? 0
        _ = try interject(&session)
        let steps = session.receive(#"{"type":"\#(end)","id":\#(message)}"#.utf8)
        #expect(requests(steps).map(\.kind) == [.cancelSoftInterrupts], "or the next turn would read it")
        #expect(link(steps) == [.interjected(7, isRead: false)])
        guard case .tell(.turnEnded)? = steps.last else {
            Issue.record("the turn goes on")
            return
        }
    }

    @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
    func `after a break the history says whether it was read`(isInHistory: Bool, goesOn: Bool) throws {
        var session = try running()
        _ = try interject(&session)
        _ = session.disconnected()
        #expect(throws: AgentError.self) { try session.interject("c", number: 8) }
        let said = isInHistory ? #",{"role":"user","content":"also b"}"# : ""
        let steps = join(
            &session, messages: #"[{"role":"user","content":"go"},{"role":"assistant","content":"x"}\#(said)]"#,
            isProcessing: goesOn)
        if isInHistory {
            #expect(link(steps) == [.interjected(7, isRead: true)])
        } else if goesOn {
            let back = try #require(requests(steps).last)
            #expect(back.kind == .cancelSoftInterrupts, "it may still wait there")
            #expect(
                link(session.receive(#"{"type":"ack","id":\#(back.id)}"#.utf8)) == [.interjected(7, isRead: false)])
        } else {
            #expect(link(steps) == [.interjected(7, isRead: false)])
        }
    }

    @Test func `it is said only where it is read, and one at a time`() throws {
        var none = GatewaySession(name: "a", folder: "/p", instance: "i")
        join(&none)
        #expect(throws: AgentError.self) { try none.interject("b", number: 1) }
        var ours = try running(server: "alcove")
        #expect(throws: AgentError.self) { try ours.interject("b", number: 1) }
        var session = try running()
        _ = try interject(&session)
        #expect(throws: AgentError.self) { try session.interject("c", number: 8) }
        var stopped = try running()
        _ = stopped.cancel()
        #expect(throws: AgentError.self) { try stopped.interject("b", number: 1) }
    }

    @Test func `a tool goes into the background while one runs`() throws {
        var session = try running()
        #expect(throws: AgentError.self) { try session.sendToolToBackground() }
        _ = session.receive(#"{"type":"tool_start","id":"t","name":"bash"}"#.utf8)
        _ = session.receive(#"{"type":"tool_exec","id":"t","name":"bash"}"#.utf8)
        #expect(try requests(session.sendToolToBackground()).map(\.kind) == [.backgroundTool])
        _ = session.receive(#"{"type":"tool_done","id":"t","name":"bash","output":""}"#.utf8)
        #expect(throws: AgentError.self) { try session.sendToolToBackground() }
    }
}
