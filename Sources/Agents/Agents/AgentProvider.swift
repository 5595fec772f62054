internal import Errors

/// An agent, whatever protocol it speaks: a conversation that can be prompted, and one stream of what comes of it.
///
/// ```swift
/// let agent: any AgentProvider = ACPAgent(program)
/// try await agent.start()
/// try await agent.prompt("What is in this folder?")
/// for await event in agent.events {
///     if case .turnEnded(let reason) = event { print(reason) }
/// }
/// ```
///
/// What an agent says is a stranger's: it is bounded here, and escaped where it is shown.
package protocol AgentProvider: Sendable {
    /// Everything that the agent says and does, in order, for one reader. While nobody reads, the agent is held back. It ends with the agent.
    var events: AgentEvents { get }

    /// Gets the agent ready for the first prompt.
    func start() async throws(AgentError)

    /// Says which sessions the agent has already, in place of ``start()``: the agent is over then.
    /// - Returns: nil if it does not say, or cannot go on with them.
    func sessions() async throws(AgentError) -> [ListedSession]?

    /// Begins a turn. It returns as soon as the agent has the prompt; ``AgentEvent/turnEnded(_:)`` ends the turn.
    /// Throws `busy` during another turn, `notRunning` before the start and after the end, `tooLarge` for too much, `noPictures` for pictures if the
    /// agent takes none.
    func prompt(_ prompt: AgentPrompt) async throws(AgentError)

    /// A prompt that waited until the agent is ready is not asked any more.
    func withdraw(_ prompt: AgentPrompt) async

    /// Asks the agent to end the turn. Requests that are open are answered with a cancellation. An agent that goes on is ended after
    /// ``AgentLimits/cancelGrace``.
    func cancel() async

    /// Answers a request with one of its options; nil rejects it. Throws `gone` if it is not open any more or has no such option.
    func answer(_ request: AgentPermission.ID, option: String?) async throws(AgentError)

    /// Gives what a tool wants to be given. Throws `gone` if nothing is wanted any more.
    func give(_ request: AgentPermission.ID, _ text: String) async throws(AgentError)

    /// Chooses something that the agent offers. Throws `gone` if it offers nothing of this kind, `refused` if it will not.
    func choose(_ kind: AgentSetting.Kind, _ option: String) async throws(AgentError)

    /// Says something in the middle of a turn: the agent reads it at the next place where it can. ``AgentLinkEvent/interjected(_:isRead:)`` tells what
    /// became of it. One at a time. Throws `gone` if the agent takes none, or none now.
    func interject(_ text: String, number: Int) async throws(AgentError)

    /// Takes that back, as long as the agent has not read it.
    func takeBack(interjection number: Int) async

    /// Lets the tool that runs go on in the background, so that the agent goes on without it. Throws `gone` if the agent cannot.
    func sendToolToBackground() async throws(AgentError)

    /// Whether it takes pictures in prompts; nil while that is not known.
    var seesPictures: Bool? { get async }

    /// Whether it takes messages in the middle of a turn; false while that is not known.
    var takesInterjections: Bool { get async }

    /// Whether it was asked something before this process, which it goes on with.
    var hasBegun: Bool { get async }

    /// The last of what the agent said besides the protocol: a stranger's words, which may say why it ended.
    var log: String { get async }
    /// Everything up to this position, which an ``AgentLinkEvent/position(_:)`` told, is kept here now.
    func heard(upTo position: Int) async

    /// Lets go of the agent because this process ends. Returns when it is gone, or left alone with its turn: then the events end without an
    /// ``AgentEvent/ended(_:)``.
    func leave() async

    /// Ends the agent. Returns when it is gone.
    func stop() async
}

extension AgentProvider {
    package func sessions() async throws(AgentError) -> [ListedSession]? { nil }

    package func choose(_ kind: AgentSetting.Kind, _ option: String) async throws(AgentError) {
        throw AgentError(.gone, "this agent offers nothing to choose")
    }

    package func give(_ request: AgentPermission.ID, _ text: String) async throws(AgentError) {
        throw AgentError(.gone, "this agent does not want to be given anything")
    }

    package func interject(_ text: String, number: Int) async throws(AgentError) {
        throw AgentError(.gone, "this agent takes nothing in the middle of a turn")
    }

    package func takeBack(interjection number: Int) async {}

    package func sendToolToBackground() async throws(AgentError) {
        throw AgentError(.gone, "this agent sends no tool into the background")
    }

    package func prompt(_ text: String) async throws(AgentError) { try await prompt(AgentPrompt(text)) }
    package func withdraw(_ prompt: AgentPrompt) async {}
    package var seesPictures: Bool? { get async { nil } }
    package var takesInterjections: Bool { get async { false } }
    package var hasBegun: Bool { get async { false } }
    package var log: String { get async { "" } }
    package func heard(upTo position: Int) async {}
    package func leave() async { await stop() }
}

/// How much an agent may take. All of it is per agent.
package enum AgentLimits {
    /// Bytes of a prompt.
    package static let promptBytes = 1 << 20
    /// Pictures of a prompt, and the bytes of all of them.
    package static let pictures = 8
    package static let pictureBytes = 4 << 20
    /// Bytes of one text in an event: a piece of an answer, or the output of a tool. The rest is counted.
    package static let textBytes = 1 << 20
    /// Bytes of a name, a title or an id.
    package static let nameBytes = 4096
    /// Elements of a list in an event: steps of a plan, results of a tool, places.
    package static let elements = 256
    /// How long a person may take to sign in with an agent.
    package static let loginPatience = Duration.seconds(900)
    /// Requests that wait for an answer.
    package static let openRequests = 64
    /// Lines or events that cannot be read, before the agent is given up.
    package static let unreadable = 100
    /// Remarks of one turn that are told, and the bytes of each.
    package static let remarks = 32
    package static let remarkBytes = 1024
    /// How long an agent may take to get ready.
    package static let startPatience = Duration.seconds(60)
    /// How long an agent may go on after a turn was cancelled.
    package static let cancelGrace = Duration.seconds(10)
}
