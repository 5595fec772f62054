internal import AgentProtocols
internal import Errors
internal import Wire

/// A session that a gateway of ours serves, as a state machine without I/O: requests of clients and events of the agent come in, and what to send and
/// do comes out.
struct ServedTalk: Sendable {
    /// What to do.
    enum Step: Sendable, Hashable {
        /// Only this client is told.
        case answer(GatewayEvent)
        /// Every client of the session is told.
        case tell(GatewayEvent)
        case prompt(AgentPrompt)
        case cancel
        /// The owner of this machine is asked.
        case ask(ServedRequest)
        /// A request is not open any more.
        case settle(ServedRequest, ServedOutcome)
        /// The agent is answered.
        case give(ServedAnswer)
        /// The agent asks this model from now on, which the client's request of this id wants.
        case choose(String, id: UInt64)
        /// A tool is given something.
        case hand(AgentPermission.ID, String)
        /// The agent is over.
        case end

        var isAck: Bool { if case .answer(let event) = self { event.kind == .ack } else { false } }
    }

    let id: String
    private var conversation = ServedConversation()
    var history = ServedHistory()
    /// The id of the message whose turn is under way.
    var turn: UInt64?
    private var isCancelled = false
    /// Ids of messages that were taken, by who sent them: none counts twice.
    private var taken: [(client: UInt64, id: UInt64)] = []
    var tools = ServedTools()
    private var models = ServedModels()

    /// What a client called it; empty for the beginning of what was asked first.
    private var name = ""
    private var firstPrompt: String?

    init(id: String) { self.id = id }

    /// What others read of it; nil as long as nothing was asked in it.
    var listed: GatewayHistory.Listed? {
        firstPrompt.map { GatewayHistory.Listed(id: id, title: name.isEmpty ? $0 : name) }
    }

    var isInTurn: Bool { conversation.isInTurn }
    /// The device whose prompt is under way, or was last.
    var device: String? { conversation.device }
    /// Names of calls of the turn that are remembered.
    var namesOfCalls: Int { tools.count }

    // MARK: What clients ask

    /// - Parameters:
    ///   - client: who asks.
    ///   - device: the device that the client is on.
    ///   - sessions: all sessions in which something was asked.
    mutating func take(
        _ request: GatewayRequest, from client: UInt64, of device: String? = nil, sessions: [GatewayHistory.Listed],
        version: String
    ) -> [Step] {
        let ack = Step.answer(GatewayEvent(.ack, ["id": JSONValue(request.id)]))
        switch request.kind {
        case .message: return [ack] + message(request, client, device)
        // What is stopped is stopped before anything is said.
        case .cancel: return cancel() + [ack]
        case .softInterrupt: return [ack] + interrupt(request, client, device)
        case .cancelSoftInterrupts:
            _ = conversation.dropQueue()
            return [ack]
        case .stdinResponse: return [ack] + handed(request)
        case .ping: return [ack, .answer(GatewayEvent(.pong, ["id": JSONValue(request.id)]))]
        case .state: return [ack, .answer(state(request.id))]
        case .getHistory:
            tools.tellInputsAgain()
            return [
                ack,
                .answer(
                    GatewayHistory.event(
                        id: request.id, session: id, messages: history.messages, isProcessing: isInTurn,
                        sessions: sessions, version: version, models: models.ids, model: models.current)),
            ]
        case .getCompactedHistory:
            return [
                ack, .answer(GatewayHistory.compacted(id: request.id, session: id, messages: history.messages)),
            ]
        case .getModelCatalog: return [ack, .answer(models.event)]
        case .setModel: return [ack, choose(request.object.string("model"), request.id)]
        case .cycleModel: return [ack, choose(models.next(by: request.places), request.id)]
        case .renameSession:
            let title = AgentText.name(request.object.string("title") ?? "")
            name = title
            return [
                ack,
                .tell(
                    GatewayEvent(
                        .sessionRenamed,
                        [
                            "session_id": .string(id), "title": title.isEmpty ? nil : .string(title),
                            "display_title": .string(title.isEmpty ? id : title),
                        ])),
            ]
        case nil: return [ack, .answer(Self.error(request.id, "This gateway does not know this request"))]
        default: return [ack, .answer(Self.error(request.id, "This gateway's agent cannot do this: \(request.type)"))]
        }
    }

    private mutating func choose(_ model: String?, _ request: UInt64) -> Step {
        guard let model, models.ids.contains(model), !conversation.isOver else {
            return .answer(Self.error(request, "This gateway's agent has no such model"))
        }
        models.chosen = model
        return .choose(model, id: request)
    }

    private mutating func message(_ request: GatewayRequest, _ client: UInt64, _ device: String?) -> [Step] {
        guard !taken.contains(where: { $0 == (client, request.id) }) else { return [] }
        guard !isInTurn else { return [.answer(Self.error(request.id, "Already processing a message"))] }
        guard let asked = AgentPrompt(request) else {
            return [.answer(Self.error(request.id, "The message is empty, or an image in it is none"))]
        }
        guard case .send(let prompt) = conversation.ask(asked, of: device) else {
            return [.answer(Self.error(request.id, "The message is too long, or the agent has ended"))]
        }
        taken.append((client, request.id))
        if taken.count > 256 { taken.removeFirst() }
        // What the agent said after its last turn is of that.
        let rest = tools.settle(into: &history).map { Step.tell($0) }
        (turn, isCancelled, tools) = (request.id, false, ServedTools())
        history.add(role: "user", prompt.text)
        firstPrompt =
            firstPrompt ?? prompt.text.split(whereSeparator: \.isNewline).first.map { String($0.prefix(60)) } ?? ""
        return rest + [.prompt(prompt)]
    }

    /// What a tool wants to be given goes to the tool, and stays nowhere.
    private mutating func handed(_ request: GatewayRequest) -> [Step] {
        let number = request.object.string("request_id").flatMap { Int($0) }
        guard let number, let input = request.object.string("input"), input.utf8.count <= AgentLimits.nameBytes,
            case .give(let id, let text)? = conversation.give(AgentPermission.ID(number: number), input)
        else { return [.answer(Self.error(request.id, "Nothing of this kind is wanted any more"))] }
        return [.hand(id, text)]
    }

    /// Ends the turn, if one is under way.
    mutating func stop() -> [Step] { cancel() }

    /// Devices are not let in any more.
    mutating func drop(of devices: Set<String>) { conversation.drop(of: devices) }

    private mutating func cancel() -> [Step] {
        guard isInTurn, !isCancelled else { return [] }
        isCancelled = true
        return [.cancel] + conversation.dropQueue().map(notAsked)
    }

    /// Whoever was told that it waits has to hear that it does not.
    func notAsked(_ prompt: AgentPrompt) -> Step {
        notice("Not asked, because the turn before it did not end well: \(AgentText(prompt.text, limit: 200).text)")
    }

    func notice(_ words: String) -> Step {
        .tell(
            GatewayEvent(
                .notification,
                [
                    "from_session": .string(id), "notification_type": ["kind": "message"], "message": .string(words),
                ]))
    }

    private mutating func interrupt(_ request: GatewayRequest, _ client: UInt64, _ device: String?) -> [Step] {
        guard isInTurn else { return message(request, client, device) }
        guard case .queued? = AgentPrompt(request).map({ conversation.ask($0, of: device) }) else {
            return [.answer(Self.error(request.id, "Too much waits already"))]
        }
        return []
    }

    private func state(_ id: UInt64) -> GatewayEvent {
        GatewayEvent(
            .state,
            [
                "id": JSONValue(id), "session_id": .string(self.id), "message_count": JSONValue(UInt64(history.count)),
                "is_processing": .bool(isInTurn),
            ])
    }

    static func error(_ id: UInt64, _ words: String) -> GatewayEvent {
        GatewayEvent(.error, ["id": JSONValue(id), "message": .string(words)])
    }

    // MARK: What the owner of this machine does

    mutating func answer(_ request: AgentPermission.ID, _ choice: ServedChoice) -> [Step] {
        conversation.answer(request, choice).map { [.give($0)] } ?? []
    }

    // MARK: What the agent says

    mutating func take(_ event: AgentEvent, now: Int64) -> [Step] {
        models.take(event) ? [.tell(models.event)] : steps(conversation.take(event, now: now))
    }

    /// The agent has answered what a client chose.
    mutating func chose(_ model: String, id: UInt64, _ error: AgentError?) -> [Step] {
        if models.chosen == model { models.chosen = nil }
        return [
            .answer(
                GatewayEvent(
                    .modelChanged,
                    [
                        "id": JSONValue(id), "model": .string(error == nil ? model : models.current ?? ""),
                        "error": error.map { .string($0.message) },
                    ]))
        ]
    }

    /// What nobody answered in time is rejected.
    mutating func expire(now: Int64) -> [Step] { steps(conversation.expire(now: now)) }

    /// The agent did not take the prompt.
    mutating func promptFailed(_ error: AgentError) -> [Step] { steps(conversation.promptFailed(error)) }
}

extension GatewayRequest {
    /// How far the next model is from the one that is asked. One that does not say goes to the next.
    fileprivate var places: Int {
        guard case .number(let spelling)? = object["direction"] else { return 1 }
        return Int(spelling) ?? 1
    }
}
