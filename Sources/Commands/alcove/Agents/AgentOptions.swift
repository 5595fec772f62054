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
        "folder", "DIR", "where it works (default: the current folder; behind a gateway, name one that is there)")

    static let session = Arguments.Option.value(
        "session", "ID", "go on with a session, by its id or the beginning of it, instead of beginning one")

    static let takeUp = Arguments.Option.value(
        "take-up", "ID",
        "go on with a session that the agent has already, by its id there or the beginning of it (alcove agent sessions NAME --elsewhere)"
    )

    static let tools = Arguments.Option.flag(
        "tools", "offer it your notes, rooms and apps, as far as alcove mcp grant NAME says")

    static let image = Arguments.Option.value(
        "image", "FILE",
        "a picture that goes along (PNG, JPEG, GIF, WebP); as often as you like, up to 8, 4 MiB together")

    static let noHost = Arguments.Option.flag(
        "no-host", "start no host process: if none runs, the agent ends with this command")

    /// A session with the agent of this name, shown in the user's view: a new one, or the one that the options name.
    static func session(
        _ name: String, _ arguments: Arguments, _ host: any ProfileHost
    ) async throws -> (Agent, AgentTalk) {
        guard arguments["session"] == nil || arguments["take-up"] == nil else {
            throw UsageError("--session and --take-up name two sessions")
        }
        let agent = try await AgentOperand(text: name).find(in: host)
        if host is AppHost { await host.dispatch(.app(.becameActive)) }
        let id = try await AgentSessionOperand.named(arguments["session"], of: agent, in: host)
        if let id {
            guard !arguments.has("tools"), arguments["folder"] == nil else {
                throw UsageError("--folder and --tools go with a session that begins")
            }
            await host.dispatch(.app(.navigate(to: Screen(.agent, session: id))))
            guard let talk = await host.talk(id, from: 0, since: Timestamp(milliseconds: 0)) else {
                throw CommandFailure("the session is gone", .unavailable)
            }
            return (agent, talk)
        }
        if let thread = arguments["take-up"] {
            guard !arguments.has("tools") else { throw UsageError("--tools goes with a session that begins") }
            return (agent, try await takeUp(thread, agent, folder: arguments["folder"], in: host))
        }
        let talk = try await newSession(
            agent, folder: arguments["folder"], here: FileManager.default.currentDirectoryPath,
            hasTools: arguments.has("tools"), in: host)
        return (agent, talk)
    }

    /// Begins a session, and shows it in the user's view.
    /// - Parameters:
    ///   - folder: where the person wants it to work.
    ///   - here: where a program works otherwise.
    static func newSession(
        _ agent: Agent, folder: String?, here: String, hasTools: Bool, in host: any ProfileHost
    ) async throws -> AgentTalk {
        let place = try place(of: agent, folder, here: here, hasTools: hasTools)
        return try await shown(
            after: .newAgentSession(agent: agent.id, folder: place, tools: hasTools ? true : nil), in: host)
    }

    /// Goes on with a session that the agent has already.
    private static func takeUp(
        _ id: String, _ agent: Agent, folder: String?, in host: any ProfileHost
    ) async throws -> AgentTalk {
        let here = FileManager.default.currentDirectoryPath
        let thread = try await AgentThreadOperand.named(id, of: agent, in: folder, host)
        let place = try thread.folder ?? place(of: agent, folder, here: here, hasTools: false)
        return try await shown(
            after: .takeUpAgentThread(
                agent: agent.id, thread: thread.id, folder: place, title: thread.title.isEmpty ? nil : thread.title),
            in: host)
    }

    /// The session that the user's view shows after an action.
    private static func shown(after action: AgentAction, in host: any ProfileHost) async throws -> AgentTalk {
        let view = await host.view
        let before = await host.read { $0.views[view]?.screen.session }
        try await host.change(agents: action)
        let shown = await host.read { $0.views[view]?.screen.session }
        guard let shown, shown != before, let talk = await host.talk(shown, from: 0, since: Timestamp(milliseconds: 0))
        else {
            throw CommandFailure("the session could not be begun", .unavailable)
        }
        return talk
    }

    private static func place(of agent: Agent, _ folder: String?, here: String, hasTools: Bool) throws -> String? {
        switch agent.place {
        case .program(_, let sandbox, _):
            guard sandbox == nil || !hasTools else {
                throw CommandFailure(
                    "an agent in a sandbox cannot reach the profile, so --tools is of no use to it", .usage)
            }
            return ProfileOptions.absolute(folder ?? here)
        case .modelServer:
            guard !hasTools else { throw CommandFailure("a model server has no use for --tools", .usage) }
            return nil
        case .gateway:
            guard !hasTools else { throw CommandFailure("a gateway has no use for --tools", .usage) }
            return try folderThere(folder)
        case .member:
            guard !hasTools, folder == nil else {
                throw CommandFailure("its owner says where \(agent.name) works, and what it may use", .usage)
            }
            return nil
        }
    }

    /// The agent of this name, for a command that asks it itself, and keeps nothing of it.
    static func provider(_ agent: Agent, _ secrets: AgentSecrets, folder: String?) throws -> any AgentProvider {
        switch agent.place {
        case .program(let command, let sandbox, _):
            let folder = ProfileOptions.absolute(folder ?? FileManager.default.currentDirectoryPath)
            let wall = sandbox.map {
                AgentWall(network: $0.network, readable: $0.readable, isReadOnly: $0.readOnly == true)
            }
            return ACPAgent(
                AgentProgram(command, folder: folder, variables: secrets.variables, sandbox: wall))
        case .modelServer(let url, let model, _): return try server(url, model, secrets.key)
        case .gateway(let url, let fingerprint, _):
            guard let token = secrets.key.flatMap({ GatewayToken($0.text) }) else {
                throw CommandFailure("the token of \(agent.name) is gone; remove it and pair anew", .configuration)
            }
            let pin = fingerprint.flatMap(GatewayFingerprint.init)
            return GatewayAgent(
                .init(server: try address(url), token: token, fingerprint: pin, folder: try folderThere(folder)))
        case .member: throw CommandFailure("\(agent.name) is an agent of somebody in your circle", .usage)
        }
    }

    /// A folder of the gateway's machine: nothing here can complete it.
    private static func folderThere(_ folder: String?) throws -> String {
        guard let folder else {
            throw CommandFailure("say in which folder of the gateway's machine it works: --folder DIR", .usage)
        }
        return folder
    }

    static func server(_ url: String, _ model: String?, _ key: AgentKey?) throws -> CompletionsAgent {
        CompletionsAgent(.init(server: try address(url), model: model, key: key))
    }

    private static func address(_ url: String) throws -> ServerURL {
        do { return try ServerURL(url) } catch { throw CommandFailure(error.message, .configuration) }
    }

    /// How an error of an agent ends a command.
    static func failure(_ error: AgentError) -> CommandFailure {
        let code: ExitCode =
            switch error.code {
            case .cannotStart: .noInput
            case .unauthorized, .otherKey: .noPermission
            case .unreachable, .ended, .silent, .notRunning: .unavailable
            case .busy: .temporaryFailure
            case .notUnderstood, .otherVersion, .tooLarge: .dataError
            case .refused, .gone, .noPictures: .failure
            }
        return CommandFailure(error.message, code)
    }
}
