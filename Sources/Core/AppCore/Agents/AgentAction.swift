/// What a person does with the list of agents.
package enum AgentAction: Sendable, Hashable, Codable {
    /// Adds a program that speaks the Agent Client Protocol. Nothing is started yet.
    case addAgent(name: String, command: [String], sandbox: AgentSandbox? = nil)
    /// Adds a server of the chat completions API. `key` is a secret that was kept for it; it is forgotten with the agent, and if the agent is
    /// refused.
    case addModel(name: String, url: String, model: String?, key: SecretRef?)
    case renameAgent(agent: AgentID, name: String)
    case removeAgent(agent: AgentID)
}
