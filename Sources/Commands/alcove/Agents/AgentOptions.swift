import AgentProtocols
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
        guard let ref = agent.secret else { return nil }
        guard let key = await host.secret(ref).flatMap({ AgentKey($0) }) else {
            throw CommandFailure(
                "the key of \(agent.name) is gone; remove the agent and add it again",
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
            let wall = sandbox.map { AgentWall(network: $0.network, readable: $0.readable) }
            return ACPAgent(
                AgentProgram(command, folder: folder, sandbox: wall),
                tools: arguments.has("tools") ? [ownTools(for: agent.name, arguments)] : [])
        case .gateway:
            guard !arguments.has("tools") else { throw CommandFailure("a gateway has no use for --tools", .usage) }
            guard let folder = arguments["folder"] else {
                throw CommandFailure("say in which folder of the gateway's machine it works: --folder DIR", .usage)
            }
            return try Self.provider(agent, key, folder: folder)
        case .modelServer(let url, let model, _):
            guard !arguments.has("tools") else { throw CommandFailure("a model server has no use for --tools", .usage) }
            let server: ServerURL
            do { server = try ServerURL(url) } catch { throw CommandFailure(error.message, .configuration) }
            return CompletionsAgent(.init(server: server, model: model, key: key))
        }
    }

    /// The agent, in a folder: of this machine, or of its gateway's.
    static func provider(_ agent: Agent, _ key: AgentKey?, folder: String) throws -> any AgentProvider {
        switch agent.place {
        case .program(let command, let sandbox):
            let wall = sandbox.map { AgentWall(network: $0.network, readable: $0.readable) }
            return ACPAgent(AgentProgram(command, folder: folder, sandbox: wall))
        case .modelServer(let url, let model, _):
            return CompletionsAgent(.init(server: try server(url), model: model, key: key))
        case .gateway(let url, let fingerprint, _):
            guard let token = key.flatMap({ GatewayToken($0.text) }) else {
                throw CommandFailure("the token of \(agent.name) is gone; remove it and pair anew", .configuration)
            }
            let pin = fingerprint.flatMap(GatewayFingerprint.init)
            return GatewayAgent(.init(server: try server(url), token: token, fingerprint: pin, folder: folder))
        }
    }

    private static func server(_ url: String) throws -> ServerURL {
        do { return try ServerURL(url) } catch { throw CommandFailure(error.message, .configuration) }
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

extension Agent {
    /// The key or token that it is asked with.
    fileprivate var secret: SecretRef? {
        switch place {
        case .program: nil
        case .modelServer(_, _, let key): key
        case .gateway(_, _, let token): token
        }
    }
}
