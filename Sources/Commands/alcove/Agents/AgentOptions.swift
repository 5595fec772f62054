import Agents
import AppCore
import Errors
import Foundation
import Host
import Networking

/// What the commands that talk to an agent share.
enum AgentOptions {
    static let folder = Arguments.Option.value(
        "folder", "DIR", "where a program starts and works (default: the current folder)")

    /// The agent of this name, ready to be started. The profile is let go before anything is said.
    static func provider(_ name: String, _ arguments: Arguments) async throws -> (name: String, any AgentProvider) {
        let (agent, key) = try await ProfileOptions.attached(arguments) { host in
            let agent = try await AgentOperand(text: name).find(in: host)
            guard case .modelServer(_, _, let ref?) = agent.place else { return (agent, nil as AgentKey?) }
            guard let key = await host.secret(ref).flatMap({ AgentKey($0) }) else {
                throw CommandFailure(
                    "the key of \(agent.name) is gone; remove the agent and add it again with --key-file",
                    .configuration)
            }
            return (agent, key)
        }
        return (agent.name, try provider(agent.place, key, arguments))
    }

    private static func provider(
        _ place: Agent.Place, _ key: AgentKey?, _ arguments: Arguments
    ) throws -> any AgentProvider {
        switch place {
        case .program(let command):
            let folder = ProfileOptions.absolute(arguments["folder"] ?? FileManager.default.currentDirectoryPath)
            return ACPAgent(AgentProgram(command, folder: folder))
        case .modelServer(let url, let model, _):
            let server: ServerURL
            do { server = try ServerURL(url) } catch { throw CommandFailure(error.message, .configuration) }
            return CompletionsAgent(.init(server: server, model: model, key: key))
        }
    }

    /// How an error of an agent ends a command.
    static func failure(_ error: AgentError) -> CommandFailure {
        let code: ExitCode =
            switch error.code {
            case .cannotStart: .noInput
            case .unauthorized: .noPermission
            case .unreachable, .ended, .silent, .notRunning: .unavailable
            case .busy: .temporaryFailure
            case .notUnderstood, .otherVersion, .tooLarge: .dataError
            case .refused, .gone: .failure
            }
        return CommandFailure(error.message, code)
    }
}
