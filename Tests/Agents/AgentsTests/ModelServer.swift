import Agents
import Foundation
import Networking
import Peers
import Testing

/// The model server of `model_server.py`, which refuses whatever breaks a rule of the API.
enum ModelServer {
    /// Runs `body` with an agent of a server that runs meanwhile.
    static func run(
        _ arguments: [String] = [], model: String? = "m", keyFile: String? = nil, said: [AgentSaid] = [],
        _ body: (CompletionsAgent) async throws -> Void
    ) async throws {
        let pipe = Pipe()
        let server = try ChildProcess(
            program: Programs.python(), arguments: [Programs.script("model_server.py")] + arguments,
            output: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        do {
            let port = try #require(Int(pipe.firstLine()))
            let agent = CompletionsAgent(
                .init(server: ServerURL(host: "127.0.0.1", port: port), model: model, keyFile: keyFile), said: said)
            try await Agent.run(agent) { agent in
                try await agent.start()
                try await body(agent)
            }
        } catch {
            await server.ended(grace: .zero)
            throw error
        }
        await server.ended(grace: .zero)
    }
}
