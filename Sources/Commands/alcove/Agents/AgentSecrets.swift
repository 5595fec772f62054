import Agents
import AppCore
import Host

/// What an agent is asked or started with, out of the vault, for a command that asks it itself.
struct AgentSecrets {
    /// The key of a server, or the token of a gateway.
    private(set) var key: AgentKey?
    /// What a program gets.
    private(set) var variables: AgentVariables?

    init(of agent: Agent, in host: any ProfileHost) async throws {
        guard let ref = agent.secret else { return }
        let text = await host.secret(ref)
        if case .program = agent.place {
            variables = text.flatMap { try? AgentVariables($0) }
        } else {
            key = text.flatMap { AgentKey($0) }
        }
        guard key != nil || variables != nil else {
            throw CommandFailure(
                "the secret of \(agent.name) is gone; remove the agent and add it again", .configuration)
        }
    }
}
