internal import AgentProtocols
internal import Errors
internal import Wire

/// A message that is put into the middle of a turn.
struct GatewayInterjection: Sendable, Hashable {
    let number: Int
    let text: String
    /// The request that brought it.
    let id: UInt64
    /// Whether the person took it back.
    var isTakenBack = false

    /// Whether a message of the history, or what the gateway has put in, is or has this one: those that wait are joined by blank lines.
    func stands(in content: String) -> Bool {
        content == text || content.hasPrefix(text + "\n\n") || content.hasSuffix("\n\n" + text)
            || content.contains("\n\n" + text + "\n\n")
    }
}

// What is said in the middle of a turn (`soft_interrupt`). Whether the agent has read it, `soft_interrupt_injected` says, or the history after a break.
// An `ack` says nothing: a gateway of jcode's acknowledges a request before it does it, and tells what it put in by another way. Only the end of the
// turn, which goes that way, too, says that it was not read.

extension GatewaySession {
    mutating func interject(_ text: String, number: Int) throws(AgentError) -> [Step] {
        // Alcove's gateway would ask it when the turn is over, as this side does. What is for the gateway is no message to its agent.
        guard isReady, !isOfAlcove, interjection == nil, let turn, turn.isTaken, !turn.isCancelled, turn.command == nil,
            GatewayCommand(text) == nil
        else { throw AgentError(.gone, "\(name) takes nothing in the middle of this turn") }
        let id = freshID()
        interjection = GatewayInterjection(number: number, text: text, id: id)
        return [.send(GatewayRequest(.softInterrupt, id: id, ["content": .string(text), "urgent": false]))]
    }

    /// Without a connection it is taken back when there is one again. It may have been read: that is known at the end of the turn.
    mutating func takeBack(interjection number: Int) -> [Step] {
        guard let known = interjection, known.number == number, !known.isTakenBack else { return [] }
        interjection?.isTakenBack = true
        return isReady ? [cancelInterruptions()] : []
    }

    mutating func sendToolToBackground() throws(AgentError) -> [Step] {
        guard isReady, !isOfAlcove, let turn, turn.isTaken, tools.isRunning else {
            throw AgentError(.gone, "no tool runs at \(name)")
        }
        return [.send(GatewayRequest(.backgroundTool, id: freshID()))]
    }

    /// It forgets all that waits, also what others put in: the protocol knows no other way.
    private mutating func cancelInterruptions() -> Step {
        .send(GatewayRequest(.cancelSoftInterrupts, id: freshID()))
    }

    /// The gateway has put something into the turn: what was said here, or by another client, or by the agent's own tools.
    mutating func injected(_ event: GatewayEvent) -> [Step] {
        let other = [Step.tell(.other(AgentText.name(event.type)))]
        // Only a person's message stands in the history as one.
        guard event.object.string("display_role") == nil else { return other }
        let content = event.string("content")
        prompts.add(content)
        turn?.noteInjection()
        if let known = interjection, known.stands(in: content) {
            turn?.read.append(known.text)
            return settleInterjection(isRead: true)
        }
        // A turn that was stopped may be told to be over before what was put into it.
        guard let late = lateInterjection, late.stands(in: content) else { return other }
        lateInterjection = nil
        return [.tell(.link(.interjected(late.number, isRead: true)))]
    }

    /// - Returns: nil if the event is about something else.
    mutating func refusedInterjection(_ event: GatewayEvent) -> [Step]? {
        guard event.kind == .error, let known = interjection, event.id == known.id else { return nil }
        return settleInterjection(isRead: false) + remark(event.string("message"))
    }

    /// The place in a history, behind the prompt of the turn, at which the agent read what is not known here to be read.
    func placeOfInterjection(in history: GatewayHistory) -> Int? {
        guard let known = interjection, let begin = beginOfTurn(in: history) else { return nil }
        let places = history.messages.indices.filter { place in
            place > begin && history.messages[place].role == "user" && known.stands(in: history.messages[place].content)
        }
        // The same may have been said in this turn before.
        return places.dropFirst(turn?.read.count { $0 == known.text } ?? 0).first
    }

    /// The place of the prompt of the turn: the one behind those that stood there before, because the same may have been said since.
    func beginOfTurn(in history: GatewayHistory) -> Int? {
        guard let known = turn else { return nil }
        let places = history.messages.indices.filter {
            history.messages[$0].role == "user" && history.messages[$0].content == known.prompt
        }
        return places.dropFirst(known.before.same).first ?? places.last
    }

    /// What the history has it read.
    mutating func foundInterjection() -> [Step] {
        guard let known = interjection else { return [] }
        turn?.read.append(known.text)
        return settleInterjection(isRead: true)
    }

    /// After a break, in a turn that goes on: the gateway may not have heard that it was taken back. What was not taken back may still be read.
    mutating func takeBackAgain() -> [Step] { interjection?.isTakenBack == true ? [cancelInterruptions()] : [] }

    /// The turn is over, or the agent is let go of, and the agent has not read it: nor is the next turn to.
    mutating func dropInterjection() -> [Step] {
        guard let known = interjection else { return [] }
        lateInterjection = known
        return (isReady ? [cancelInterruptions()] : []) + settleInterjection(isRead: false)
    }

    private mutating func settleInterjection(isRead: Bool) -> [Step] {
        defer { interjection = nil }
        return interjection.map { [.tell(.link(.interjected($0.number, isRead: isRead)))] } ?? []
    }
}
