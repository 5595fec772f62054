import AgentProtocols
import Errors
import Foundation
import Networking
import Peers
import Testing
import Wire

@testable import Agents

/// Our client against our gateway.
@Suite(.timeLimit(.minutes(5))) struct GatewayBothEndsTests {
    private static let script: [ScriptedAgent.Line] =
        [.say(.reasoning("hm"))]
        + ["One ", "two. ", "Three ", "four ", "five."].flatMap { [.wait, .say(.text(AgentText($0)))] }
        + [
            .wait, .say(.toolCall(AgentToolCall(id: "t", title: "look", status: "pending"))), .wait,
            .say(.toolCallChanged(AgentToolCall(id: "t", status: "completed"))), .wait, .say(.text("Six.")), .wait,
        ]
    private static let answer = "One two. Three four five.Six."
    private static let steps = 9

    @Test func `a turn over TLS with the key that was paired`() async throws {
        let authority = try TestAuthority()
        let issued = try authority.issue("DNS:elsewhere.example")
        let identity = TLSIdentity(certificatePath: issued.certificate, keyPath: issued.key)
        let pin = try #require(GatewayFingerprint(bytes: identity.keyHash))
        try await ServedGateway.run([.say(.text("hello"))], tls: identity) { gateway in
            let token = try await gateway.pair(trust: .key(sha256: pin.bytes))
            try await Agent.run(gateway.agent(token, fingerprint: pin)) { agent in
                try await agent.start()
                let events = try await Agent.turn(of: agent, "hi")
                #expect(events.text == "hello" && events.last == .turnEnded(.done))
            }
            await #expect { try await gateway.pair(trust: .key(sha256: Array(repeating: 0, count: 32))) } throws: {
                ($0 as? AgentError)?.code == .otherKey
            }
        }
        withExtendedLifetime(authority) {}
    }

    /// The network breaks before each step of the agent, without a goodbye.
    @Test(arguments: 0...steps) func `a break anywhere loses nothing and doubles nothing`(place: Int) async throws {
        try await ServedGateway.run(Self.script) { gateway in
            let token = try await gateway.pair()
            let gate = try TCPGate(to: UInt16(gateway.port))
            try await Agent.run(gateway.agent(token, port: Int(gate.port))) { agent in
                try await agent.start()
                try await agent.prompt("hi")
                try await ServedGateway.until { gateway.first?.prompts.count == 1 }
                var events: [AgentEvent] = []
                for step in 0...Self.steps {
                    if step == place {
                        gate.cut()
                        while let event = await agent.events.next() {
                            events.append(event)
                            if event == .link(.away) { break }
                        }
                    }
                    gateway.first?.go()
                }
                events += await Agent.rest(of: agent)
                #expect(events.text.filter { !$0.isWhitespace } == Self.answer.filter { !$0.isWhitespace })
                #expect(events.last == .turnEnded(.done))
                #expect(gateway.first?.prompts == ["hi"] && gateway.count == 1)
                #expect(try await Agent.turn(of: agent, "hi", going: gateway.first).text == Self.answer)
                #expect(gateway.first?.prompts == ["hi", "hi"])
            }
            gate.end()
        }
    }

    @Test func `a device that is revoked in a turn is out, and so is what it began`() async throws {
        try await ServedGateway.run([.say(.text("a")), .wait, .say(.text("b"))]) { gateway in
            let token = try await gateway.pair()
            try await Agent.run(gateway.agent(token)) { agent in
                try await agent.start()
                await agent.expectOpened()
                try await agent.prompt("hi")
                #expect(await agent.events.next() == .text("a"))
                #expect(try gateway.devices.revoke("A phone").count == 1)
                #expect(await Agent.rest(of: agent).failure == .unauthorized)
            }
            // Another device of the same person sees that it did not go on.
            let socket = try await gateway.socket(try await gateway.pair("Another").text)
            try socket.send(#"{"type":"subscribe","id":1,"working_dir":"\#(gateway.folder)/project"}"#)
            try socket.send(#"{"type":"get_history","id":2}"#)
            let told = try await socket.events(upTo: .history)
            let first = try #require(told.last)
            let own = try #require(GatewayHistory(first)).session
            let other = try #require(first.object.array("all_sessions").compactMap(\.string).first { $0 != own })
            try socket.send(#"{"type":"resume_session","id":3,"session_id":"\#(other)"}"#)
            try await ServedGateway.until {
                // Not more often than the gateway allows.
                try? await Task.sleep(for: .milliseconds(150))
                try? socket.send(#"{"type":"get_history","id":4}"#)
                guard let event = try? await socket.events(upTo: .history).last else { return false }
                return GatewayHistory(event)?.messages.map(\.content) == ["hi", "a"]
            }
            socket.close()
        }
    }

    @Test func `another process goes on with a session, if the gateway still has it`() async throws {
        try await ServedGateway.run([.say(.text("a"))]) { gateway in
            let token = try await gateway.pair()
            var thread: String?
            try await Agent.run(gateway.agent(token)) { agent in
                try await agent.start()
                guard case .opened(let name, goesOn: false)? = await agent.events.next() else {
                    Issue.record("it was not said which session it is")
                    return
                }
                thread = name
                _ = try await Agent.turn(of: agent, "hi", going: gateway.first)
            }
            try await Agent.run(gateway.agent(token, thread: thread)) { agent in
                try await agent.start()
                #expect(await agent.events.next() == .opened(thread: thread, goesOn: true))
                _ = try await Agent.turn(of: agent, "again", going: gateway.first)
            }
            #expect(gateway.first?.prompts == ["hi", "again"] && gateway.count == 1)
            try await Agent.run(gateway.agent(token, thread: "gone")) { agent in
                try await agent.start()
                guard case .opened(let name?, goesOn: false)? = await agent.events.next() else {
                    Issue.record("it was not said that the session is another one")
                    return
                }
                #expect(name != "gone" && name != thread)
            }
        }
    }

    /// The session alone says where the second one works.
    @Test(arguments: [#""working_dir":"/elsewhere","#, ""]) func `two devices see the same turn`(
        folder: String
    ) async throws {
        try await ServedGateway.run([.wait, .say(.text("a")), .say(.text("b"))]) { gateway in
            let socket = try await gateway.socket(try await gateway.pair("One").text)
            try socket.send(#"{"type":"subscribe","id":1,"working_dir":"\#(gateway.folder)/project"}"#)
            let begun = try await socket.events(upTo: .session)
            let session = try #require(begun.last).string("session_id")
            let other = try await gateway.socket(try await gateway.pair("Two").text)
            try other.send(
                #"{"type":"subscribe","id":1,\#(folder)"target_session_id":"\#(session)"}"#)
            #expect(try await other.events(upTo: .session).last?.string("session_id") == session)
            try socket.send(#"{"type":"message","id":5,"content":"hello"}"#)
            try await ServedGateway.until { gateway.first?.prompts == ["hello"] }
            gateway.first?.go()
            for watcher in [socket, other] {
                let events = try await watcher.events(upTo: .done).filter { $0.kind == .textDelta }
                #expect(events.map { $0.string("text") } == ["a", "b"])
                watcher.close()
            }
            #expect(gateway.count == 1)
        }
    }
}

extension Agent {
    /// A turn of an agent that waits at each step.
    static func turn(of agent: some AgentProvider, _ prompt: String, going: ScriptedAgent?) async throws -> [AgentEvent]
    {
        let before = going?.prompts.count ?? 0
        try await agent.prompt(prompt)
        try await ServedGateway.until { going?.prompts.count ?? 0 > before }
        for _ in 0..<20 { going?.go() }
        return await rest(of: agent)
    }
}
