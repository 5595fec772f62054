package import AgentProtocols
internal import Errors

/// A session with an agent of somebody else, as the one who uses it keeps it: what was heard, and what the other side does not know yet. A plain
/// value; it gives the same whatever was cut, repeated or came late.
package struct MemberSession: Sendable {
    /// What is to be done.
    package enum Output: Sendable, Hashable {
        case send(SharingFrame.Content)
        case event(AgentEvent)
    }

    let session: String
    let agent: String
    /// The number of the last event that was heard.
    package private(set) var heard: Int
    private var isLinked = false
    /// Whether the owner has said from where it goes on, on this connection.
    private var isResumed = false
    private var isAway = false
    /// The last event that there was when the connection came back.
    private var catchUp = 0
    /// The last turn that was asked for.
    private var turn = 0
    /// A prompt that the owner's agent does not have yet, as far as is known, and whether it went out.
    private var prompt: (turn: Int, asked: AgentPrompt, wentOut: Bool)?
    private var isCancelling = false
    /// Answers that the owner has not decided on yet.
    private var answers: [(request: Int, option: String?)] = []
    package private(set) var isOver = false

    /// - Parameters:
    ///   - agent: the owner's name for the share.
    ///   - heard: the last event that was heard and kept.
    package init(session: String, agent: String, heard: Int) {
        (self.session, self.agent, self.heard) = (session, agent, max(heard, 0))
    }

    // MARK: The connection

    package mutating func linked() -> [Output] {
        guard !isOver else { return [] }
        (isLinked, isResumed) = (true, false)
        return [.send(.resume(session: session, agent: agent, after: heard))]
    }

    package mutating func unlinked() -> [Output] {
        (isLinked, isResumed) = (false, false)
        guard !isOver, !isAway else { return [] }
        isAway = true
        return [.event(.link(.away))]
    }

    // MARK: What is wanted

    package mutating func prompt(turn: Int, _ text: String) -> [Output] { prompt(AgentPrompt(text, turn: turn)) }

    package mutating func prompt(_ asked: AgentPrompt) -> [Output] {
        guard !isOver else { return [] }
        (turn, isCancelling) = (asked.turn ?? 1, false)
        prompt = (turn, asked, false)
        return isResumed ? sendPrompt() : []
    }

    private mutating func sendPrompt() -> [Output] {
        guard let waiting = prompt else { return [] }
        prompt?.wentOut = true
        let pictures = waiting.asked.pictures.enumerated().flatMap { place, picture in
            SharedPicture.frames(picture, session: session, turn: waiting.turn, place: place).map(Output.send)
        }
        return pictures + [
            .send(
                .prompt(
                    session: session, turn: waiting.turn, text: waiting.asked.text,
                    pictures: waiting.asked.pictures.count))
        ]
    }

    /// A prompt that never went out is taken back at once; otherwise the owner's side says how the turn ended.
    package mutating func cancel() -> [Output] {
        guard !isOver, turn > 0 else { return [] }
        if let waiting = prompt, !waiting.wentOut {
            prompt = nil
            return [.event(.turnEnded(.cancelled))]
        }
        isCancelling = true
        return isResumed ? [.send(.cancel(session: session, turn: turn))] : []
    }

    package mutating func answer(_ request: Int, option: String?) -> [Output] {
        guard !isOver, answers.count < SharingLimits.wishes, !answers.contains(where: { $0.request == request }) else {
            return [.event(.link(.tooLate(AgentPermission.ID(number: request))))]
        }
        answers.append((request, option))
        return isResumed ? [.send(.answer(session: session, request: request, option: option))] : []
    }

    /// What was heard is kept here now.
    package func taken(through sequence: Int) -> [Output] {
        isLinked && !isOver ? [.send(.received(session: session, through: sequence))] : []
    }

    /// The session ends from this side.
    package mutating func close() -> [Output] {
        guard !isOver else { return [] }
        isOver = true
        return isLinked ? [.send(.close(session: session))] : []
    }

    // MARK: What the owner says

    package mutating func receive(_ frame: SharingFrame.Content) -> [Output] {
        guard !isOver, isLinked else { return [] }
        switch frame {
        case .state(session, let first, let last, let turn): return resumed(first: first, last: last, turn: turn)
        case .event(session, let sequence, let event): return receive(event, sequence)
        case .promptRefused(session, let turn, let why): return refused(turn, why)
        case .answerRefused(session, let request, _):
            guard let index = answers.firstIndex(where: { $0.request == request }) else { return [] }
            answers.remove(at: index)
            return [.event(.link(.tooLate(AgentPermission.ID(number: request))))]
        default: return []
        }
    }

    private mutating func resumed(first: Int, last: Int, turn known: Int) -> [Output] {
        guard !isResumed else { return [] }
        isResumed = true
        var outputs: [Output] = []
        if first > heard + 1 {
            // More was taken than this machine still has: it says that something is missing.
            outputs = [.event(.text(AgentText("", omitted: first - heard - 1))), .event(.link(.position(first - 1)))]
            heard = first - 1
        }
        catchUp = max(last, heard)
        // The owner's agent has it: what came of it is in the events.
        if let waiting = prompt, known >= waiting.turn { prompt = nil }
        outputs += sendPrompt()
        if isCancelling { outputs.append(.send(.cancel(session: session, turn: turn))) }
        outputs += answers.map { .send(.answer(session: session, request: $0.request, option: $0.option)) }
        return outputs + cameBack()
    }

    private mutating func cameBack() -> [Output] {
        guard isAway, isResumed, heard >= catchUp else { return [] }
        isAway = false
        return [.event(.link(.back))]
    }

    private mutating func receive(_ event: SharedEvent, _ sequence: Int) -> [Output] {
        guard isResumed, sequence > heard else { return [] }
        guard sequence == heard + 1 else {
            // Something is missing: from where it goes on is said again.
            isResumed = false
            return [.send(.resume(session: session, agent: agent, after: heard))]
        }
        heard = sequence
        var outputs = take(event)
        if !isOver { outputs += cameBack() }
        return outputs
    }

    private mutating func take(_ event: SharedEvent) -> [Output] {
        let position = Output.event(.link(.position(heard)))
        switch event.kind {
        case .turnBegan:
            if let waiting = prompt, event.object.count("turn") ?? 0 >= waiting.turn { prompt = nil }
            return [position]
        case .permissionGone:
            let request = event.object.count("request")
            answers.removeAll { $0.request == request }
        case .turnEnded: (isCancelling, answers) = (false, [])
        case .ended:
            answers = []
            // An earlier life of the agent ended; the prompt that waits begins another one.
            guard prompt == nil else { return [position, .event(.link(.anew))] }
            isOver = true
        default: break
        }
        guard let said = AgentEvent(event) else { return [position] }
        return isOver ? [position, .event(said)] : [.event(said), position]
    }

    private mutating func refused(_ number: Int, _ why: SharingFrame.Refusal) -> [Output] {
        guard let waiting = prompt, waiting.turn == number else { return [] }
        prompt = nil
        switch why {
        case .lost:
            isOver = true
            return [.event(.ended(AgentError(ownersCode: "ended")))]
        default: return [.event(.turnEnded(.failed(AgentError(why))))]
        }
    }
}

extension AgentError {
    fileprivate init(_ why: SharingFrame.Refusal) {
        switch why {
        case .notShared: self.init(.refused, "its owner shares it no longer")
        case .busy: self.init(.busy, "it is at work already")
        case .tooMany: self.init(.busy, "it has too many sessions on its owner's machine")
        case .tooLarge: self.init(.tooLarge, "the prompt is too long for its owner's machine")
        case .unavailable: self.init(.cannotStart, "it cannot be started on its owner's machine")
        case .gone, .lost: self.init(.gone, "its owner's machine does not know what became of it")
        }
    }
}
