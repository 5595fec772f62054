import Agents
import Foundation
import Testing

/// Against the reference library of the protocol.
@Suite struct ACPAgentTests {
    @Test func `a turn streams what the agent thinks and says`() async throws {
        try await Agent.acp("acp_agent.py") { agent in
            try await agent.start()
            let events = try await Agent.turn(of: agent, "say one two")
            #expect(events == [.reasoning("hm"), .text("one"), .text("two"), .turnEnded(.done)])
            #expect(try await Agent.turn(of: agent, "say three").text == "three")
            #expect(await agent.log.contains("this is the log"))
        }
    }

    @Test func `an answer reaches the agent once`() async throws {
        try await Agent.acp("acp_agent.py") { agent in
            try await agent.start()
            try await agent.prompt("edit")
            guard case .permission(let request)? = await agent.events.next() else {
                Issue.record("nothing was asked")
                return
            }
            #expect(request.toolCall.results == [.difference(path: "/a", old: "old", new: "new")])
            #expect(request.options.map(\.kind) == ["allow_once", "reject_once"])
            await #expect(throws: AgentError.self) { try await agent.answer(request.id, option: "maybe") }
            try await agent.answer(request.id, option: "no")
            await #expect(throws: AgentError.self) { try await agent.answer(request.id, option: "yes") }
            #expect(await Agent.rest(of: agent) == [.text("no"), .turnEnded(.done)])
        }
    }

    @Test func `a request that is open when the turn is cancelled is answered so`() async throws {
        try await Agent.acp("acp_agent.py") { agent in
            try await agent.start()
            try await agent.prompt("edit")
            guard case .permission(let request)? = await agent.events.next() else {
                Issue.record("nothing was asked")
                return
            }
            await agent.cancel()
            let events = await Agent.rest(of: agent)
            #expect(events.first == .permissionGone(request.id))
            #expect(events.text == "cancelled" && events.last == .turnEnded(.cancelled))
            await #expect(throws: AgentError.self) { try await agent.answer(request.id, option: "yes") }
        }
    }

    @Test func `a turn is stopped, and the next one begins`() async throws {
        try await Agent.acp("acp_agent.py") { agent in
            try await agent.start()
            try await agent.prompt("wait")
            #expect(await agent.events.next() == .text("waiting"))
            await #expect(throws: AgentError.self) { try await agent.prompt("say no") }
            await agent.cancel()
            #expect(await Agent.rest(of: agent) == [.turnEnded(.cancelled)])
            #expect(try await Agent.turn(of: agent, "say yes").text == "yes")
        }
    }

    @Test func `plans and calls of tools come by their ids`() async throws {
        try await Agent.acp("acp_agent.py") { agent in
            try await agent.start()
            let events = try await Agent.turn(of: agent, "work")
            guard case .plan(let plan) = events[0], case .toolCall(let call) = events[1],
                case .toolCallChanged(let change) = events[2]
            else {
                Issue.record("\(events)")
                return
            }
            #expect(plan.map(\.content) == ["Read it"] && plan.map(\.status) == ["in_progress"])
            #expect(
                (call.id, call.title, call.kind, call.input?.text) == ("read-1", "Read a", "read", #"{"path":"/a"}"#))
            #expect((change.id, change.status) == ("read-1", "completed"))
            #expect(change.results == [.text("what is in it")] && change.title == nil)
        }
    }

    @Test func `an agent starts in its folder and sees few variables`() async throws {
        setenv("ALCOVE_TEST_SECRET", "1", 1)
        try await Agent.acp("acp_agent.py") { agent in
            try await agent.start()
            let lines = try await Agent.turn(of: agent, "where").text.split(separator: "\n").map(String.init)
            #expect(lines.prefix(2).allSatisfy { $0 == FileManager.default.temporaryDirectory.path })
            #expect(lines.contains("GIVEN") && lines.contains("PATH"))
            #expect(!lines.contains("ALCOVE_TEST_SECRET"))
        }
    }

    @Test func `after the end there is nothing`() async throws {
        try await Agent.acp("acp_agent.py") { agent in
            await #expect(throws: AgentError.self) { try await agent.prompt("say no") }
            try await agent.start()
            await agent.stop()
            #expect(await agent.events.next() == .ended(nil))
            #expect(await agent.events.next() == nil)
            await #expect(throws: AgentError.self) { try await agent.prompt("say no") }
            await #expect(throws: AgentError.self) { try await agent.start() }
        }
    }
}
