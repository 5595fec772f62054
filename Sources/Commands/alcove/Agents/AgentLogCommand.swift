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

    func run() async throws {
        let entries = try await ProfileOptions.attached(arguments, front: false) { host in
            await host.read { $0.talks.log.entries }
        }
        let name = arguments.operands.first
        let wanted = entries.filter { name == nil || $0.agent == name }
        if arguments.has("json") { return try Terminal.print(json: wanted.map(Line.init)) }
        guard !wanted.isEmpty else { return Terminal.print("No agent has asked for anything yet.") }
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
