internal import Networking
internal import Synchronization
internal import Wire

/// The signaling sockets.
extension RequestHandler {
    func upgrade(_ request: HTTPRequest, from peer: PeerAddress) -> WebSocketUpgrade {
        let source = source(of: request, peer)
        let now = environment.now()
        let refusal = state.withLock { state in
            let refusal = state.gate.request(from: source, now: now) ?? state.gate.refusesSocket(from: source)
            if let refusal { state.metrics.reject(refusal.code) }
            state.opening = source
            return refusal
        }
        return refusal.map { .refuse(Self.openToAll($0.response)) } ?? .accept
    }

    func opened(_ socket: ServerWebSocket) {
        let name = environment.uuid()
        let now = environment.now()
        update { state in
            let source = state.opening ?? ClientAddress(socket.peer.text)
            state.opening = nil
            state.gate.socketOpened(from: source)
            state.sockets[socket.id] = (socket, source)
            return state.router.opened(socket.id, name: name, now: now)
        }
    }

    func received(_ message: WebSocketMessage, on socket: ServerWebSocket) {
        let text =
            switch message {
            case .text(let text): text
            // Some clients send their JSON as bytes.
            case .binary(let bytes): String(decoding: bytes, as: UTF8.self)
            }
        let now = environment.now()
        update { $0.router.received(text, from: socket.id, now: now) }
    }

    func closed(_ socket: ServerWebSocket) {
        update { state in
            if let (_, source) = state.sockets.removeValue(forKey: socket.id) {
                state.gate.socketClosed(from: source)
            }
            return state.router.closed(socket.id)
        }
    }

    func update(_ change: (inout SignalingRouter) -> [SignalingRouter.Output]) {
        update { state in change(&state.router) }
    }

    /// Changes the state and carries out the results. Messages are sent under the lock, so that each socket gets them
    /// in order; sending only queues.
    private func update(_ change: (inout State) -> [SignalingRouter.Output]) {
        let questions = state.withLock { state in
            var questions: [(UInt64, SignalingQuestion)] = []
            for output in change(&state) {
                switch output {
                case .send(let id, let text): state.sockets[id]?.socket.send(.text(text))
                case .refuse(let id, let error):
                    state.metrics.reject(error.reason)
                    state.sockets[id]?.socket.send(.text(SignalingText.error(error)))
                case .close(let id, let reason): state.sockets[id]?.socket.close(reason.code, reason: reason.text)
                case .count(let event):
                    state.metrics.count(event)
                    note(event)
                case .offerServers(let id): state.sockets[id]?.socket.send(.text(offer()))
                case .node(let request): link?.perform(request)
                case .ask(let id, let question): questions.append((id, question))
                }
            }
            return questions
        }
        for (id, question) in questions { ask(question, id) }
    }

    /// STUN and TURN servers, with a name and password of its own for each client.
    private func offer() -> String {
        JSONValue.object(configuration.relays.offer(now: environment.now(), random: environment.random(10))).text
    }

    /// Relayed messages are too many for the log.
    private func note(_ event: SignalingEvent) {
        switch event {
        case .joined: log.log("joined")
        case .pushed: log.log("pushed")
        case .closed(let reason): log.log("closed", ["reason": .string(reason.rawValue)])
        case .relayed: break
        }
    }

    private func ask(_ question: SignalingQuestion, _ id: UInt64) {
        let now = environment.now()
        let attempt: AttemptLimiter.Attempt?
        switch count(question, id, now) {
        case .refused: return update { $0.answered(.tooManyAttempts, to: id) }
        case .counted(let counted): attempt = counted
        case nil: attempt = nil
        }
        let source = state.withLock { $0.sockets[id]?.source }
        let limits = configuration.limits
        let isAsked = decide({ try $0.answer(question, from: source, limits, now: now) }) { [self] answer in
            let isRefused = settle(question, answer, attempt, id, now)
            update { $0.answered(isRefused ? .tooManyAttempts : answer ?? .failed, to: id) }
        }
        if !isAsked {
            if let attempt { state.withLock { $0.gate.wasRight(attempt) } }
            update { $0.answered(.failed, to: id) }
        }
    }

    /// Whether the answer must be withheld, because this was one wrong code too many.
    private func settle(
        _ question: SignalingQuestion,
        _ answer: SignalingAnswer?,
        _ attempt: AttemptLimiter.Attempt?,
        _ id: UInt64,
        _ now: Timestamp
    ) -> Bool {
        state.withLock { state in
            guard answer?.isWrongGuess == true else {
                if let attempt { state.gate.wasRight(attempt) }
                return false
            }
            guard attempt == nil, case .watch(let code, _) = question, JoinID.isGuessable(code),
                let source = state.sockets[id]?.source
            else { return false }
            return state.gate.lateAttempt(from: source, now: now) != nil
        }
    }

    /// Counts a question as a guess at a code before it is answered; nil if it cannot be one, or has a ticket.
    private func count(_ question: SignalingQuestion, _ id: UInt64, _ now: Timestamp) -> AttemptLimiter.Outcome? {
        guard case .watch(let code, let proof) = question, JoinID.isGuessable(code), !proof.hasTicket else {
            return nil
        }
        return state.withLock { state in
            state.sockets[id].map { state.gate.attempt(from: $0.source, now: now) }
        }
    }
}

extension RoomStore {
    /// Answers the question of a socket's message.
    func answer(_ question: SignalingQuestion, now: Timestamp) throws -> SignalingAnswer {
        switch question {
        case .join(let room, let proof): .join(try admit(to: room, proof, now: now))
        case .watch(let code, let proof): .watch(try watch(code: code, by: proof, now: now))
        }
    }
}

extension SignalingAnswer {
    /// The question named a code that does not belong to who asked.
    var isWrongGuess: Bool {
        switch self {
        case .watch(.unknown), .watch(.forbidden): true
        default: false
        }
    }
}

extension SignalingClose {
    /// Codes from 4000 on are for applications (RFC 6455 section 7.4.2).
    var code: WebSocketCloseCode {
        switch self {
        case .tooManyMessages: .policyViolation
        case .replaced: WebSocketCloseCode(rawValue: 4001)
        case .roomDeleted: WebSocketCloseCode(rawValue: 4002)
        case .storeFailed: .tryAgainLater
        }
    }

    var text: String {
        switch self {
        case .tooManyMessages: "too many messages"
        case .replaced: "this device joined on another socket"
        case .roomDeleted: "the room was deleted"
        case .storeFailed: "try again later"
        }
    }
}
