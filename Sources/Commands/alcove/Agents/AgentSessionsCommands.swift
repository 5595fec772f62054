import AppCore
import Catalogues
import Host

/// How a person names a session with an agent: by its id, or the beginning of it.
struct AgentSessionOperand {
    /// - Returns: nil if none is named.
    /// - Parameter agent: whose session it has to be; nil for any.
    static func named(
        _ text: String?, of agent: Agent? = nil, in host: any ProfileHost
    ) async throws -> AgentSessionID? {
        guard let text else { return nil }
        let called = CalledByName(text)
        let found = await host.read { state in
            state.talks.inOrder.map(\.session).filter { session in
                (session.id.text == text || called.begins(session.id.text))
                    && (agent == nil || session.agent == agent?.id)
            }
        }
        guard let session = found.first else {
            let whose = agent.map { " with \($0.name)" } ?? ""
            throw CommandFailure("there is no session \"\(text)\"\(whose); alcove agent sessions shows them", .noInput)
        }
        guard found.count == 1 else { throw called.ambiguity(found.map { ($0.id.text, $0.title) }) }
        return session.id
    }
}

/// A session, as a script reads it.
struct AgentSessionLine: Encodable {
    var id: String
    var agent: String
    var folder: String?
    var title: String
    /// `ready`, `running`, `waits`, `done`, `stopped` or `unknown`.
    var state: String
    /// How the last turn ended; `nil` before the first one did.
    var end: String?
    var unknownSince: ISOTime?
    /// Prompts that were asked.
    var turns: Int
    /// Prompts that wait.
    var queued: Int
    var createdAt: ISOTime
    var changedAt: ISOTime

    init(_ talk: AgentTalk, _ agents: AgentList) {
        let session = talk.session
        (id, folder, title) = (session.id.text, session.folder, session.title)
        agent = agents.byID[session.agent]?.name ?? session.agentName
        (state, end) = (session.status.rawValue, session.end?.reason.rawValue)
        unknownSince = session.unknownSince.map { ISOTime($0) }
        (turns, queued) = (session.turn, session.queue.count)
        (createdAt, changedAt) = (ISOTime(session.createdAt), ISOTime(session.changedAt))
    }
}

/// `alcove agent sessions`
struct AgentSessionsCommand: Command {
    static let reference = CommandReference(
        "agent sessions", "[NAME]", "show the sessions with agents, or with one, those that changed last first",
        takes: .some(0...1, "NAME"), options: ProfileOptions.all + [.flag("json", "print a JSON array")],
        examples: ["alcove agent sessions", "alcove agent sessions helper --json"])

    let arguments: Arguments

    func run() async throws {
        let rows = try await ProfileOptions.attached(arguments, front: false) { host in
            var agent: Agent?
            if let name = arguments.operands.first { agent = try await AgentOperand(text: name).find(in: host) }
            let id = agent?.id
            return await host.read { state in
                state.talks.inOrder.filter { id == nil || $0.session.agent == id }.map { talk in
                    (line: AgentSessionLine(talk, state.agents), words: talk.statusWords)
                }
            }
        }
        if arguments.has("json") { return try Terminal.print(json: rows.map(\.line)) }
        guard !rows.isEmpty else {
            return Terminal.print("No sessions yet. Begin one with: alcove agent chat NAME")
        }
        var table = Table(cuts: [3, 4])
        for (line, words) in rows {
            let state = line.unknownSince.map { "unknown since \(WrittenTime.clock($0.milliseconds))" } ?? words.english
            table.add(String(line.id.prefix(8)), line.agent, state, line.title, line.folder ?? "")
        }
        table.show()
    }
}

/// `alcove agent sessions rename`
struct AgentSessionRenameCommand: ReportingCommand {
    static let reference = CommandReference(
        "agent sessions rename", "ID TITLE", "give a session with an agent another title",
        takes: .some(2...2, "ID TITLE"), options: ProfileOptions.all,
        examples: ["alcove agent sessions rename Qk3v \"The greeting\""])

    let arguments: Arguments

    func result() async throws -> CommandResult {
        let line = try await ProfileOptions.attached(arguments) { host -> AgentSessionLine? in
            guard let id = try await AgentSessionOperand.named(arguments.operands[0], in: host) else { return nil }
            try await host.change(agents: .renameAgentSession(session: id, title: arguments.operands[1]))
            return await host.read { state in state.talks[id].map { AgentSessionLine($0, state.agents) } }
        }
        guard let line else { throw CommandFailure("the session is gone", .unavailable) }
        return CommandResult(json: line)
    }
}

/// `alcove agent sessions delete`
struct AgentSessionDeleteCommand: ReportingCommand {
    static let reference = CommandReference(
        "agent sessions delete", "ID",
        "end the agent of a session and delete what was said in it; what the agent was allowed stays in the log",
        takes: .one("ID"), options: ProfileOptions.all, examples: ["alcove agent sessions delete Qk3v"])

    let arguments: Arguments

    func result() async throws -> CommandResult {
        let id = try await ProfileOptions.attached(arguments) { host -> AgentSessionID? in
            guard let id = try await AgentSessionOperand.named(arguments.operands[0], in: host) else { return nil }
            try await host.change(agents: .removeAgentSession(session: id))
            return id
        }
        return CommandResult(json: ["id": .string(id?.text ?? ""), "deleted": .bool(true)])
    }
}
