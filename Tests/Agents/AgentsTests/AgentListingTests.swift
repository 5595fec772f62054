import AgentProtocols
import Errors
import Foundation
import Synchronization
import Testing

@testable import Agents

/// Sessions that an agent has already: it lists them, and the agent is over then.
@Suite(.timeLimit(.minutes(5))) struct AgentListingTests {
    @Test func `the reference library lists its sessions, page by page`() async throws {
        let file = NSTemporaryDirectory() + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: file) }
        try "[]".write(toFile: file, atomically: true, encoding: .utf8)
        try await Agent.acp("acp_agent.py", ["loads", file]) { agent in
            let all = try #require(try await agent.sessions())
            #expect(all.map(\.id) == ["other", "session ‹1›"])
            #expect(all.map(\.title) == ["Another\u{1B}[2J", ""])
            #expect(all[0].folder == "/elsewhere" && all[0].changedAt == "2026-03-01T10:00:00Z")
            #expect(await agent.events.next() == .ended(nil))
        }
    }

    @Test(arguments: [[], ["resumes"]]) func `one that does not list them says so, and ends`(
        arguments: [String]
    ) async throws {
        let file = arguments.isEmpty ? [] : [NSTemporaryDirectory() + UUID().uuidString]
        try await Agent.acp("acp_agent.py", arguments + file) { agent in
            let all = try await agent.sessions()
            #expect(all == nil)
            #expect(await agent.events.next() == .ended(nil))
        }
    }

    @Test func `a list without end is left, and names that would have to be cut are left out`() async throws {
        let script = """
            import json, sys
            for line in sys.stdin:
                asked = json.loads(line)
                if asked["method"] == "initialize":
                    answer = {"protocolVersion": 1, "agentCapabilities": {"loadSession": True, "sessionCapabilities": {"list": {}}}}
                else:
                    sessions = [{"sessionId": "a" * 5000, "cwd": "/"}, {"cwd": "/"}, 7, {"sessionId": "", "cwd": "/"}, {"sessionId": "s", "cwd": "/"}]
                    answer = {"sessions": sessions, "nextCursor": "again"}
                print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": answer}), flush=True)
            """
        let agent = ACPAgent(AgentProgram(["/usr/bin/env", "python3", "-c", script], folder: "/"))
        try await Agent.run(agent) { agent in
            let all = try #require(try await agent.sessions())
            #expect(!all.isEmpty && all.count <= 256 && all.allSatisfy { $0.id == "s" })
        }
    }

    @Test func `a gateway says which sessions it has beside the one that is begun to ask`() async throws {
        let gateway = StrictGateway()
        gateway.state.withLock { $0.sessions = ["s1", "session_fox", "session_owl"] }
        try await gateway.run { agent in
            let all = try await agent.sessions()
            #expect(all?.map(\.id) == ["session_fox", "session_owl"])
        }
        #expect(gateway.state.withLock { $0.requests.allSatisfy { $0.kind != .message } && $0.violations.isEmpty })
    }

    @Test func `a gateway of ours says what was asked first in each, and nothing of those without a question`()
        async throws
    {
        try await ServedGateway.run([.say(.text("a"))]) { gateway in
            let token = try await gateway.pair()
            var thread: String?
            try await Agent.run(gateway.agent(token)) { agent in
                try await agent.start()
                if case .opened(let name, _)? = await agent.events.next() { thread = name }
                _ = try await Agent.turn(of: agent, "mend it\nplease", going: gateway.first)
            }
            try await Agent.run(gateway.agent(token)) { agent in
                let all = try await agent.sessions()
                #expect(all?.first?.id == thread && all?.count == 1 && all?.map(\.title) == ["mend it"])
            }
            try await Agent.run(gateway.agent(token)) { agent in
                let all = try await agent.sessions()
                #expect(all?.count == 1, "asking leaves nothing")
            }
        }
    }

    @Test func `one long turn that is told keeps what was asked in it, and its end`() {
        var retelling = AgentRetelling()
        retelling.begin("do it")
        for number in 0..<5000 {
            retelling.take(number.isMultiple(of: 2) ? .text("a") : .reasoning(AgentText("\(number)")))
        }
        #expect(retelling.parts.first == .asked("do it") && retelling.parts.last == .thought("4999"))
        #expect(retelling.parts.count <= AgentRetelling.most + 1)
    }

    @Test func `a session in which nothing was asked may be another one after a break`() async throws {
        var session = GatewaySession(name: "a", folder: "/p", instance: "i")
        func history(_ id: String) -> String {
            #"{"type":"history","id":\#(session.joining?.history ?? 0),"session_id":"\#(id)","messages":[]}"#
        }
        _ = session.connected()
        #expect(session.receive(history("s1").utf8).contains(.ready))
        _ = session.disconnected()
        _ = session.connected()
        let steps = session.receive(history("s2").utf8)
        #expect(steps.contains(.tell(.opened(thread: "s2", goesOn: false))) && steps.contains(.tell(.link(.back))))
        _ = try session.prompt(AgentPrompt("hi"))
        _ = session.disconnected()
        _ = session.connected()
        guard case .giveUp? = session.receive(history("s3").utf8).first else {
            Issue.record("another session stands for the one in which something was asked")
            return
        }
    }
}
