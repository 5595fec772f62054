import Agents
import AppCore
import Catalogues
import Errors
import Foundation
import Host
import Networking
import Notes

/// `alcove agent summarise`
struct AgentSummariseCommand: Command {
    static let reference = CommandReference(
        "agent summarise", "--note NOTE | --room ROOM",
        "have a model on this machine summarise a note or a room; you see what is sent to it, and are asked, before",
        options: ProfileOptions.all + NoteOptions.place + [
            .value("note", "NOTE", "a note: its title, its id or the beginning of one"),
            .value("room", "ROOM", "a room: its name, its code, its id or the beginning of one"),
            .value("agent", "NAME", "which model (default: the one on this machine that was added)"),
            .value("last", "N", "how many of the newest messages of a room (default 200)"),
            .flag("yes", "send it without asking"),
            .flag("json", "print the summary and how the turn ended as one JSON object"),
        ],
        examples: ["alcove agent summarise --note Groceries", "alcove agent summarise --room Ben --agent local --yes"])

    let arguments: Arguments
    private let subject: SummarySubject

    init(arguments: Arguments) throws {
        self.arguments = arguments
        switch (arguments["note"], arguments["room"]) {
        case (let note?, nil): subject = .note(note)
        case (nil, let room?):
            subject = .room(
                room, last: try arguments.integer("last", in: 1...SummarySubject.messages) ?? SummaryLimits.messages)
        default: throw UsageError("say what to summarise: --note NOTE or --room ROOM")
        }
    }

    func run() async throws {
        let (agent, key) = try await model()
        guard case .modelServer(let url, let name, _) = agent.place else { throw Self.noModel }
        let server: ServerURL
        do { server = try ServerURL(url) } catch { throw CommandFailure(error.message, .configuration) }
        let prompt = try await subject.prompt(arguments)
        try confirm(prompt, agent, server)
        let (answer, end) = try await answer(of: CompletionsAgent(.init(server: server, model: name, key: key)), prompt)
        guard arguments.has("json") else { return }
        try Terminal.print(
            json: AgentAskCommand.Answer(
                answer: answer, reason: end.reason.rawValue, message: end.sentence, rejected: 0))
    }

    /// Asks once, outside of all sessions, and prints the answer as it comes. Signals stop it.
    private func answer(of agent: CompletionsAgent, _ prompt: String) async throws -> (String, AgentTurnEnd) {
        let stopping = Task {
            for await _ in AgentSignals().arrivals { return await agent.cancel() }
        }
        defer { stopping.cancel() }
        var screen = AgentScreen(name: "", output: arguments.has("json") ? .quiet : .answer, isSomebodyThere: false)
        do {
            try await agent.start()
            try await agent.prompt(prompt)
        } catch { throw AgentOptions.failure(error) }
        for await event in agent.events {
            switch event {
            case .text(let text): screen.show(.said(CutText(text.text, omitted: text.omitted)))
            case .turnEnded(let stop):
                screen.endLine()
                await agent.stop()
                return (screen.answer, try Self.end(stop))
            default: break
            }
        }
        throw CommandFailure("it was stopped before it answered", .temporaryFailure)
    }

    private static func end(_ stop: AgentStop) throws(CommandFailure) -> AgentTurnEnd {
        switch stop {
        case .done: return AgentTurnEnd(.done)
        case .tokenLimit: return AgentTurnEnd(.tokenLimit)
        case .requestLimit: return AgentTurnEnd(.requestLimit)
        case .refused: return AgentTurnEnd(.refused)
        case .other: return AgentTurnEnd(.other)
        case .cancelled: throw CommandFailure("it was stopped before it answered", .temporaryFailure)
        case .failed(let error) where error.code == .unreachable:
            throw CommandFailure(
                "\(error.message)\(error.message.hasSuffix("?") ? "" : ".") \(howToGetOne)", .unavailable)
        case .failed(let error): throw AgentOptions.failure(error)
        }
    }

    // MARK: The model

    private static let howToGetOne = Catalogue.english.text("summary.get_one")

    private static let noModel = CommandFailure("no model was added that could do this. \(howToGetOne)", .configuration)

    /// The one that is named, or the only one on this machine.
    private func model() async throws -> (Agent, AgentKey?) {
        try await ProfileOptions.attached(arguments) { host in
            let agent: Agent
            if let name = arguments["agent"] {
                agent = try await AgentOperand(text: name).find(in: host)
                guard agent.isModelServer else {
                    throw CommandFailure("\(agent.name) is no model server; only a model server summarises", .usage)
                }
            } else {
                let found = await host.read { $0.agents.inOrder.filter(\.isModelOfThisMachine) }
                guard let first = found.first else { throw Self.noModel }
                guard found.count == 1 else {
                    let names = found.map(\.name).joined(separator: ", ")
                    throw CommandFailure("say which one with --agent: \(names)", .usage)
                }
                agent = first
            }
            return (agent, try await AgentSecrets(of: agent, in: host).key)
        }
    }

    // MARK: The person

    /// Shows what is sent and to whom, and goes on if the person says yes.
    private func confirm(_ prompt: String, _ agent: Agent, _ server: ServerURL) throws {
        let place: TerminalText = agent.isModelOfThisMachine ? "on this machine" : "NOT on this machine"
        Terminal.log("This is sent to \(agent.name), \(server), \(place):\n    \(.text(prompt, margin: "    "))")
        guard !arguments.has("yes") else { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure("nobody is here to be asked; say --yes to send it", .usage)
        }
        Terminal.ask("Send it? [y/N] ")
        guard readLine()?.lowercased().first == "y" else { throw CommandFailure("nothing was sent", .failure) }
    }
}

/// What is to be summarised.
private enum SummarySubject {
    case note(String)
    case room(String, last: Int)

    /// Messages of a room, at most.
    static let messages = 1000

    /// All that is sent.
    func prompt(_ arguments: Arguments) async throws -> String {
        let material = try await material(arguments)
        guard !material.isEmpty else { throw CommandFailure("there is nothing to summarise", .noInput) }
        return material.prompt(mark: ToolWork.mark)
    }

    private func material(_ arguments: Arguments) async throws -> SummaryMaterial {
        switch self {
        case .note(let name):
            let text = try await NoteOptions.withLibrary(arguments) { library in
                try await library.markdown(of: try await library.note(name).id)
            }
            return SummaryMaterial(note: text)
        case .room(let name, let count):
            return try await ProfileOptions.attached(arguments) { host in
                let room = try await RoomOperand(text: name).find(in: host)
                guard !room.keepsNothing else {
                    throw CommandFailure("this room keeps nothing, so it is not summarised", .usage)
                }
                let messages = try await RoomHistoryCommand.newest(count, of: room.id, host)
                return SummaryMaterial(of: messages, with: room.title, at: HostConfiguration.systemClock())
            }
        }
    }
}
