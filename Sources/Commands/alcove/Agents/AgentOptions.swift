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

    static let tools = Arguments.Option.flag(
        "tools", "offer it your notes, rooms and apps, as far as alcove mcp grant NAME says")

    /// The agent of this name, ready to be started. The profile is let go before anything is said.
    static func provider(_ name: String, _ arguments: Arguments) async throws -> (name: String, any AgentProvider) {
        let (agent, key) = try await ProfileOptions.attached(arguments) { host in
            let agent = try await AgentOperand(text: name).find(in: host)
            return (agent, try await Self.key(of: agent, host))
        }
        return (agent.name, try provider(agent, key, arguments))
    }

    /// The key that it is asked with; nil if there is none.
    static func key(of agent: Agent, _ host: any ProfileHost) async throws -> AgentKey? {
        guard case .modelServer(_, _, let ref?) = agent.place else { return nil }
        guard let key = await host.secret(ref).flatMap({ AgentKey($0) }) else {
            throw CommandFailure(
                "the key of \(agent.name) is gone; remove the agent and add it again with --key-file",
                .configuration)
        }
        return key
    }

    private static func provider(
        _ agent: Agent, _ key: AgentKey?, _ arguments: Arguments
    ) throws -> any AgentProvider {
        switch agent.place {
        case .program(let command, let sandbox):
            let folder = ProfileOptions.absolute(arguments["folder"] ?? FileManager.default.currentDirectoryPath)
            guard sandbox == nil || !arguments.has("tools") else {
                throw CommandFailure(
                    "an agent in a sandbox cannot reach the profile, so --tools is of no use to it", .usage)
            }
            let wall = sandbox.map {
                AgentWall(network: $0.network, readable: $0.readable, isReadOnly: $0.readOnly == true)
            }
            return ACPAgent(
                AgentProgram(command, folder: folder, sandbox: wall),
                tools: arguments.has("tools") ? [ownTools(for: agent.name, arguments)] : [])
        case .modelServer(let url, let model, _):
            guard !arguments.has("tools") else { throw CommandFailure("a model server has no use for --tools", .usage) }
            let server: ServerURL
            do { server = try ServerURL(url) } catch { throw CommandFailure(error.message, .configuration) }
            return CompletionsAgent(.init(server: server, model: model, key: key))
        case .member:
            throw CommandFailure(
                "\(agent.name) is an agent of somebody in your circle: talk to it in the page (alcove open)", .usage)
        }
    }

    /// This program, as the agent starts it for itself.
    private static func ownTools(for client: String, _ arguments: Arguments) -> ToolServer {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        return ToolServer(
            name: "alcove", command: program,
            arguments: [
                "mcp", "--client", client, "--profile", ProfileOptions.absolute(ProfileOptions.path(arguments)),
            ])
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
