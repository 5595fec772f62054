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
                if !tool.input.givenText.isEmpty { call.input = AgentText(tool.input.givenText) }
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
        if let closing = turn?.closing, event.id == closing {
            turn?.isHeld = false
            let steps = catchUp(with: history) + finish(turn?.ending ?? GatewayEnding(.done))
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
        let ending = self.ending(history, known)
        let again = isAnother ? chooseAgain(model) : []
        return steps + again + comeBack(history, ending)
    }

    /// How our turn has ended while nobody heard it; nil if it goes on.
    private func ending(_ history: GatewayHistory, _ known: Joining) -> GatewayEnding? {
        // That is known since before this connection, whoever is at work now.
        if let ending = turn?.ending { return ending }
        let isProcessing = history.isProcessing ?? known.isProcessing ?? true
        let own = GatewayEnding(turn?.stop ?? .done)
        guard let ending = known.ending ?? (isProcessing ? nil : own) else { return nil }
        return ending == own && (history.wasInterrupted || known.wasInterrupted) ? interrupted : ending
    }

    /// Another session asks the model that the person chose for the one before.
    private mutating func chooseAgain(_ model: String?) -> [Step] {
        guard let model, models?.current != model else { return [] }
        return (try? choose(.model, model).steps) ?? []
    }

    private var interrupted: GatewayEnding {
        GatewayEnding(.failed(AgentError(.ended, "\(name) was ended in the middle of the turn")))
    }

    /// - Parameter ending: how the turn has ended; nil if it goes on.
    private mutating func comeBack(_ history: GatewayHistory, _ ending: GatewayEnding?) -> [Step] {
        let now = KnownPrompts(history)
        defer { if turn == nil { prompts = now } }
        guard let known = turn else { return [] }
        if known.stage == .queued {
            prompts = now
            return sendPrompt()
        }
        if known.command == nil, now.count(of: known.prompt) > known.before.same { return goOn(history, ending) }
        // The gateway has answered it: it is not asked again, although the history does not have it.
        if let answered = known.ending { return finish(answered) }
        if known.command != nil {
            prompts = now
            let words = "nobody knows whether \(name) did it; it was not asked again"
            return end(.failed(AgentError(.unreachable, words)))
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
    private mutating func goOn(_ history: GatewayHistory, _ ending: GatewayEnding?) -> [Step] {
        if let id = turn?.id { turn?.stage = .taken(id) }
        turn?.isHeld = false
        let missed = catchUp(with: history)
        if let ending {
            return missed + (turn?.isCancelled == true ? end(.cancelled) : finish(ending))
        }
        // What is said of the message that is under way may be missing in the history.
        turn?.isHeld = !history.isComplete
        guard turn?.isCancelled == true else { return missed + takeBackAgain() }
        return missed + [.send(GatewayRequest(.cancel, id: freshID())), .graceBegins]
    }
}
