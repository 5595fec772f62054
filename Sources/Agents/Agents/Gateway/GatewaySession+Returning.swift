internal import AgentProtocols
internal import Errors
internal import Wire

// After a connection was made: what the history says of the session, and of the turn that was under way.

extension GatewayHistory {
    /// What was said and done in the session.
    fileprivate var retold: [AgentRetoldPart] {
        var retelling = AgentRetelling()
        for message in messages {
            if let tool = message.tool {
                var call = AgentToolCall(id: tool.id, title: tool.name, status: "completed")
                if tool.input != .null { call.input = AgentText(tool.input.text) }
                if !message.content.isEmpty { call.results = [.text(AgentText(message.content))] }
                retelling.take(.toolCall(call))
            } else if message.role == "user" {
                retelling.begin(AgentText(message.content))
            } else if message.role == "assistant" {
                retelling.take(.text(AgentText(message.content)))
            }
        }
        return retelling.parts
    }
}

extension GatewaySession {
    mutating func heard(_ event: GatewayEvent) -> [Step] {
        guard let history = GatewayHistory(event) else { return [] }
        if let closing = turn?.closing, event.id == closing.id {
            turn?.isHeld = false
            let steps = catchUp(with: history) + end(closing.stop)
            prompts = KnownPrompts(history)
            return steps
        }
        // One that takes a session up again says so at once; the history that is asked for does not say it any more.
        if event.id == joining?.subscription, history.wasInterrupted { joining?.wasInterrupted = true }
        guard let joining, joining.history == event.id else { return [] }
        // What there is to choose is known before it can be used.
        let model = models?.current
        return offers(event) + join(history, joining, model)
    }

    /// The session can be used.
    /// - Parameter model: the one that was asked in it until now.
    private mutating func join(_ history: GatewayHistory, _ known: Joining, _ model: String?) -> [Step] {
        // A gateway may forget a session in which nothing was asked.
        let isAnother = id.map { $0 != history.session } ?? false
        if isAnother, isAsked {
            return [.giveUp(AgentError(.ended, "\(name) does not know the session any more"))]
        }
        isOfAlcove = history.serverName == "alcove"
        listed = history.sessions.filter { $0.id != history.session }.prefix(AgentLimits.elements).compactMap {
            ListedSession(id: $0.id, title: $0.title)
        }
        let goesOn = thread == history.session
        let opened = Step.tell(.opened(thread: history.session, goesOn: goesOn))
        let retold = goesOn ? history.retold : []
        let first = retold.isEmpty ? [opened, .ready] : [opened, .tell(.retold(retold)), .ready]
        let steps: [Step] = wasJoined ? (isAnother ? [opened] : []) + [.ready, .tell(.link(.back))] : first
        if goesOn { isAsked = true }
        (id, joining, isReady, wasJoined, thread, refusals) = (history.session, nil, true, true, nil, 0)
        let isProcessing = history.isProcessing ?? known.isProcessing ?? true
        let stop = known.stop ?? (isProcessing ? nil : .done)
        let wasInterrupted = history.wasInterrupted || known.wasInterrupted
        let again = isAnother ? chooseAgain(model) : []
        return steps + again + comeBack(history, stop: wasInterrupted && stop == .done ? interrupted : stop)
    }

    /// Another session asks the model that the person chose for the one before.
    private mutating func chooseAgain(_ model: String?) -> [Step] {
        guard let model, models?.current != model else { return [] }
        return (try? choose(.model, model).steps) ?? []
    }

    private var interrupted: AgentStop {
        .failed(AgentError(.ended, "\(name) was ended in the middle of the turn"))
    }

    /// - Parameter stop: how the turn has ended; nil if it goes on.
    private mutating func comeBack(_ history: GatewayHistory, stop: AgentStop?) -> [Step] {
        let now = KnownPrompts(history)
        defer { if turn == nil { prompts = now } }
        guard let known = turn else { return [] }
        if known.stage == .queued {
            prompts = now
            return sendPrompt()
        }
        if known.command != nil {
            prompts = now
            let words = "nobody knows whether \(name) did it; it was not asked again"
            return end(.failed(AgentError(.unreachable, words)))
        }
        if now.count(of: known.prompt) > known.before.same {
            return goOn(history, stop: stop)
        }
        guard case .sent = known.stage, now.all >= known.before.all else {
            let words = "nobody knows whether \(name) has the message; it was not sent again"
            return end(.failed(AgentError(.unreachable, words)))
        }
        // It never arrived.
        if known.isCancelled { return end(.cancelled) }
        prompts = now
        return sendPrompt()
    }

    /// The gateway has the prompt.
    private mutating func goOn(_ history: GatewayHistory, stop: AgentStop?) -> [Step] {
        if let id = turn?.id { turn?.stage = .taken(id) }
        turn?.isHeld = false
        let missed = catchUp(with: history)
        if let stop {
            return missed + end(turn?.isCancelled == true ? .cancelled : stop)
        }
        // What is said of the message that is under way may be missing in the history.
        turn?.isHeld = !history.isComplete
        guard turn?.isCancelled == true else { return missed + takeBackAgain() }
        return missed + [.send(GatewayRequest(.cancel, id: freshID())), .graceBegins]
    }
}
