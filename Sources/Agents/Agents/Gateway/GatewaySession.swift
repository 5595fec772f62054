internal import AgentProtocols
internal import Errors
internal import Wire

/// A session over a gateway, as a state machine without I/O: what a person does and what the gateway tells comes in, and what is to be sent and told
/// comes out.
///
/// A prompt arrives once, whatever breaks. The protocol has no key that would tell a second one from a first, so after a break the history says whether
/// the prompt is there. If the history cannot say, the turn fails with words to that effect, and the person decides.
struct GatewaySession: Sendable {
    /// What to do.
    enum Step: Sendable, Hashable {
        case send(GatewayRequest)
        case tell(AgentEvent)
        /// The session can be used: for the first time, or again.
        case ready
        /// The gateway has answered what was chosen under this id.
        case chose(UInt64, AgentError?)
        /// The gateway starts anew in a moment.
        case restartAnnounced
        /// The gateway does not give the session away: the connection is of no use, and the next one may be.
        case comeBackLater
        /// The turn was asked to end.
        case graceBegins
        /// Nothing more can be done with this gateway.
        case giveUp(AgentError)
    }

    /// What is waited for after a connection was made.
    struct Joining: Sendable {
        let subscription: UInt64
        /// Asked before the history, so that what is told after the history goes on behind it.
        let state: UInt64
        let history: UInt64
        /// Whether a turn was under way.
        var isProcessing: Bool?
        /// How our turn ended meanwhile.
        var ending: GatewayEnding?
        /// Whether the gateway said, when it took the session up again, that its turn was broken off.
        var wasInterrupted = false
    }

    let name: String
    let folder: String
    /// Tells a gateway that it is the same client that comes back.
    let instance: String
    /// The session of another process that is to be gone on with, until the gateway has said whether it has it.
    var thread: String?
    /// Whether the gateway would not go on with it, so that another one is begun.
    private(set) var isThreadUnknown = false
    /// How often in a row the gateway said that somebody else has the session.
    var refusals = 0
    /// Whether the gateway is one of Alcove's.
    var isOfAlcove = false
    /// What nobody waits for any more, until it is answered.
    var late: LateCommand?
    /// The sessions that the gateway has beside this one.
    var listed: [ListedSession] = []
    /// The subscription of this connection.
    private(set) var subscription: UInt64?
    private var lastID: UInt64 = 0
    var joining: Joining?
    var id: String?
    var isReady = false
    var wasJoined = false
    /// Whether something was asked in the session, so that another one cannot stand for it.
    var isAsked = false
    var turn: GatewayTurn?
    /// What was said in the middle of the turn, until the agent has read it, and what it had not read when the turn was told to be over.
    var interjection: GatewayInterjection?
    var lateInterjection: GatewayInterjection?
    var prompts = KnownPrompts()
    var tools = GatewayTools()
    /// The models that the gateway lists, and the one that is asked.
    var models: AgentSetting?
    /// Models that were chosen and not answered, by the ids of the requests.
    var choices: [UInt64: String] = [:]
    /// The number of the next question of a tool.
    var nextPermission = 1
    /// What tools want to be given, by the gateway's names for it.
    var inputs: [AgentPermission.ID: String] = [:]
    /// What was given over this connection: said twice, it is wanted once.
    var given: Set<String> = []
    private var unreadable = 0
    /// How often it is tried again in a row while somebody else has the session: with the pauses between, for some minutes.
    static let refusalLimit = 12
    /// The same at a start, which takes ``AgentLimits/startPatience`` at most.
    static let firstRefusalLimit = 4
    /// Remarks that were told since the last turn began, and what of them is told once, by its hash.
    var remarks = 0
    var mentioned: Set<Int> = []

    init(name: String, folder: String, thread: String? = nil, instance: String) {
        (self.name, self.folder, self.thread, self.instance) = (name, folder, thread, instance)
    }

    mutating func freshID() -> UInt64 {
        lastID += 1
        return lastID
    }

    // MARK: The connection

    /// There is a connection. Nothing was sent on it.
    mutating func connected() -> [Step] {
        isReady = false
        let target = id ?? thread
        let joining = Joining(subscription: freshID(), state: freshID(), history: freshID())
        (self.joining, subscription) = (joining, joining.subscription)
        return [
            .send(
                GatewayRequest(
                    .subscribe, id: joining.subscription,
                    [
                        "working_dir": .string(folder), "target_session_id": target.map { .string($0) },
                        "client_instance_id": .string(instance),
                        "client_has_local_history": target == nil ? nil : true,
                        "allow_session_takeover": target == nil ? nil : true,
                        // Newer gateways end a turn with its connection unless they are told this; older ones pass over it.
                        "continue_on_disconnect": true,
                    ])),
            .send(GatewayRequest(.state, id: joining.state)),
            .send(GatewayRequest(.getHistory, id: joining.history)),
        ]
    }

    /// The connection is gone. What a tool wanted to be given is asked again, if the gateway still wants it.
    mutating func disconnected() -> [Step] {
        let wasReady = isReady
        (isReady, joining, late) = (false, nil, nil)
        turn?.closing = nil
        return dropInputs() + dropChoices() + (wasReady ? [.tell(.link(.away))] : [])
    }

    // MARK: What a person does

    mutating func prompt(_ prompt: AgentPrompt) throws(AgentError) -> [Step] {
        guard turn == nil else { throw AgentError(.busy, "\(name) is at work already") }
        (turn, remarks, mentioned, lateInterjection) = (GatewayTurn(prompt), 0, [], nil)
        return isReady ? sendPrompt() : []
    }

    mutating func sendPrompt() -> [Step] {
        guard let prompt = turn?.prompt else { return [] }
        if let turn, let command = command(in: turn) { return send(command) }
        let pictures: [JSONValue] = (turn?.pictures ?? []).map { [.string($0.type), .string($0.base64)] }
        let id = freshID()
        isAsked = true
        turn?.stage = .sent(id)
        // What was heard before is not about it.
        turn?.lastStop = nil
        turn?.before = (prompts.count(of: prompt), prompts.all)
        return [
            .send(
                GatewayRequest(
                    .message, id: id,
                    ["content": .string(prompt), "images": pictures.isEmpty ? nil : .array(pictures)]))
        ]
    }

    mutating func cancel() -> [Step] {
        guard let known = turn, !known.isCancelled else { return [] }
        turn?.isCancelled = true
        if known.stage == .queued { return end(.cancelled) }
        if known.command != nil { return leaveCommand() }
        guard isReady else { return [] }
        return [.send(GatewayRequest(.cancel, id: freshID())), .graceBegins]
    }

    // MARK: What the gateway tells

    mutating func receive(_ line: some Collection<UInt8>) -> [Step] {
        do throws(AgentProtocolError) {
            return receive(try GatewayEvent(line))
        } catch {
            return passOver(error.message)
        }
    }

    mutating func passOver(_ why: String) -> [Step] {
        unreadable += 1
        guard unreadable <= AgentLimits.unreadable else {
            return [.giveUp(AgentError(.notUnderstood, "\(name) does not keep to the protocol"))]
        }
        return [.tell(.unreadable(why))]
    }

    private mutating func receive(_ event: GatewayEvent) -> [Step] {
        guard let kind = event.kind else { return remarkOnce(event.text, of: event, key: event.type) }
        if let steps = answered(event) ?? refusedInterjection(event) { return steps }
        switch kind {
        case .session: if joining != nil { id = id ?? event.string("session_id") }
        case .sessionCloseRequested:
            return [.giveUp(AgentError(.ended, "\(name) has closed the session"))]
        case .reloading: return [.restartAnnounced]
        case .history: return heard(event)
        case .state:
            if joining?.state == event.id { joining?.isProcessing = event.object.isTrue("is_processing") }
        case .error: return failed(event)
        case .ack:
            if case .sent(let id)? = turn?.stage, event.id == id { turn?.stage = .taken(id) }
        case .done: return done(event)
        case .messageEnd:
            if isHeardInTurn { turn?.lastStop = AgentStop(gateway: event.object.string("stop_reason")) }
        case .interrupted: return isHeardInTurn ? close(GatewayEnding(.cancelled)) : []
        case .softInterruptInjected: return injected(event)
        case .sessionRenamed: return renamed(event)
        case .statusDetail: return [.tell(.detail(AgentText.name(event.string("detail"))))]
        case .providerGuardrail: return remark(event.string("message"))
        case .notification: return remark(event.notificationText)
        case .compaction: return remark("compaction: \(event.string("trigger"))")
        case .availableModelsUpdated: return offers(event)
        case .modelChanged: return modelChanged(event)
        case .pong, .reasoningDone: break
        default: return work(kind, event)
        }
        return []
    }

    /// It may be about another session of the same gateway.
    private func renamed(_ event: GatewayEvent) -> [Step] {
        let named = event.string("session_id")
        guard named.isEmpty || named == id ?? thread else { return [.tell(.other(AgentText.name(event.type)))] }
        return [.tell(.title(AgentText.name(event.string("display_title"))))]
    }

    private mutating func failed(_ event: GatewayEvent) -> [Step] {
        if let joining, let id = event.id, [joining.subscription, joining.history, joining.state].contains(id) {
            // The connection that broke may still have the session.
            let limit = wasJoined ? Self.refusalLimit : Self.firstRefusalLimit
            if event.object.count("retry_after_secs") != nil, refusals < limit {
                refusals += 1
                self.joining = nil
                return [.comeBackLater]
            }
            guard thread != nil else {
                let words =
                    self.id == nil ? "does not begin a session in this folder" : "does not give the session back"
                return [.giveUp(AgentError(.refused, "\(name) \(words)"))]
            }
            // It may be the session only that it refuses. Over the next connection a new session begins.
            (thread, isThreadUnknown, self.joining) = (nil, true, nil)
            return [.comeBackLater]
        }
        if let id = event.id, choices.removeValue(forKey: id) != nil { return [.chose(id, refusal)] }
        return failedTurn(event)
    }
}
