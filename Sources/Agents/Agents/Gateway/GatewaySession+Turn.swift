internal import AgentProtocols
internal import Errors
internal import Wire

// What happens in a turn, and how it ends. The first end counts; the text that was missed comes before it.

extension GatewaySession {
    /// Whether what comes may be about our turn. Before the gateway has acknowledged our message it is about another one; after a break it may have
    /// done so without our hearing of it.
    var isHeardInTurn: Bool { turn?.isTaken == true || !isReady && turn?.id != nil }

    mutating func work(_ kind: GatewayEventKind, _ event: GatewayEvent) -> [Step] {
        // What comes before the gateway has acknowledged our message is of another turn, and what comes before the history is in it.
        guard turn?.isTaken == true, isReady || kind == .stdinRequest else { return [] }
        switch kind {
        case .textDelta: return say(event.string("text"))
        case .textReplace: return replace(with: event.string("text"))
        case .retryRollback: return rollBack()
        case .reasoningDelta: return [.tell(.reasoning(AgentText(event.string("text"))))]
        case .tokens:
            return [.tell(.usage(AgentUsage(input: event.object.count("input"), output: event.object.count("output"))))]
        case .toolStart, .toolInput, .toolExec, .toolDone:
            return tools.take(kind, event, at: turn?.shown.end ?? 0).map { .tell($0) }
        case .stdinRequest: return asks(event)
        case .generatedImage, .sidePaneImages: return pictured(event)
        default: return [.tell(.other(AgentText.name(event.type)))]
        }
    }

    mutating func done(_ event: GatewayEvent) -> [Step] {
        // After a break the gateway may name a turn as another connection did. Some say so of a subscription, too.
        guard let turn, let id = turn.id, event.id == id || turn.isHeld && event.id != subscription else { return [] }
        return close(GatewayEnding(turn.stop))
    }

    /// The gateway answered our message, or what was asked for at its end, with an error.
    mutating func failedTurn(_ event: GatewayEvent) -> [Step] {
        guard let known = turn, let id = event.id else { return [.tell(.other(event.type))] }
        // What the history was to tell cannot be had.
        if id == known.closing, let ending = known.ending { return finish(ending) }
        guard id == known.id else { return [.tell(.other(event.type))] }
        let error = AgentError(.refused, "\(name) answered the message with an error")
        let ending = GatewayEnding(.failed(error), reason: event.string("message"))
        guard !isReady else { return close(ending) }
        // It is about this turn, whatever the history says.
        if known.ending == nil { turn?.ending = ending }
        return []
    }

    /// The turn is over. If text was missed, the history tells it first.
    mutating func close(_ ending: GatewayEnding) -> [Step] {
        guard let known = turn, known.closing == nil else { return [] }
        guard isReady else {
            if joining?.ending == nil { joining?.ending = ending }
            return []
        }
        guard known.isHeld else { return finish(ending) }
        let id = freshID()
        turn?.closing = id
        turn?.ending = ending
        return [.send(GatewayRequest(.getHistory, id: id))]
    }

    mutating func finish(_ ending: GatewayEnding) -> [Step] {
        remark(ending.reason, isReason: true) + end(ending.stop)
    }

    mutating func end(_ stop: AgentStop) -> [Step] {
        guard let known = turn else { return [] }
        if known.id != nil, known.command == nil { prompts.add(known.prompt) }
        turn = nil
        tools = GatewayTools()
        return dropInterjection() + dropInputs() + [.tell(.turnEnded(stop))]
    }
}
