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
    private var history = ServedHistory()
    /// The id of the message whose turn is under way.
    private var turn: UInt64?
    private var isCancelled = false
    /// Ids of messages that were taken, by who sent them: none counts twice.
    private var taken: [(client: UInt64, id: UInt64)] = []
    private var begun: Set<String> = []
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
    var namesOfCalls: Int { begun.count }

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
            return [
                ack,
                .answer(
                    GatewayHistory.event(
                        id: request.id, session: id, messages: history.messages, isProcessing: isInTurn,
                        sessions: sessions, version: version, models: models.ids, model: models.current)),
            ]
        case .getModelCatalog: return [ack, .answer(models.event)]
        case .setModel:
            let model = request.object.string("model") ?? ""
            return models.ids.contains(model) && !conversation.isOver
                ? [ack, .choose(model, id: request.id)]
                : [ack, .answer(Self.error(request.id, "This gateway's agent has no such model"))]
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
        (turn, isCancelled, begun) = (request.id, false, [])
        history.add(role: "user", prompt.text)
        firstPrompt =
            firstPrompt ?? prompt.text.split(whereSeparator: \.isNewline).first.map { String($0.prefix(60)) } ?? ""
        return [.prompt(prompt)]
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
    private func notAsked(_ prompt: AgentPrompt) -> Step {
        notice("Not asked, because the turn before it did not end well: \(AgentText(prompt.text, limit: 200).text)")
    }

    private func notice(_ words: String) -> Step {
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
    func chose(_ model: String, id: UInt64, _ error: AgentError?) -> [Step] {
        [
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

    private mutating func steps(_ changes: [ServedChange]) -> [Step] {
        // A turn that goes on with what was put in is one turn for the clients.
        let goesOn = changes.contains { if case .send = $0 { true } else { false } }
        return changes.flatMap { step($0, goesOn: goesOn) }
    }

    private mutating func step(_ change: ServedChange, goesOn: Bool) -> [Step] {
        switch change {
        case .said(let piece): return said(piece)
        case .thought(let piece): return [.tell(GatewayEvent(.reasoningDelta, ["text": .string(piece.text)]))]
        case .rolledBack(let isWhole):
            history.rollBack()
            let again = GatewayEvent(.retryRollback, ["attempt": 1, "max": 1])
            return [.tell(isWhole ? again : GatewayEvent(.textReplace, ["text": ""]))]
        case .called(let call, _): return called(call)
        case .used(let usage):
            let (input, output) = (usage.input ?? usage.used ?? 0, usage.output ?? 0)
            return [
                .tell(
                    GatewayEvent(
                        .tokens,
                        ["input": JSONValue(UInt64(max(input, 0))), "output": JSONValue(UInt64(max(output, 0)))]))
            ]
        case .asks(let request):
            let words = "Waits until the owner of the gateway's machine allows it"
            return [.tell(GatewayEvent(.statusDetail, ["detail": .string(words)])), .ask(request)]
        case .wants(let request):
            let words = (request.call.results ?? []).compactMap {
                if case .text(let text) = $0 { text.text } else { nil }
            }
            return [
                .tell(
                    GatewayEvent(
                        .stdinRequest,
                        [
                            "request_id": .string(String(request.id.number)), "prompt": .string(words.joined()),
                            "is_password": .bool(request.input == .secret), "tool_call_id": .string(request.call.id),
                        ]))
            ]
        case .give(let id, let text): return [.hand(id, text)]
        case .withdrawn(let request): return settled(request, .gone)
        case .expired(let request): return settled(request, .expired)
        case .changedUnderway(let request): return settled(request, .changed)
        case .answer(let answer): return [.give(answer)]
        case .send(let prompt):
            history.add(role: "user", prompt.text)
            let injected = GatewayEvent(.softInterruptInjected, ["content": .string(prompt.text), "point": "D"])
            return [.tell(injected), .prompt(prompt)]
        case .turnEnded(let stop): return goesOn ? [] : ended(stop)
        case .ended(let error):
            let words = error?.message ?? "The agent was stopped"
            let last = turn.map { [Step.tell(Self.error($0, words))] } ?? []
            turn = nil
            return last + [.tell(GatewayEvent(.sessionCloseRequested, ["reason": "The agent has ended"])), .end]
        case .lost: return [.tell(GatewayEvent(.statusDetail, ["detail": "The gateway does not hear its agent"]))]
        case .remarked(let words): return [notice(words.text)]
        case .refused(let prompt, _): return [notAsked(prompt)]
        case .queued, .planned, .found: return []
        }
    }

    /// The owner of this machine hears of what could only be asked of them.
    private func settled(_ request: ServedRequest, _ outcome: ServedOutcome) -> [Step] {
        request.input == nil ? [.settle(request, outcome)] : []
    }

    private mutating func said(_ piece: AgentText) -> [Step] {
        guard !piece.text.isEmpty else { return [] }
        history.say(piece.text)
        return [.tell(GatewayEvent(.textDelta, ["text": .string(piece.text)]))]
    }

    private mutating func called(_ call: AgentToolCall) -> [Step] {
        let name = call.title ?? call.kind ?? "tool"
        let names: JSONValue = .string(name)
        var steps: [Step] = []
        // An agent may make any number of names.
        if begun.count >= ServedConversationLimits.calls * 4 { begun = [] }
        if begun.insert(call.id).inserted {
            history.callBegins()
            steps.append(.tell(GatewayEvent(.toolStart, ["id": .string(call.id), "name": names])))
            if let input = call.input {
                steps.append(.tell(GatewayEvent(.toolInput, ["delta": .string(input.text)])))
            }
        }
        switch call.status {
        case "in_progress": steps.append(.tell(GatewayEvent(.toolExec, ["id": .string(call.id), "name": names])))
        case "completed", "failed":
            let output = call.shown
            let error: JSONValue? = call.status == "failed" ? .string(output.isEmpty ? "failed" : output) : nil
            steps.append(
                .tell(
                    GatewayEvent(
                        .toolDone,
                        ["id": .string(call.id), "name": names, "output": .string(output), "error": error])))
            let tool = GatewayHistory.Tool(id: call.id, name: name, input: .string(call.input?.text ?? ""))
            history.add(role: "tool", output, tool)
        default: break
        }
        return steps
    }

    private mutating func ended(_ stop: AgentStop) -> [Step] {
        guard let id = turn else { return [] }
        turn = nil
        let done = Step.tell(GatewayEvent(.done, ["id": JSONValue(id)]))
        func because(_ reason: String) -> [Step] {
            [.tell(GatewayEvent(.messageEnd, ["stop_reason": .string(reason)])), done]
        }
        switch stop {
        case .done: return because("end_turn")
        case .tokenLimit: return because("max_tokens")
        case .requestLimit: return because("max_turn_requests")
        case .refused: return because("refusal")
        case .other(let reason): return because(reason)
        case .cancelled: return [.tell(GatewayEvent(.interrupted)), done]
        case .failed(let error): return [.tell(Self.error(id, error.message))]
        }
    }
}
