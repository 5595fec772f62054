import AppCore
import Catalogues
import Host

/// `alcove agent log`
struct AgentLogCommand: Command {
    static let reference = CommandReference(
        "agent log", "[NAME]",
        "show what agents wanted to be allowed and what became of it, the oldest first: the last 256 that were allowed, and as many that were not",
        takes: .some(0...1, "NAME"),
        options: ProfileOptions.all + [.flag("json", "print a JSON array")],
        examples: ["alcove agent log", "alcove agent log helper --json"])

    let arguments: Arguments

    /// What became of one request, as a script reads it.
    private struct Line: Encodable {
        var at: ISOTime
        /// What the agent was called then.
        var agent: String
        var session: String
        var folder: String?
        /// `once`, `always`, `reject`, `expired` and so on: the words of `docs/agents.md`.
        var verdict: String
        var allowed: Bool
        var title: String
        var command: String?
        var paths: [String]

        init(_ entry: AgentLog.Entry) {
            let decision = entry.decision
            (at, agent, session, folder) = (ISOTime(entry.at), entry.agent, entry.session.text, entry.folder)
            (verdict, allowed) = (decision.verdict.rawValue, decision.verdict.isAllowed)
            (title, command, paths) = (decision.title, decision.command, decision.paths)
        }
    }

    private func entries(_ host: any ProfileHost) async throws -> [AgentLog.Entry] {
        let all = await host.read(\.talks.log.entries)
        guard let name = arguments.operands.first else { return all }
        // An agent that is gone is in the log by the name that it had.
        let named = all.filter { $0.agent == name }
        guard named.isEmpty else { return named }
        let agent = try await AgentOperand(text: name).find(in: host)
        return all.filter { $0.agent == agent.name }
    }

    func run() async throws {
        let wanted = try await ProfileOptions.attached(arguments, front: false) { try await entries($0) }
        if arguments.has("json") { return try Terminal.print(json: wanted.map(Line.init)) }
        guard !wanted.isEmpty else {
            guard let name = arguments.operands.first else {
                return Terminal.print("No agent has asked for anything yet.")
            }
            return Terminal.print("\(name) has not asked for anything yet.")
        }
        var table = Table(cuts: [3, 4])
        for entry in wanted {
            let decision = entry.decision
            let what = decision.command ?? decision.paths.first.map { "\(decision.title) \($0)" } ?? decision.title
            table.add(
                WrittenTime.text(entry.at.milliseconds), entry.agent, decision.verdict.words.english, what,
                entry.folder ?? "")
        }
        table.show()
    }
}
