import Agents
import Networking

/// This program as the supervisor of one agent. Host processes start it; people do not call it.
enum AgentSupervision {
    static func run(at path: String) async -> ExitCode {
        do {
            try await AgentSupervisor().run(at: path)
            return .success
        } catch {
            Terminal.complain(of: error.message)
            return .unavailable
        }
    }
}
