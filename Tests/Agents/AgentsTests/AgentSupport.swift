import Agents
import Errors
import Foundation
import Peers
import Testing

/// Starts agents for tests, and ends them.
enum Agent {
    static func acp(
        _ script: String, _ arguments: [String] = [], patience: Duration = .seconds(120),
        grace: Duration = .seconds(120), _ body: (ACPAgent) async throws -> Void
    ) async throws {
        let program = AgentProgram(
            [try Programs.python().path, Programs.script(script)] + arguments,
            folder: FileManager.default.temporaryDirectory.path, variables: try AgentVariables("GIVEN=1"))
        try await run(ACPAgent(program, patience: patience, grace: grace), body)
    }

    static func run<Provider: AgentProvider>(_ agent: Provider, _ body: (Provider) async throws -> Void) async throws {
        do {
            try await body(agent)
        } catch {
            await agent.stop()
            throw error
        }
        await agent.stop()
    }

    /// What the agent does up to the end of its turn, or its own.
    static func turn(of agent: some AgentProvider, _ prompt: String) async throws -> [AgentEvent] {
        try await agent.prompt(prompt)
        return await rest(of: agent)
    }

    static func rest(of agent: some AgentProvider) async -> [AgentEvent] {
        var all: [AgentEvent] = []
        while let event = await agent.events.next() {
            all.append(event)
            switch event {
            case .turnEnded, .ended: return all
            default: continue
            }
        }
        return all
    }
}

extension [AgentEvent] {
    /// What the agent said.
    var text: String {
        reduce(into: "") { all, event in
            if case .text(let piece) = event { all += piece.text }
        }
    }

    /// Why it ended, if it did.
    var failure: AgentErrorCode? {
        switch last {
        case .ended(let error): error?.code
        case .turnEnded(.failed(let error)): error.code
        default: nil
        }
    }
}
