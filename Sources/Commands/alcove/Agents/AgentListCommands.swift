import AppCore
import Host

/// `alcove agent list`
struct AgentListCommand: Command {
    static let reference = CommandReference(
        "agent list", "[--json]", "show the agents that were added",
        options: ProfileOptions.all + [.flag("json", "print a JSON array")],
        examples: ["alcove agent list", "alcove agent list --json"])

    let arguments: Arguments

    func run() async throws {
        let lines = try await ProfileOptions.attached(arguments) { host in
            await host.read { state in
                let names = Dictionary(uniqueKeysWithValues: state.rooms.map { ($0.id, $0.title) })
                return state.agents.inOrder.map { AgentLine($0, names) }
            }
        }
        if arguments.has("json") { return try Terminal.print(json: lines) }
        guard !lines.isEmpty else {
            return Terminal.print("No agents yet. Add one with: alcove agent add NAME -- COMMAND…")
        }
        var table = Table(cuts: [1])
        for line in lines { table.add(line.name, line.place, String(line.id.prefix(8))) }
        table.show()
    }
}

/// `alcove agent rename`
struct AgentRenameCommand: ReportingCommand {
    static let reference = CommandReference(
        "agent rename", "NAME NEW", "give an agent another name", takes: .some(2...2, "NAME NEW"),
        options: ProfileOptions.all, examples: ["alcove agent rename helper coder"])

    let arguments: Arguments

    func result() async throws -> CommandResult {
        let name = arguments.operands[1]
        try WrittenName.check(name)
        let agent = try await ProfileOptions.attached(arguments) { host in
            let agent = try await AgentOperand(text: arguments.operands[0]).find(in: host)
            if agent.place.member == nil { try WrittenName.check(agent: name) }
            try await host.change(agents: .renameAgent(agent: agent.id, name: name))
            try await AgentRemoveCommand.untilSettled(host)
            return await host.read { $0.agents.byID[agent.id] ?? agent }
        }
        return CommandResult(agent.name == name ? nil : "it is called \(agent.name) now", json: AgentLine(agent))
    }
}

/// `alcove agent remove`
struct AgentRemoveCommand: ReportingCommand {
    static let reference = CommandReference(
        "agent remove", "NAME", "forget an agent and its key; its program or server stays as it is",
        takes: .one("NAME"),
        options: ProfileOptions.all, examples: ["alcove agent remove helper"])

    let arguments: Arguments

    func result() async throws -> CommandResult {
        let (agent, owner) = try await ProfileOptions.attached(arguments) { host in
            let agent = try await AgentOperand(text: arguments.operands[0]).find(in: host)
            let owner = await host.read { state in agent.place.member.flatMap { state.rooms[$0]?.title } }
            try await host.change(agents: .removeAgent(agent: agent.id))
            try await Self.untilSettled(host)
            return (agent, owner)
        }
        var members: [String: JSONValue] = ["id": .string(agent.id.text), "removed": .bool(true)]
        guard let owner else { return CommandResult(json: members) }
        members["owner"] = .string(owner)
        // Who shares it offers it again over each new connection, and with each change of what they share.
        return CommandResult(
            "\(owner) still shares \(agent.name) with you: it comes back when you two are connected anew. They end that with agent unshare",
            json: members)
    }

    /// Waits until the key is gone from the disk, and what was granted to the agent follows it.
    static func untilSettled(_ host: any ProfileHost) async throws {
        let isSettled: Bool? = await host.wait(upTo: .seconds(20)) { state in
            state.pendingEffects.byID.values.contains { effect in
                switch effect {
                case .forgetSecrets, .moveToolGrants: true
                default: false
                }
            } ? nil : true
        }
        guard isSettled == true else {
            throw CommandFailure(
                "it is done, but what was kept for the agent could not be changed yet; this happens at the next start",
                .temporaryFailure)
        }
    }
}
