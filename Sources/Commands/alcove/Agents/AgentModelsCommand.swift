import Agents
import AppCore
import Host

/// `alcove agent models`
struct AgentModelsCommand: Command {
    static let reference = CommandReference(
        "agent models", "NAME", "show which models an agent or a model server offers; the agent is started for this",
        takes: .one("NAME"),
        options: ProfileOptions.all + [AgentOptions.folder, .flag("json", "print a JSON array")],
        examples: ["alcove agent models local", "alcove agent models helper --json"])

    let arguments: Arguments

    /// A model, as a script reads it.
    private struct Line: Encodable {
        var id: String
        var name: String
        /// Whether it is the one that is asked.
        var current: Bool
    }

    func run() async throws {
        let (agent, secrets) = try await ProfileOptions.attached(arguments) { host in
            let agent = try await AgentOperand(text: arguments.operands[0]).find(in: host)
            return (agent, try await AgentSecrets(of: agent, in: host))
        }
        let lines: [Line]
        do { lines = try await models(of: agent, secrets) } catch let error as AgentError {
            throw AgentOptions.failure(error)
        }
        if arguments.has("json") { return try Terminal.print(json: lines) }
        guard !lines.isEmpty else { return Terminal.print("\(agent.name) does not say which models it has.") }
        var table = Table()
        for line in lines { table.add(line.current ? "*" : "", line.id, line.name == line.id ? "" : line.name) }
        table.show()
    }

    private func models(of agent: Agent, _ secrets: AgentSecrets) async throws -> [Line] {
        if case .modelServer(let url, let model, _) = agent.place {
            return try await AgentOptions.server(url, model, secrets.key).models().map {
                Line(id: $0, name: $0, current: $0 == model)
            }
        }
        let provider = try AgentOptions.provider(agent, secrets, folder: arguments["folder"])
        do { try await provider.start() } catch {
            await provider.stop()
            throw error
        }
        await provider.stop()
        // It has said what there is to choose before it was ready; the rest does not matter here.
        for await event in provider.events {
            guard case .setting(let setting) = event, setting.kind == .model else { continue }
            return setting.options.map { Line(id: $0.id, name: $0.name, current: $0.id == setting.current) }
        }
        return []
    }
}
