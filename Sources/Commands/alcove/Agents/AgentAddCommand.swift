import Agents
import AppCore
import Catalogues
import Foundation
import Host
import Networking

/// `alcove agent add`
struct AgentAddCommand: ReportingCommand {
    static let reference = CommandReference(
        "agent add", "NAME COMMAND… | NAME --openai URL",
        "add a coding agent that speaks the Agent Client Protocol, or a model server with the chat completions API",
        takes: .some(1...(AgentListLimits.commandWords + 1), "alcove agent add NAME -- COMMAND…, or --openai URL"),
        options: ProfileOptions.all + [
            .value("openai", "URL", "a model server: Ollama, llama.cpp, LM Studio, vLLM or one like them"),
            .value("model", "MODEL", "the model to ask; without it the first one that the server lists"),
            .value("key-file", "FILE", "a file with the server's key alone, which goes into the vault"),
            .value("env-file", "FILE", "variables for the program, NAME=value in each line, which go into the vault"),
            .flag("sandbox", "confine the program: it writes in its folder alone, and sees an empty home"),
            .value("network", "on|off", "with --sandbox: whether it reaches the network (default off)"),
            .value("readable", "PATH", "with --sandbox: what it may read besides; repeatable"),
        ],
        examples: [
            "alcove agent add helper -- opencode acp",
            "alcove agent add careful --sandbox --network on --readable ~/.config/opencode -- opencode acp",
            "alcove agent add claude --env-file keys.env -- claude-code-acp",
            "alcove agent add local --openai http://127.0.0.1:11434 --model llama3.2",
        ])

    private enum Place {
        case program([String], AgentSandbox?, variablesFile: String?)
        case modelServer(url: String, model: String?, keyFile: String?)
    }

    let arguments: Arguments
    private let place: Place

    init(arguments: Arguments) throws {
        self.arguments = arguments
        try WrittenName.check(agent: arguments.operands[0])
        let command = Array(arguments.operands.dropFirst())
        if let url = arguments["openai"] {
            guard try Self.sandbox(arguments) == nil else {
                throw UsageError("--sandbox confines programs, not servers")
            }
            guard command.isEmpty else { throw UsageError("--openai names a server; it takes no command") }
            guard arguments["env-file"] == nil else { throw UsageError("--env-file is for programs, not servers") }
            try Self.check(url)
            place = .modelServer(url: url, model: arguments["model"], keyFile: arguments["key-file"])
        } else {
            guard !command.isEmpty else {
                throw UsageError("missing: -- and the command of the agent, or --openai URL")
            }
            guard arguments["model"] == nil, arguments["key-file"] == nil else {
                throw UsageError("--model and --key-file go with --openai")
            }
            place = .program(command, try Self.sandbox(arguments), variablesFile: arguments["env-file"])
        }
    }

    func result() async throws -> CommandResult {
        let name = arguments.operands[0]
        let secret = try secret()
        let added = try await ProfileOptions.attached(arguments) { host in
            let before = await host.read { Set($0.agents.byID.keys) }
            var kept: SecretRef?
            if let secret { kept = try await host.keep(secret: secret) }
            switch place {
            case .program(let command, let sandbox, _):
                try await host.change(
                    agents: .addAgent(name: name, command: command, sandbox: sandbox, variables: kept))
            case .modelServer(let url, let model, _):
                try await host.change(agents: .addModel(name: name, url: url, model: model, key: kept))
            }
            return await host.read { state in state.agents.inOrder.last { !before.contains($0.id) } }
        }
        guard let added else {
            throw CommandFailure("the agent was removed at once by another program; add it again", .unavailable)
        }
        return CommandResult(
            "added \(added.name); talk to it with: alcove agent chat \(ShellWords.written([added.name]))",
            json: AgentLine(added))
    }

    /// The core looks at what an address is made of, and this at whether something can be reached there: `http://HOST:` names no port.
    private static func check(_ url: String) throws(CommandFailure) {
        guard (try? ServerURL(url.trimmingCharacters(in: .whitespacesAndNewlines))) != nil else {
            throw CommandFailure(Catalogue.english.text("notice.agent_server_invalid"), .usage)
        }
    }

    private static func sandbox(_ arguments: Arguments) throws(UsageError) -> AgentSandbox? {
        let (network, readable) = (arguments["network"], arguments.all("readable"))
        guard arguments.has("sandbox") else {
            guard network == nil, readable.isEmpty else {
                throw UsageError("--network and --readable go with --sandbox")
            }
            return nil
        }
        guard let isOn = ["on": true, "off": false][network ?? "off"] else {
            throw UsageError("--network is on or off, not \"\(network ?? "")\"")
        }
        return AgentSandbox(network: isOn, readable: readable.map(ProfileOptions.absolute))
    }

    /// Read before anything is changed. A relative program is found from the folder in which the agent is used.
    private func secret() throws -> String? {
        do throws(AgentError) {
            switch place {
            case .modelServer(_, _, let file?): return try AgentKey(file: file).text
            case .program(_, _, let file?): return try AgentVariables.text(ofFile: file)
            default: return nil
            }
        } catch {
            throw CommandFailure(error.message, .noInput)
        }
    }
}
