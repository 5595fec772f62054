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
    /// The person of the circle who talks with the agent in it; `nil` for this person.
    var member: String?
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

    init(_ talk: AgentTalk, in state: AppState) {
        let session = talk.session
        (id, folder) = (session.id.text, session.folder)
        title = session.summary == nil ? session.title : session.titleWords.english
        agent = state.agents.byID[session.agent]?.name ?? session.agentName
        member = session.guest.map { state.rooms[$0.room]?.title ?? "" }
        (self.state, end) = (session.shownStatus.rawValue, session.end?.reason.rawValue)
        unknownSince = session.unknownSince.map { ISOTime($0) }
        (turns, queued) = (session.turn, session.queue.count)
        (createdAt, changedAt) = (ISOTime(session.createdAt), ISOTime(session.changedAt))
    }
}

/// `alcove agent sessions`
struct AgentSessionsCommand: Command {
    static let reference = CommandReference(
        "agent sessions", "[NAME] | rename ID TITLE | delete ID",
        "show the sessions with agents, those that changed last first; give one another title; delete one and what was said in it",
        takes: .some(0...3, "NAME, rename ID TITLE or delete ID"),
        options: ProfileOptions.all + [
            .flag(
                "elsewhere", "those that the agent has itself, also of other programs: chat --take-up goes on with them"
            ),
            AgentOptions.folder, .flag("json", "print a JSON array, or the session that was changed"),
        ],
        examples: [
            "alcove agent sessions helper", "alcove agent sessions helper --elsewhere",
            "alcove agent sessions rename Qk3v \"The greeting\"",
            "alcove agent sessions delete Qk3v",
        ])

    private enum Work {
        case list(agent: String?)
        case elsewhere(agent: String)
        case rename(String, title: String)
        case delete(String)
    }

    private let arguments: Arguments
    private let work: Work

    init(arguments: Arguments) throws {
        self.arguments = arguments
        let words = arguments.operands
        switch (words.first, words.count) {
        case (let name?, 1) where arguments.has("elsewhere"): work = .elsewhere(agent: name)
        case _ where arguments.has("elsewhere"): throw UsageError("--elsewhere takes NAME")
        case ("rename", 3):
            try WrittenName.check(words[2])
            work = .rename(words[1], title: words[2])
        case ("rename", _): throw UsageError("rename takes ID TITLE; a title of several words stands in quotes")
        case ("delete", 2): work = .delete(words[1])
        case ("delete", _): throw UsageError("delete takes ID")
        case (_, 0...1): work = .list(agent: words.first)
        default: throw UsageError("it takes NAME, rename ID TITLE or delete ID")
        }
    }

    func run() async throws {
        switch work {
        case .list(let agent): try await list(agent)
        case .elsewhere(let agent): try await listElsewhere(agent)
        case .rename(let session, let title): try await rename(session, title)
        case .delete(let session): try await delete(session)
        }
    }

    private func list(_ name: String?) async throws {
        let rows = try await ProfileOptions.attached(arguments, front: false) { host in
            var agent: AgentID?
            if let name { agent = try await AgentOperand(text: name).find(in: host).id }
            return await host.read { [agent] state in
                state.talks.inOrder.filter { agent == nil || $0.session.agent == agent }.map { talk in
                    (line: AgentSessionLine(talk, in: state), words: talk.statusWords)
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
            let agent = line.agent + (line.member.map { " for \($0)" } ?? "")
            table.add(String(line.id.prefix(8)), agent, state, line.title, line.folder ?? "")
        }
        table.show()
    }

    /// A session that the agent has already, as a script reads it.
    private struct ThreadLine: Encodable {
        var id: String
        var title: String
        var folder: String?
        var changedAt: ISOTime?
    }

    private func listElsewhere(_ name: String) async throws {
        let threads = try await ProfileOptions.attached(arguments, front: false) { host in
            let agent = try await AgentOperand(text: name).find(in: host)
            return try await AgentThreadOperand.all(of: agent, in: arguments["folder"], host)
        }
        if arguments.has("json") {
            return try Terminal.print(
                json: threads.map {
                    ThreadLine(
                        id: $0.id, title: $0.title, folder: $0.folder, changedAt: $0.changedAt.map { ISOTime($0) })
                })
        }
        guard !threads.isEmpty else { return Terminal.print("\(name) has no session to go on with.") }
        var table = Table(cuts: [2, 3])
        for thread in threads {
            let time = thread.changedAt.map { WrittenTime.text($0.milliseconds) } ?? ""
            table.add(thread.id, time, thread.title, thread.folder ?? "")
        }
        table.show()
    }

    private func rename(_ session: String, _ title: String) async throws {
        let line = try await ProfileOptions.attached(arguments) { host -> AgentSessionLine? in
            guard let id = try await AgentSessionOperand.named(session, in: host) else { return nil }
            try await host.change(agents: .renameAgentSession(session: id, title: title))
            return await host.read { state in state.talks[id].map { AgentSessionLine($0, in: state) } }
        }
        guard let line else { throw CommandFailure("the session is gone", .unavailable) }
        if arguments.has("json") { return try Terminal.print(json: line) }
        if line.title != title { Terminal.print("it is called \(line.title) now") }
    }

    /// Ends its agent, too. What the agent was allowed stays in the log.
    private func delete(_ session: String) async throws {
        let id = try await ProfileOptions.attached(arguments) { host -> AgentSessionID? in
            guard let id = try await AgentSessionOperand.named(session, in: host) else { return nil }
            try await host.change(agents: .removeAgentSession(session: id))
            return id
        }
        guard let id, arguments.has("json") else { return }
        try Terminal.print(json: JSONValue.object(["id": .string(id.text), "deleted": .bool(true)]))
    }
}
