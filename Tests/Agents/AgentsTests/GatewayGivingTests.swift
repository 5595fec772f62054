import AgentProtocols
import Errors
import Networking
import Synchronization
import Testing
import Wire

@testable import Agents

/// What a person gives an agent behind a gateway besides words.
@Suite(.timeLimit(.minutes(5))) struct GatewayGivingTests {
    @Test func `a tool that wants input is shown, and can be refused`() async throws {
        let asks =
            #"{"type":"stdin_request","request_id":"r","prompt":"Password:","is_password":true,"tool_call_id":"t1"}"#
        let gateway = StrictGateway([asks, "wait"])
        try await gateway.run { agent in
            try await agent.start()
            await agent.expectOpened()
            try await agent.prompt("hello")
            guard case .permission(let asked)? = await agent.events.next() else {
                Issue.record("nothing was asked")
                return
            }
            #expect(asked.toolCall.results == [.text("Password:")] && asked.options == [])
            try await agent.answer(asked.id, option: nil)
            #expect(await Agent.rest(of: agent).last == .turnEnded(.cancelled))
            await #expect { try await agent.answer(asked.id, option: nil) } throws: {
                ($0 as? AgentError)?.code == .gone
            }
        }
    }

    @Test(arguments: [true, false]) func `a tool is given what it wants, once`(isSecret: Bool) async throws {
        let asks =
            #"{"type":"stdin_request","request_id":"r7","prompt":"Password:","is_password":\#(isSecret),"tool_call_id":"t1"}"#
        let gateway = StrictGateway([asks, asks, "wait"])
        try await gateway.run { agent in
            try await agent.start()
            await agent.expectOpened()
            try await agent.prompt("hello")
            guard case .permission(let asked)? = await agent.events.next() else {
                Issue.record("nothing was asked")
                return
            }
            #expect(asked.input == (isSecret ? .secret : .text))
            try await agent.give(asked.id, "Grüße ‹2›\n")
            await #expect { try await agent.give(asked.id, "again") } throws: {
                ($0 as? AgentError)?.code == .gone
            }
            #expect(
                await Agent.rest(of: agent) == [.text(AgentText("r7 \("Grüße ‹2›\n".utf8.count)")), .turnEnded(.done)])
        }
        let given = gateway.state.withLock { $0.requests.filter { $0.kind == .stdinResponse } }
        #expect(given.map { $0.object.string("request_id") } == ["r7"], "what is asked twice is given once")
    }

    @Test func `what a tool wants is asked again after a break, and given then`() async throws {
        let asks =
            #"{"type":"stdin_request","request_id":"r","prompt":"Password:","is_password":true,"tool_call_id":"t1"}"#
        let gateway = StrictGateway([asks, "wait"])
        try await gateway.run { agent in
            try await agent.start()
            await agent.expectOpened()
            try await agent.prompt("hello")
            guard case .permission(let asked)? = await agent.events.next() else {
                Issue.record("nothing was asked")
                return
            }
            gateway.state.withLock { $0.socket?.close(.goingAway) }
            #expect(await agent.events.next() == .permissionGone(asked.id))
            await #expect { try await agent.give(asked.id, "late") } throws: { ($0 as? AgentError)?.code == .gone }
        }
        #expect(gateway.state.withLock { !$0.requests.contains { $0.kind == .stdinResponse } })
    }

    @Test func `pictures go along as the gateway takes them`() async throws {
        let gateway = StrictGateway([#"{"type":"text_delta","text":"a"}"#, #"{"type":"done","id":ID}"#])
        try await gateway.run { agent in
            try await agent.start()
            let png = try #require(PromptPicture(Pictures.png))
            try await agent.prompt(AgentPrompt("what is it", pictures: [png]))
            #expect(await Agent.rest(of: agent).last == .turnEnded(.done))
        }
        let message = gateway.state.withLock { $0.requests.first { $0.kind == .message } }
        #expect(message?.object["images"] == [["image/png", .string(Pictures.base64)]])
    }
}
