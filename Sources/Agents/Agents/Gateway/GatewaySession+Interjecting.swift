internal import AgentProtocols
internal import Errors
internal import Wire

/// A message that is put into the middle of a turn.
struct GatewayInterjection: Sendable, Hashable {
    let number: Int
    let text: String
    /// The request that brought it.
    let id: UInt64
    /// The request that takes it back.
    var takingBack: UInt64?

    /// Whether a message of the history, or what the gateway has put in, is or has this one: those that wait are joined by blank lines.
    func stands(in content: String) -> Bool {
        content == text || content.hasPrefix(text + "\n\n") || content.hasSuffix("\n\n" + text)
            || content.contains("\n\n" + text + "\n\n")
    }
}

// What is said in the middle of a turn (`soft_interrupt`). It goes once: after a break the history says whether the agent has it, and otherwise it is
// taken back, so that the person's side may ask it when the turn is over.

extension GatewaySession {
    mutating func interject(_ text: String, number: Int) throws(AgentError) -> [Step] {
        // Alcove's gateway would ask it when the turn is over, as this side does.
        guard isReady, !isOfAlcove, interjection == nil, let turn, turn.isTaken, !turn.isCancelled, turn.command == nil
        else { throw AgentError(.gone, "\(name) takes nothing in the middle of this turn") }
        let id = freshID()
        interjection = GatewayInterjection(number: number, text: text, id: id)
        return [.send(GatewayRequest(.softInterrupt, id: id, ["content": .string(text), "urgent": false]))]
    }

    /// Without a connection it is taken back when there is one again.
    mutating func takeBack(interjection number: Int) -> [Step] {
        guard isReady, let known = interjection, known.number == number, known.takingBack == nil else { return [] }
        return takeBack()
    }

    mutating func sendToolToBackground() throws(AgentError) -> [Step] {
        guard isReady, !isOfAlcove, let turn, turn.isTaken, tools.isRunning else {
            throw AgentError(.gone, "no tool runs at \(name)")
        }
        return [.send(GatewayRequest(.backgroundTool, id: freshID()))]
    }

    private mutating func takeBack() -> [Step] {
        let id = freshID()
        interjection?.takingBack = id
        return [.send(GatewayRequest(.cancelSoftInterrupts, id: id))]
    }

    /// The gateway has put something into the turn: what was said here, or by another client.
    mutating func injected(_ event: GatewayEvent) -> [Step] {
        let content = event.string("content")
        prompts.add(content)
        guard interjection?.stands(in: content) == true else { return [.tell(.other(AgentText.name(event.type)))] }
        return settleInterjection(isRead: true)
    }

    /// - Returns: nil if the event is about something else.
    mutating func answeredInterjection(_ event: GatewayEvent) -> [Step]? {
        guard let known = interjection, let id = event.id else { return nil }
        switch event.kind {
        // It has forgotten what waited; if it had put it in before, it has said so.
        case .ack where id == known.takingBack: return settleInterjection(isRead: false)
        case .error where id == known.id || id == known.takingBack:
            return settleInterjection(isRead: false) + remark(event.string("message"))
        default: return nil
        }
    }

    /// After a break: whether the history has it.
    mutating func findInterjection(in history: GatewayHistory) -> [Step] {
        guard let known = interjection, let prompt = turn?.prompt,
            let begin = history.messages.lastIndex(where: { $0.role == "user" && $0.content == prompt }),
            history.messages[(begin + 1)...].contains(where: { $0.role == "user" && known.stands(in: $0.content) })
        else { return [] }
        return settleInterjection(isRead: true)
    }

    /// After a break, in a turn that goes on: what the history does not have may still wait at the gateway.
    mutating func takeBackAfterBreak() -> [Step] { interjection == nil ? [] : takeBack() }

    /// The turn is over, and the agent has not read it.
    mutating func dropInterjection() -> [Step] {
        guard let known = interjection else { return [] }
        return (known.takingBack == nil && isReady ? takeBack() : []) + settleInterjection(isRead: false)
    }

    private mutating func settleInterjection(isRead: Bool) -> [Step] {
        defer { interjection = nil }
        return interjection.map { [.tell(.link(.interjected($0.number, isRead: isRead)))] } ?? []
    }
}
