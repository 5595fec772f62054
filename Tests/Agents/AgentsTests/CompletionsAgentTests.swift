import Agents
import Errors
import Foundation
import Networking
import Peers
import Testing

/// Against a server that refuses whatever breaks a rule of the API.
@Suite struct CompletionsAgentTests {
    private func run(
        _ arguments: [String] = [], model: String? = "m", keyFile: String? = nil,
        _ body: (CompletionsAgent) async throws -> Void
    ) async throws {
        try await ModelServer.run(arguments, model: model, keyFile: keyFile, body)
    }

    @Test func `an answer streams with what it cost`() async throws {
        try await run { agent in
            let events = try await Agent.turn(of: agent, "hello")
            guard case .unreadable = events[0] else {
                Issue.record("\(events)")
                return
            }
            #expect(
                events.dropFirst() == [
                    .reasoning("hm"), .text("Grüß"), .text(" dich"), .usage(AgentUsage(input: 3, output: 4)),
                    .turnEnded(.done),
                ])
            #expect(try await Agent.turn(of: agent, "long").last == .turnEnded(.tokenLimit))
        }
    }

    @Test func `the conversation goes along, without turns that failed`() async throws {
        try await run { agent async throws in
            #expect(try await Agent.turn(of: agent, "hello").last == .turnEnded(.done))
            #expect(try await Agent.turn(of: agent, "cut").failure == .unreachable)
            #expect(try await Agent.turn(of: agent, "busy").failure == .busy)
            #expect(try await Agent.turn(of: agent, "history").text == #"["hello", "Gr\u00fc\u00df dich", "history"]"#)
        }
    }

    @Test func `a server that is cut after any byte has said what it said, and nothing of a turn that failed stays`()
        async throws
    {
        try await run { agent async throws in
            let whole = try await Agent.turn(of: agent, "hello")
            var (bytes, answered) = (0, ["hello"])
            while true {
                let events = try await Agent.turn(of: agent, "cut \(bytes)")
                let said = events.dropLast()
                #expect(Array(said) == Array(whole.dropLast().prefix(said.count)), "after \(bytes) bytes")
                if events.last == .turnEnded(.done) {
                    // It had said why it ended.
                    #expect(events.text == whole.text, "after \(bytes) bytes")
                    answered.append("cut \(bytes)")
                } else {
                    #expect(events.failure == .unreachable && answered.count == 1, "after \(bytes) bytes")
                }
                if events == whole, answered.count > 2 { break }
                bytes += 5
            }
            #expect(bytes > 1000)
            let told = try JSONDecoder().decode(
                [String].self, from: Data(try await Agent.turn(of: agent, "history").text.utf8))
            #expect(told == answered.flatMap { [$0, "Grüß dich"] } + ["history"])
        }
    }

    @Test func `without a model the first one that talks is asked`() async throws {
        try await run(["lists"], model: nil) { agent async throws in
            #expect(try await Agent.turn(of: agent, "which").text == "small")
            try await agent.choose(.model, "large")
            #expect(try await Agent.turn(of: agent, "which").text == "large")
        }
        try await run(model: nil) { agent async throws in
            #expect(try await Agent.turn(of: agent, "which").text == "none")
        }
    }

    @Test func `why the server refuses it says itself, and repeats no key`() async throws {
        try await run(["lists"], model: "other") { agent in
            let events = try await Agent.turn(of: agent, "hello")
            #expect(events.contains(.remark("model is required")) && events.failure == .refused)
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("sesame\n".utf8).write(to: URL(filePath: file))
        try await run(["key"], keyFile: file) { agent in
            let events = try await Agent.turn(of: agent, "busy")
            #expect(events.count == 1 && events.failure == .busy)
        }
        try await run { agent async throws in
            #expect(try await Agent.turn(of: agent, "busy").contains(.remark("too many: wait")))
        }
    }

    @Test func `a failure in the middle is told apart from the words of the server`() async throws {
        try await run { agent in
            let events = try await Agent.turn(of: agent, "failing")
            guard case .turnEnded(.failed(let error))? = events.last else {
                Issue.record("\(events)")
                return
            }
            #expect(error.code == .refused && !error.message.contains("secret"))
            #expect(events.contains(.remark("out of memory: secret details")))
        }
    }

    @Test func `pictures go along as the API has them, and stay in the conversation`() async throws {
        try await run { agent in
            let png = try #require(PromptPicture(Pictures.png))
            let gif = try #require(PromptPicture(Pictures.gif(20_000)))
            try await agent.prompt(AgentPrompt("see", pictures: [png, gif]))
            let events = await Agent.rest(of: agent)
            #expect(events.text == "image/png \(Pictures.png.count), image/gif 20000")
            #expect(events.last == .turnEnded(.done))
            // The server refuses a part that breaks a rule, also in a later request.
            #expect(try await Agent.turn(of: agent, "hello").last == .turnEnded(.done))
            let told = try await Agent.turn(of: agent, "history").text
            #expect(told.contains("data:image/png;base64,\(Pictures.base64)") && told.contains("hello"))
        }
    }

    @Test func `a model that sees nothing is told apart, and can be asked without pictures`() async throws {
        try await run { agent in
            let png = try #require(PromptPicture(Pictures.png))
            try await agent.prompt(AgentPrompt("blind", pictures: [png]))
            #expect(await Agent.rest(of: agent).failure == .noPictures)
            #expect(
                try await Agent.turn(of: agent, "history").text == #"["history"]"#, "the picture does not come back")
        }
    }

    @Test func `calls of tools are told once, with what they were to be given, and nobody waits for them`() async throws
    {
        var call = AgentToolCall(id: "a", title: "read", status: "failed")
        call.input = #"{"path":"/"}"#
        call.results = [.text("no tools were offered to this model, so nothing was done")]
        try await run { agent async throws in
            let events = try await Agent.turn(of: agent, "tools")
            #expect(events.suffix(2) == [.toolCall(call), .turnEnded(.other("tool_calls"))])
            #expect(events.count == 3, "and what it cost")
        }
    }

    @Test func `a turn is stopped, and the next one begins`() async throws {
        try await run { agent in
            try await agent.prompt("endless")
            #expect(await agent.events.next() == .text("x"))
            await #expect(throws: AgentError.self) { try await agent.prompt("hello") }
            await agent.cancel()
            #expect(await Agent.rest(of: agent).last == .turnEnded(.cancelled))
            #expect(try await Agent.turn(of: agent, "hello").last == .turnEnded(.done))
        }
    }

    @Test func `a flood waits for its reader`() async throws {
        try await run { agent in
            try await agent.prompt("flood")
            var (count, most, isOver) = (0, 0, false)
            while !isOver, let event = await agent.events.next() {
                switch event {
                case .text(let text): count += text.text.utf8.count
                case .turnEnded, .ended: isOver = true
                default: break
                }
                most = max(most, agent.events.heldBytes)
            }
            #expect(count == 1600 * 16384 && most <= AgentEvents.highWater + 1 << 19)
        }
    }

    @Test func `a key comes from its file, and only where it may go`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("sesame\n".utf8).write(to: URL(filePath: file))
        try await run(["key"], keyFile: file) { agent in
            #expect(try await Agent.turn(of: agent, "hello").last == .turnEnded(.done))
            try Data("other".utf8).write(to: URL(filePath: file))
            #expect(try await Agent.turn(of: agent, "hello").failure == .unauthorized)
            try Data("two\r\nlines: yes".utf8).write(to: URL(filePath: file))
            await #expect(throws: AgentError.self) { try await agent.prompt("hello") }
        }
        try Data("sesame".utf8).write(to: URL(filePath: file))
        let far = CompletionsAgent(.init(server: try ServerURL("http://model.example"), keyFile: file))
        await #expect(throws: AgentError.self) { try await far.start() }
    }

    @Test func `where nobody listens the turn fails`() async throws {
        let agent = CompletionsAgent(.init(server: ServerURL(host: "127.0.0.1", port: 1)))
        try await Agent.run(agent) { agent in
            await #expect(throws: AgentError.self) { try await agent.prompt("hello") }
            try await agent.start()
            #expect(try await Agent.turn(of: agent, "hello").failure == .unreachable)
        }
    }
}
