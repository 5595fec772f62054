import AgentProtocols
import Errors
import Foundation
import Networking
import Peers
import Synchronization
import Testing
import Wire

@testable import Agents

/// Against a gateway that keeps every rule.
@Suite(.timeLimit(.minutes(5))) struct GatewayAgentTests {
    /// What a gateway says in a turn with two tools.
    static let script = [
        #"{"type":"connection_phase","phase":"streaming"}"#,
        #"{"type":"reasoning_delta","text":"hm"}"#,
        #"{"type":"text_delta","text":"I look "}"#,
        #"{"type":"text_delta","text":"around.\n"}"#,
        #"{"type":"tool_start","id":"t1","name":"bash"}"#,
        #"{"type":"tool_input","delta":"{\"a\":"}"#,
        #"{"type":"tool_input","delta":"1}"}"#,
        #"{"type":"tool_exec","id":"t1","name":"bash"}"#,
        #"{"type":"tool_done","id":"t1","name":"bash","output":"three files"}"#,
        #"{"type":"text_delta","text":"Three files. "}"#,
        #"{"type":"tool_start","id":"t2","name":"read"}"#,
        #"{"type":"tool_exec","id":"t2","name":"read"}"#,
        #"{"type":"tool_done","id":"t2","name":"read","output":"","error":"not there"}"#,
        #"{"type":"text_delta","text":"One is "}"#,
        #"{"type":"text_delta","text":"missing."}"#,
        #"{"type":"tokens","input":10,"output":5}"#,
        #"{"type":"message_end","stop_reason":"end_turn"}"#,
        #"{"type":"done","id":ID}"#,
    ]
    static let answer = "I look around.\nThree files. One is missing."

    @Test func `a turn is told in order`() async throws {
        let gateway = StrictGateway(Self.script)
        try await gateway.run { agent in
            try await agent.start()
            let events = try await Agent.turn(of: agent, "hello")
            var read = AgentToolCall(id: "t2", title: "read", status: "in_progress")
            read.input = nil
            #expect(events.text == Self.answer && events.last == .turnEnded(.done))
            #expect(events.contains(.reasoning("hm")) && events.contains(.other("connection_phase")))
            #expect(events.contains(.usage(AgentUsage(input: 10, output: 5))))
            #expect(events.contains(.toolCall(AgentToolCall(id: "t1", title: "bash", status: "pending"))))
            #expect(events.contains(.toolInput(id: "t1", "{\"a\":")) && events.contains(.toolCallChanged(read)))
            var done = AgentToolCall(id: "t1", title: "bash", status: "completed")
            (done.input, done.results) = ("{\"a\":1}", [.text("three files")])
            #expect(events.contains(.toolCallChanged(done)))
            var failed = AgentToolCall(id: "t2", title: "read", status: "failed")
            failed.results = [.text("not there")]
            #expect(events.contains(.toolCallChanged(failed)))
        }
        #expect(gateway.state.withLock { $0.authorizations } == ["Bearer \(StrictGateway.token)"])
        let first = gateway.state.withLock { $0.requests.first }
        #expect(first?.object.string("working_dir") == StrictGateway.folder)
    }

    /// Lines of a connection before its turn begins: three requests and their answers.
    private static let joining = 10

    /// How many lines the whole turn has: each is a place to cut.
    private static let places = Array(joining + 1...joining + 2 + script.count)

    @Test(arguments: places, [false, true]) func `a cut anywhere loses nothing and doubles nothing`(
        place: Int, pauses: Bool
    ) async throws {
        for isExact in [false, true] {
            let gateway = StrictGateway(Self.script, cuts: [place], pauses: pauses)
            gateway.state.withLock { $0.isExact = isExact }
            try await gateway.run { agent in
                try await agent.start()
                try await check(try await Agent.turn(of: agent, "hello"))
                // The next turn is as if nothing had been.
                try await check(try await Agent.turn(of: agent, "hello"))
            }
            let prompts = gateway.state.withLock { $0.messages.filter { $0.role == "user" }.map(\.content) }
            #expect(prompts == ["hello", "hello"])
            #expect(gateway.state.withLock { $0.connections } == 2)
        }
    }

    @Test(arguments: [[12, 12, 12], [11, 4, 7, 13], [14, 3, 2, 1, 11]])
    func `many cuts in one turn lose nothing and double nothing`(cuts: [Int]) async throws {
        for code in [WebSocketCloseCode.normal, .serviceRestart, .tryAgainLater] {
            let gateway = StrictGateway(Self.script, cuts: cuts, pauses: true)
            gateway.state.withLock { $0.closeCode = code }
            try await gateway.run { agent in
                try await agent.start()
                try await check(try await Agent.turn(of: agent, "hello"))
            }
            #expect(gateway.state.withLock { $0.messages.count { $0.role == "user" } } == 1)
            #expect(gateway.state.withLock { $0.connections } == cuts.count + 1)
        }
    }

    private func check(_ events: [AgentEvent]) async throws {
        func plain(_ text: String) -> String { text.filter { !$0.isWhitespace } }
        #expect(plain(events.text) == plain(Self.answer))
        #expect(events.last == .turnEnded(.done))
        for id in ["t1", "t2"] {
            let ends = events.count { event in
                if case .toolCallChanged(let call) = event, call.id == id {
                    call.status != "in_progress"
                } else {
                    false
                }
            }
            #expect(ends == 1, "a tool ends once")
        }
        let links = events.compactMap { if case .link(let link) = $0 { link } else { nil } }
        #expect(links.enumerated().allSatisfy { $1 == ($0.isMultiple(of: 2) ? .away : .back) }, "each loss once")
    }

    @Test func `a turn that the gateway broke off with the connection is not called done`() async throws {
        let gateway = StrictGateway(Self.script, cuts: [Self.joining + 10])
        gateway.state.withLock { $0.breaksOff = true }
        try await gateway.run { agent in
            try await agent.start()
            #expect(try await Agent.turn(of: agent, "hello").failure == .ended)
            try await check(try await Agent.turn(of: agent, "hello"))
        }
    }

    /// Also after a restart, when nothing but the token is the same.
    @Test(arguments: [nil, "s1"]) func `a session that the gateway believes to be in use is waited for`(
        thread: String?
    ) async throws {
        let gateway = StrictGateway(Self.script, cuts: thread == nil ? [Self.joining + 10] : [], pauses: true)
        gateway.state.withLock { $0.busy = 3 }
        try await gateway.run(thread: thread) { agent in
            try await agent.start()
            if thread != nil { #expect(await agent.events.next() == .opened(thread: "s1", goesOn: true)) }
            try await check(try await Agent.turn(of: agent, "hello"))
        }
        let instances = gateway.state.withLock { state in
            state.requests.filter { $0.kind == .subscribe }.map { $0.object.string("client_instance_id") }
        }
        #expect(instances.count == (thread == nil ? 5 : 4) && Set(instances).count == 1)
    }

    @Test func `a session that stays in use is given up, and another one begun`() async throws {
        let gateway = StrictGateway(Self.script)
        gateway.state.withLock { $0.busy = GatewaySession.firstRefusalLimit + 1 }
        try await gateway.run(thread: "s1") { agent in
            try await agent.start()
            #expect(await agent.events.next() == .opened(thread: "s1", goesOn: false))
        }
        #expect(gateway.state.withLock { $0.busy } == 0)
        // With the pauses that there are outside of tests, too.
        var backOff = GatewayBackOff()
        let pauses = (0...GatewaySession.firstRefusalLimit).map { _ in
            backOff.pause(lasted: .zero, isAnnounced: false, chance: 1)
        }
        #expect(pauses.reduce(.zero, +) < AgentLimits.startPatience)
    }

    @Test func `what is written while there is no connection is sent once`() async throws {
        let gateway = StrictGateway(Self.script)
        try await gateway.run { agent in
            try await agent.start()
            gateway.state.withLock { state in
                state.refusal = 503
                state.socket?.close(.goingAway)
            }
            await agent.expectOpened()
            #expect(await agent.events.next() == .link(.away))
            try await agent.prompt("written offline")
            await #expect(throws: AgentError.self) { try await agent.prompt("another one") }
            while gateway.state.withLock({ $0.authorizations.count }) < 4 {
                try await Task.sleep(for: .milliseconds(2))
            }
            gateway.state.withLock { $0.refusal = nil }
            let events = await Agent.rest(of: agent)
            #expect(events.first == .link(.back))
            #expect(events.text == Self.answer && events.last == .turnEnded(.done))
        }
        #expect(
            gateway.state.withLock { $0.messages.filter { $0.role == "user" }.map(\.content) } == ["written offline"])
    }

    @Test func `what was written and stopped offline is never sent`() async throws {
        let gateway = StrictGateway(Self.script)
        try await gateway.run { agent in
            try await agent.start()
            gateway.state.withLock { state in
                state.refusal = 503
                state.socket?.close(.goingAway)
            }
            await agent.expectOpened()
            #expect(await agent.events.next() == .link(.away))
            try await agent.prompt("never mind")
            await agent.cancel()
            #expect(await agent.events.next() == .turnEnded(.cancelled))
            gateway.state.withLock { $0.refusal = nil }
            #expect(try await Agent.turn(of: agent, "hello").last == .turnEnded(.done))
        }
        #expect(gateway.state.withLock { $0.messages.filter { $0.role == "user" }.map(\.content) } == ["hello"])
    }

    // MARK: Who is let in

    @Test(arguments: [(401, AgentErrorCode.unauthorized), (404, .refused), (503, .unreachable)])
    func `a gateway that refuses is told at the start`(status: Int, code: AgentErrorCode) async throws {
        let gateway = StrictGateway()
        gateway.state.withLock { $0.refusal = status }
        try await gateway.run { agent in
            do {
                try await agent.start()
                Issue.record("it started")
            } catch let error as AgentError {
                #expect(error.code == code && !error.message.contains(StrictGateway.token))
            }
        }
    }

    @Test func `a folder that is refused ends it, and is not tried again`() async throws {
        let gateway = StrictGateway()
        gateway.state.withLock { $0.refusesFolder = true }
        try await gateway.run { agent in
            await #expect { try await agent.start() } throws: { ($0 as? AgentError)?.code == .refused }
        }
        #expect(gateway.state.withLock { $0.connections } == 1)
    }

    @Test(arguments: [true, false])
    func `a session that the gateway does not know any more is begun anew, and that is said`(
        refuses: Bool
    ) async throws {
        let gateway = StrictGateway(Self.script)
        gateway.state.withLock { $0.refusesUnknown = refuses }
        try await gateway.run(thread: "an earlier one") { agent in
            try await agent.start()
            #expect(await agent.events.next() == .opened(thread: "s1", goesOn: false))
            #expect(try await Agent.turn(of: agent, "hello").text == Self.answer)
        }
        let targets = gateway.state.withLock { state in
            state.requests.filter { $0.kind == .subscribe }.map { $0.object.string("target_session_id") }
        }
        #expect(targets == (refuses ? ["an earlier one", nil] : ["an earlier one"]))
    }

    @Test func `a gateway that refuses any session is not asked for ever`() async throws {
        let gateway = StrictGateway()
        gateway.state.withLock { $0.refusesFolder = true }
        try await gateway.run(thread: "an earlier one") { agent in
            await #expect { try await agent.start() } throws: { ($0 as? AgentError)?.code == .refused }
        }
        #expect(gateway.state.withLock { $0.connections } == 2)
    }

    @Test(arguments: [true, false]) func `a token that is revoked in a turn ends it, and no other is tried`(
        isSaid: Bool
    ) async throws {
        let gateway = StrictGateway(Array(Self.script.prefix(4)) + ["wait"])
        try await gateway.run { agent in
            try await agent.start()
            try await agent.prompt("hello")
            var text = ""
            while text.filter({ !$0.isWhitespace }).count < 12, let event = await agent.events.next() {
                if case .text(let piece) = event { text += piece.text }
            }
            gateway.state.withLock { state in
                state.token = String(repeating: "00", count: 32)
                state.socket?.close(isSaid ? WebSocketCloseCode(rawValue: 4401) : .goingAway)
            }
            #expect(await Agent.rest(of: agent).failure == .unauthorized)
        }
        #expect(gateway.state.withLock { $0.authorizations.count } == (isSaid ? 1 : 2))
    }

    @Test func `only the key of the fingerprint is trusted`() async throws {
        let authority = try TestAuthority()
        let files = try authority.issue("DNS:elsewhere.example")
        let identity = TLSIdentity(certificatePath: files.certificate, keyPath: files.key)
        let gateway = StrictGateway(Self.script)
        let right = try #require(GatewayFingerprint(bytes: identity.keyHash))
        try await gateway.run(tls: identity, fingerprint: right) { agent in
            try await agent.start()
            #expect(try await Agent.turn(of: agent, "hello").text == Self.answer)
        }
        for fingerprint in [GatewayFingerprint(String(repeating: "0", count: 64)), nil] {
            let other = StrictGateway(Self.script)
            try await other.run(tls: identity, fingerprint: fingerprint) { agent in
                await #expect { try await agent.start() } throws: { ($0 as? AgentError)?.code == .unauthorized }
            }
            #expect(other.state.withLock { $0.authorizations } == [], "nothing was sent to it")
        }
    }

    // MARK: Faults

    @Test func `what is doubled, late or unknown changes nothing`() async throws {
        var script = Self.script.flatMap { $0.contains("text_delta") || $0.contains("tool_input") ? [$0] : [$0, $0] }
        script.insert(#"{"type":"ack","id":ID}"#, at: 3)
        script.insert(#"{"type":"done","id":999999}"#, at: 4)
        script.insert(#"{"type":"not_known_yet","x":{"y":1}}"#, at: 5)
        script.insert(#"{"type":"error","id":999999,"message":"of another request"}"#, at: 6)
        script.insert("{not json", at: 7)
        script.insert(#"{"type":"text_delta"}"#, at: 8)
        script += [#"{"type":"text_delta","text":"late"}"#, #"{"type":"done","id":ID}"#, #"{"type":"interrupted"}"#]
        let gateway = StrictGateway(script)
        try await gateway.run { agent in
            try await agent.start()
            for _ in 0..<2 {
                let events = try await Agent.turn(of: agent, "hello")
                #expect(events.text == Self.answer && events.last == .turnEnded(.done))
                #expect(events.contains(.remark(#"{"type":"not_known_yet","x":{"y":1}}"#)))
                #expect(events.count { if case .unreadable = $0 { true } else { false } } == 2)
            }
        }
    }

    @Test func `a gateway that cannot be understood is given up`() async throws {
        let gateway = StrictGateway(Array(repeating: "garbage", count: 200))
        try await gateway.run { agent in
            try await agent.start()
            #expect(try await Agent.turn(of: agent, "hello").failure == .notUnderstood)
        }
    }

    @Test func `an error ends the turn with the gateway's words beside the answer, and the next one goes on`()
        async throws
    {
        let gateway = StrictGateway([
            #"{"type":"text_delta","text":"half"}"#,
            #"{"type":"error","id":ID,"message":"no credit","retry_after_secs":5}"#,
        ])
        try await gateway.run { agent in
            try await agent.start()
            for _ in 0..<2 {
                let events = try await Agent.turn(of: agent, "hello")
                #expect(events.text == "half" && events.contains(.remark("no credit")) && events.failure == .refused)
            }
        }
    }

    @Test func `a session that the gateway closes ends`() async throws {
        let gateway = StrictGateway([#"{"type":"session_close_requested","reason":"moved"}"#])
        try await gateway.run { agent in
            try await agent.start()
            #expect(try await Agent.turn(of: agent, "hello").failure == .ended)
        }
    }

    @Test func `a turn is stopped, also over a break`() async throws {
        for cuts in [[], [Self.joining + 6]] {
            let gateway = StrictGateway(Array(Self.script.prefix(3)) + ["wait"], cuts: cuts, pauses: true)
            try await gateway.run { agent in
                try await agent.start()
                try await agent.prompt("hello")
                while let event = await agent.events.next(), event != .text("I look ") {}
                await agent.cancel()
                #expect(await Agent.rest(of: agent).last == .turnEnded(.cancelled))
            }
        }
    }

    @Test func `a gateway that goes on after a stop is let go`() async throws {
        let gateway = StrictGateway([#"{"type":"text_delta","text":"a"}"#, "wait"])
        try await gateway.run(grace: .milliseconds(50)) { agent in
            try await agent.start()
            try await agent.prompt("hello")
            while let event = await agent.events.next(), event != .text("a") {}
            // It forgets the turn, so that it has nothing to stop.
            gateway.state.withLock { ($0.turn, $0.position) = (nil, 99) }
            await agent.cancel()
            #expect(await Agent.rest(of: agent).failure == .silent)
        }
    }

    @Test func `a flood is held back, and nothing of it is lost`() async throws {
        let (piece, pieces) = (String(repeating: "x", count: 64 << 10), 400)
        let flood = Array(repeating: #"{"type":"text_delta","text":"\#(piece)"}"#, count: pieces)
        let gateway = StrictGateway(flood + Self.script.suffix(1))
        try await gateway.run(ping: .seconds(600)) { agent in
            try await agent.start()
            try await agent.prompt("hello")
            // While nobody reads, a bounded amount waits.
            try await ServedGateway.until { agent.events.heldBytes >= AgentEvents.highWater }
            #expect(agent.events.heldBytes <= AgentEvents.highWater + (1 << 20))
            let events = await Agent.rest(of: agent)
            #expect(events.text.utf8.count == pieces * piece.utf8.count && events.last == .turnEnded(.done))
        }
        #expect(gateway.state.withLock { $0.connections } == 1)
    }
}
