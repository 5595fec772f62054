import AgentProtocols
import Errors
import Networking
import Synchronization
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

    /// An `ack` comes before the gateway does what it acknowledges, and the news of an injection by another way.
    @Test(arguments: [true, false]) func `what was taken back is known at the end of the turn`(isRead: Bool) throws {
        var session = try running()
        let message = session.turn?.id ?? 0
        _ = try interject(&session)
        let back = try #require(requests(session.takeBack(interjection: 7)).first)
        #expect(back.kind == .cancelSoftInterrupts && session.takeBack(interjection: 7).isEmpty)
        #expect(session.receive(#"{"type":"ack","id":\#(back.id)}"#.utf8).isEmpty)
        let read = GatewayEvent(.softInterruptInjected, ["content": .string("also b"), "point": "A"]).text.utf8
        if isRead { #expect(link(session.receive(read)) == [.interjected(7, isRead: true)]) }
        let end = session.receive(#"{"type":"done","id":\#(message)}"#.utf8)
        #expect(link(end) == (isRead ? [] : [.interjected(7, isRead: false)]))
    }

    @Test func `of a turn that was stopped the end may be told before what was read in it`() throws {
        var session = try running()
        _ = try interject(&session)
        _ = session.cancel()
        #expect(link(session.receive(#"{"type":"interrupted"}"#.utf8)) == [.interjected(7, isRead: false)])
        let read = GatewayEvent(.softInterruptInjected, ["content": .string("also b"), "point": "A"]).text.utf8
        #expect(link(session.receive(read)) == [.interjected(7, isRead: true)])
        #expect(link(session.receive(read)).isEmpty)
    }

    @Test(arguments: ["system", "background_task"])
    func `what the agent tells itself is neither ours nor a message of the history`(role: String) throws {
        var session = try running()
        _ = try interject(&session)
        let (before, all) = (session.prompts, session.prompts.all)
        let line = #"{"type":"soft_interrupt_injected","content":"also b","display_role":"\#(role)","point":"D"}"#
        #expect(link(session.receive(line.utf8)).isEmpty && session.prompts == before && session.prompts.all == all)
    }

    @Test func `a command for the gateway is no message to its agent`() throws {
        for text in ["/compact", "/effort high"] {
            var session = try running()
            #expect(throws: AgentError.self) { try session.interject(text, number: 7) }
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

    @Test(arguments: [(true, true), (true, false), (false, true), (false, false)], [true, false])
    func `after a break the history says whether it was read`(
        place: (isInHistory: Bool, goesOn: Bool), isTakenBack: Bool
    ) throws {
        var session = try running()
        _ = try interject(&session)
        if isTakenBack { _ = session.takeBack(interjection: 7) }
        _ = session.disconnected()
        #expect(throws: AgentError.self) { try session.interject("c", number: 8) }
        let said = place.isInHistory ? #",{"role":"user","content":"also b"},{"role":"assistant","content":"y"}"# : ""
        let steps = join(
            &session, messages: #"[{"role":"user","content":"go"},{"role":"assistant","content":"x"}\#(said)]"#,
            isProcessing: place.goesOn)
        let cancels = requests(steps).filter { $0.kind == .cancelSoftInterrupts }.count
        if place.isInHistory {
            #expect(link(steps) == [.interjected(7, isRead: true)] && cancels == 0)
            let told = steps.compactMap { step -> String? in
                if case .tell(.text(let text)) = step {
                    text.text
                } else if case .tell(.link(.interjected)) = step {
                    "!"
                } else {
                    nil
                }
            }
            #expect(told.joined().filter { "xy!".contains($0) } == "x!y", "it stands where it was read")
        } else if place.goesOn {
            // It may still be read; what was taken back may not have been heard.
            #expect(link(steps).isEmpty && session.interjection != nil && cancels == (isTakenBack ? 1 : 0))
        } else {
            #expect(link(steps) == [.interjected(7, isRead: false)] && cancels == 1)
        }
    }

    @Test func `the same words twice are told apart`() throws {
        var session = try running()
        _ = try interject(&session, "go")
        _ = session.disconnected()
        let once = join(&session, messages: #"[{"role":"user","content":"go"},{"role":"assistant","content":"x"}]"#)
        #expect(link(once).isEmpty, "that is the prompt")
        _ = session.disconnected()
        let twice =
            #"[{"role":"user","content":"go"},{"role":"assistant","content":"x"},{"role":"user","content":"go"}]"#
        #expect(link(join(&session, messages: twice)) == [.interjected(7, isRead: true)])
        let request = try #require(requests(session.interject("go", number: 8)).first)
        #expect(request.kind == .softInterrupt)
        _ = session.disconnected()
        #expect(link(join(&session, messages: twice)).isEmpty, "that is the first of the two")
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

    // MARK: - Over a connection

    private static let one = #"{"type":"text_delta","text":"one"}"#

    @Test(.timeLimit(.minutes(2))) func `a gateway puts it in, and the agent goes on with it`() async throws {
        let gateway = StrictGateway([Self.one, "wait"])
        try await gateway.run { agent in
            try await agent.start()
            await agent.expectOpened()
            #expect(await agent.takesInterjections)
            try await agent.prompt("hello")
            #expect(await agent.events.next() == .text("one"))
            try await agent.interject("also b", number: 3)
            #expect(
                await Agent.rest(of: agent) == [
                    .link(.interjected(3, isRead: true)), .text("and also b"), .turnEnded(.done),
                ])
        }
        #expect(gateway.state.withLock { $0.requests.filter { $0.kind == .softInterrupt }.count } == 1)
    }

    @Test(.timeLimit(.minutes(2))) func `a connection that breaks takes it back, and it is not said twice`()
        async throws
    {
        let gateway = StrictGateway([Self.one, "wait"])
        gateway.state.withLock { $0.keepsInterruptions = true }
        try await gateway.run { agent in
            try await agent.start()
            await agent.expectOpened()
            try await agent.prompt("hello")
            #expect(await agent.events.next() == .text("one"))
            try await agent.interject("also b", number: 3)
            gateway.state.withLock { $0.socket?.close(.goingAway) }
            #expect(await agent.events.next() == .link(.away))
            #expect(await agent.events.next() == .link(.back))
            await agent.cancel()
            #expect(
                await Agent.rest(of: agent) == [.link(.interjected(3, isRead: false)), .turnEnded(.cancelled)])
            // The gateway stops with this closure, and would not read what is still under way to it.
            while !gateway.hasTaken(.cancelSoftInterrupts) { try await Task.sleep(for: .milliseconds(2)) }
        }
        #expect(gateway.state.withLock { $0.requests.count { $0.kind == .softInterrupt } } <= 1)
        #expect(gateway.state.withLock { $0.interruption } == nil && gateway.state.withLock { $0.violations } == [])
    }

    @Test(.timeLimit(.minutes(2))) func `a tool goes into the background over a connection`() async throws {
        let gateway = StrictGateway([
            #"{"type":"tool_start","id":"t1","name":"bash"}"#, #"{"type":"tool_exec","id":"t1","name":"bash"}"#, "wait",
        ])
        try await gateway.run { agent in
            try await agent.start()
            await agent.expectOpened()
            try await agent.prompt("hello")
            _ = await agent.events.next()
            _ = await agent.events.next()
            try await agent.sendToolToBackground()
            guard case .toolCallChanged(let call)? = await agent.events.next() else {
                Issue.record("the tool still runs")
                return
            }
            #expect(call.status == "completed" && call.results == [.text("in the background")])
        }
    }
}
