import AppCore
import Foundation
import Host

/// `alcove agent chat`
struct AgentChatCommand: Command {
    static let reference = CommandReference(
        "agent chat", "NAME",
        "talk to an agent in a session that the page shows, too; it asks before it does what it needs permission for",
        takes: .one("NAME"),
        options: ProfileOptions.all + [
            AgentOptions.session, AgentOptions.takeUp, AgentOptions.folder, AgentOptions.tools, AgentOptions.noHost,
            .flag("json", "print one JSON object a line"),
        ],
        examples: [
            "alcove agent chat helper", "alcove agent chat helper --folder ~/project",
            "alcove agent chat helper --session Qk3v", "alcove agent chat helper --take-up 01JH",
        ])

    let arguments: Arguments

    func run() async throws {
        // Before the terminal is raw, so that none ends the process then.
        let signals = AgentSignals()
        try await ProfileOptions.attached(arguments, startsHost: true) { host in
            let (agent, talk) = try await AgentOptions.session(arguments.operands[0], arguments, host)
            let prompt = arguments.has("json") ? nil : ChatPrompt()
            let output: AgentOutput = arguments.has("json") ? .json : prompt == nil ? .lines : .terminal
            let screen = AgentScreen(name: agent.name, output: output)
            let chat = AgentChat(
                host, talk, tellsLastTurn: true, screen: screen, signals: signals, prompt: prompt,
                isSomebodyThere: true)
            if output == .json {
                try Terminal.print(json: ["type": "session", "session": talk.id.text])
            } else {
                screen.tell("\(agent.name) is ready. /help lists what can be typed.")
                if talk.session.turn == 0, let words = talk.session.policies.inherited(hint: "/policy") {
                    screen.tell(words)
                }
            }
            let result: Result<Void, any Error>
            do {
                result = .success(try await chat.run(first: nil, lines: prompt?.lines() ?? TypedLines.stream()))
            } catch { result = .failure(error) }
            prompt?.end()
            await leave(await chat.follower.session, host, screen)
            try result.get()
        }
    }

    /// A session in which nothing was asked is not kept.
    private func leave(_ session: AgentSession, _ host: any ProfileHost, _ screen: AgentScreen) async {
        if session.isUnasked {
            await host.dispatch(.agents(.removeAgentSession(session: session.id)))
        } else if session.isInTurn, host is RemoteHost {
            screen.tell(
                "It goes on. Come back with: alcove agent chat \(session.agentName) --session \(session.id.text.prefix(8))"
            )
        }
    }
}

/// `alcove agent ask`
struct AgentAskCommand: Command {
    static let reference = CommandReference(
        "agent ask", "NAME TEXT",
        "ask an agent once and print its answer; what it wants permission for is rejected unless a terminal can ask you",
        takes: .some(2...2, "NAME TEXT"),
        options: ProfileOptions.all + [
            AgentOptions.session, AgentOptions.takeUp, AgentOptions.folder, AgentOptions.tools, AgentOptions.image,
            AgentOptions.noHost,
            .flag("json", "print the answer and how the turn ended as one JSON object"),
        ],
        examples: [
            "alcove agent ask local \"What is a CRDT?\"",
            "alcove agent ask local --image plan.png \"What does it show?\"",
        ])

    let arguments: Arguments

    init(arguments: Arguments) throws {
        guard !arguments.operands[1].said.isEmpty else { throw UsageError("say what you want to ask") }
        self.arguments = arguments
    }

    /// What came of it, as a script reads it.
    struct Answer: Encodable {
        var answer: String
        var reason: String
        var message: String?
        /// Requests that were rejected because nobody was there.
        var rejected: Int
    }

    func run() async throws {
        let signals = AgentSignals()
        let isAsked = isatty(STDIN_FILENO) == 1 && Terminal.showsProgress
        try await ProfileOptions.attached(arguments, startsHost: true, front: isAsked) { host in
            let (agent, talk) = try await AgentOptions.session(arguments.operands[0], arguments, host)
            // Where a person answers, nothing that the agent says may look like a request.
            let plain: AgentOutput = isAsked && Terminal.isInteractive ? .lines : .answer
            let screen = AgentScreen(
                name: agent.name, output: arguments.has("json") ? .quiet : plain, isSomebodyThere: isAsked)
            let chat = AgentChat(
                host, talk, tellsLastTurn: false, screen: screen, signals: signals, prompt: nil,
                isSomebodyThere: isAsked)
            let result: Result<Void, any Error>
            do {
                result = .success(
                    try await chat.run(
                        first: arguments.operands[1], images: arguments.all("image"),
                        lines: isAsked ? TypedLines.stream() : nil))
            } catch { result = .failure(error) }
            // What was asked once is not kept.
            if arguments["session"] == nil, arguments["take-up"] == nil {
                await host.dispatch(.agents(.removeAgentSession(session: talk.id)))
            }
            try result.get()
            try await report(chat)
        }
    }

    private func report(_ chat: AgentChat) async throws {
        if let (since, failure) = await chat.lost {
            let words = "what it did after that is unknown since \(WrittenTime.clock(since.milliseconds))"
            throw CommandFailure("\(failure?.explanation ?? "the agent was lost"); \(words)", .unavailable)
        }
        guard let end = await chat.end else {
            throw CommandFailure("it was stopped before it answered", .temporaryFailure)
        }
        if arguments.has("json") {
            try Terminal.print(
                json: Answer(
                    answer: await chat.screen.answer, reason: end.reason.rawValue, message: end.sentence,
                    rejected: await chat.unasked))
        }
        switch end.reason {
        case .done: return
        case .tokenLimit, .requestLimit, .other: Terminal.log("* \(end.sentence ?? "")")
        case .failed: throw CommandFailure(end.sentence ?? "it failed", end.failure?.code.exitCode ?? .failure)
        case .refused, .stopped: throw CommandFailure(end.sentence ?? "", .failure)
        }
    }
}

extension Failure.Code {
    /// How a command ends that failed because of an agent.
    fileprivate var exitCode: ExitCode {
        switch self {
        case .agentUnavailable: .noInput
        case .agentUnauthorized: .noPermission
        case .agentUnreachable, .agentEnded, .agentSilent: .unavailable
        case .agentBusy: .temporaryFailure
        case .agentForeign: .dataError
        default: .failure
        }
    }
}
