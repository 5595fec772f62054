import Agents
import Foundation
import Networking
import Peers
import Testing

/// A real model, small, behind llama.cpp's own server. What it says is not judged, but how it comes.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RealModelTests {
    @Test func `it answers piece by piece, stops when it is told to, and goes on`() async throws {
        let pipe = Pipe()
        let server = try ChildProcess(
            program: Programs.python(), arguments: [Programs.script("real_model.py")],
            output: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        let line = pipe.firstLine()
        do {
            let port = try #require(Int(line))
            let agent = CompletionsAgent(.init(server: ServerURL(host: "127.0.0.1", port: port)))
            try await Agent.run(agent) { agent in
                try await agent.start()
                let hello = try await Agent.turn(of: agent, "Say hello.")
                #expect(hello.last == .turnEnded(.done) && !hello.text.isEmpty)
                #expect(hello.count { if case .text = $0 { true } else { false } } > 1, "it streams")
                #expect(hello.contains { if case .usage(let usage) = $0 { usage.output ?? 0 > 1 } else { false } })
                try await agent.prompt("Write a story of a thousand words about a lighthouse.")
                while let event = await agent.events.next() {
                    if case .text = event { break }
                }
                await agent.cancel()
                #expect(await Agent.rest(of: agent).last == .turnEnded(.cancelled))
                #expect(try await Agent.turn(of: agent, "Say hello.").text.isEmpty == false)
            }
        } catch {
            await server.ended(grace: .zero)
            throw error
        }
        await server.ended(grace: .zero)
    }
}
