import Agents
import Errors
import Foundation

/// `alcove agent chat`
struct AgentChatCommand: Command {
    static let reference = CommandReference(
        "agent chat", "NAME", "talk to an agent; it asks before it does what it needs permission for",
        takes: .one("NAME"),
        options: ProfileOptions.all + [
            AgentOptions.folder, AgentOptions.tools, .flag("json", "print one JSON object a line"),
        ],
        examples: ["alcove agent chat helper", "alcove agent chat helper --folder ~/project"])

    let arguments: Arguments

    func run() async throws {
        let (name, agent) = try await AgentOptions.provider(arguments.operands[0], arguments)
        // Before the terminal is raw, so that none ends the process then.
        let signals = AgentSignals()
        let prompt = arguments.has("json") ? nil : ChatPrompt()
        let output: AgentOutput = arguments.has("json") ? .json : prompt == nil ? .lines : .terminal
        let session = AgentSession(
            agent, screen: AgentScreen(name: name, output: output), signals: signals, prompt: prompt,
            isSomebodyThere: true)
        let result: Result<Void, any Error>
        do {
            result = .success(try await session.run(first: nil, lines: prompt?.lines() ?? TypedLines.stream()))
        } catch { result = .failure(error) }
        prompt?.end()
        do { try result.get() } catch let error as AgentError {
            throw await AgentOptions.failure(error, of: session)
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
            AgentOptions.folder, AgentOptions.tools,
            .flag("json", "print the answer and how the turn ended as one JSON object"),
        ],
        examples: ["alcove agent ask local \"What is a CRDT?\""])

    let arguments: Arguments

    /// What came of it, as a script reads it.
    struct Answer: Encodable {
        var answer: String
        var reason: String
        var message: String?
        /// Requests that were rejected because nobody was there.
        var rejected: Int
    }

    func run() async throws {
        let (name, agent) = try await AgentOptions.provider(arguments.operands[0], arguments)
        let isAsked = isatty(STDIN_FILENO) == 1 && Terminal.showsProgress
        // Where a person answers, nothing that the agent says may look like a request.
        let plain: AgentOutput = isAsked && Terminal.isInteractive ? .lines : .answer
        let output = arguments.has("json") ? .quiet : plain
        let session = AgentSession(
            agent, screen: AgentScreen(name: name, output: output, isSomebodyThere: isAsked),
            signals: AgentSignals(), prompt: nil,
            isSomebodyThere: isAsked)
        do {
            try await session.run(first: arguments.operands[1], lines: isAsked ? TypedLines.stream() : nil)
        } catch let error as AgentError { throw await AgentOptions.failure(error, of: session) }
        guard case .done(let stop) = await session.status else {
            throw CommandFailure("it was stopped before it answered", .temporaryFailure)
        }
        if arguments.has("json") {
            try Terminal.print(
                json: Answer(
                    answer: await session.answer, reason: stop.word, message: stop.sentence,
                    rejected: await session.unasked))
        }
        switch stop {
        case .done, .tokenLimit, .requestLimit, .other: return
        case .failed(let error): throw AgentOptions.failure(error)
        case .refused, .cancelled: throw CommandFailure(stop.sentence ?? "", .failure)
        }
    }
}

extension AgentOptions {
    /// How a conversation ends whose agent was lost, with what is not known then.
    static func failure(_ error: AgentError, of session: AgentSession) async -> CommandFailure {
        let failure = failure(error)
        guard case .unknown(let since) = await session.status else { return failure }
        let words = "what it did after that is unknown since \(WrittenTime.clock(since))"
        return CommandFailure("\(failure.explanation); \(words)", failure.code)
    }
}
