internal import Networking
internal import Synchronization
internal import Wire

/// The signaling sockets.
extension FrontDesk {
    func upgrade(_ request: HTTPRequest, from peer: PeerAddress) -> WebSocketUpgrade {
        let address = address(of: request, peer)
        let now = environment.now()
        let refusal = state.withLock { state in
            let refusal = state.gate.request(from: address, now: now) ?? state.gate.refusesSocket(from: address)
            if let refusal { state.metrics.reject(refusal.code) }
            state.opening = address
            return refusal
        }
        return refusal.map { .refuse(Self.openToAll($0.response)) } ?? .accept
    }

    func opened(_ socket: ServerWebSocket) {
        let name = environment.uuid()
        let now = environment.now()
        update { state in
            let address = state.opening ?? ClientAddress.key(socket.peer.text)
            state.opening = nil
            state.gate.socketOpened(from: address)
            state.sockets[socket.id] = (socket, address)
            return state.switchboard.opened(socket.id, name: name, now: now)
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
        update { $0.switchboard.received(text, from: socket.id, now: now) }
    }

    func closed(_ socket: ServerWebSocket) {
        update { state in
            if let (_, address) = state.sockets.removeValue(forKey: socket.id) {
                state.gate.socketClosed(from: address)
            }
            return state.switchboard.closed(socket.id)
        }
    }

    func update(_ change: (inout Switchboard) -> [Switchboard.Output]) {
        update { state in change(&state.switchboard) }
    }

    /// Changes the state and does what comes of it. Messages go out under the lock, so that each socket gets them in
    /// the order in which they came to be; sending only queues.
    private func update(_ change: (inout State) -> [Switchboard.Output]) {
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
                case .ask(let id, let question): questions.append((id, question))
                }
            }
            return questions
        }
        for (id, question) in questions { ask(question, id) }
    }

    /// Relayed messages are too many to be written down.
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
        var code: String?
        let address = state.withLock { $0.sockets[id]?.address } ?? ""
        if case .watch(let guessed, _) = question, JoinID.isGuessable(guessed) {
            code = guessed
            guard state.withLock({ $0.gate.attempt(guessed, from: address, now: now) }) == nil else {
                return update { $0.answered(.tooManyAttempts, to: id) }
            }
        }
        let guessed = code
        let isAsked = decide({ try $0.answer(question, now: now) }) { [self] answer in
            if let guessed, answer?.isWrongGuess != true {
                state.withLock { $0.gate.wasRight(guessed, from: address) }
            }
            update { $0.answered(answer ?? .failed, to: id) }
        }
        if !isAsked { update { $0.answered(.failed, to: id) } }
    }
}

extension RoomStore {
    /// Answers what a socket's message asks.
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
    /// Codes from 4000 on are an application's own (RFC 6455 section 7.4.2).
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
