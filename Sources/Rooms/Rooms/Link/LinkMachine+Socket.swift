/// The socket's half of the link: reaches the server, joins the room, and handles the server's messages.
extension LinkMachine {
    mutating func openSocket() {
        socket = .opening
        emit(.openSocket)
        emit(.set(.answer, Limit.answer))
    }

    mutating func socketOpened() {
        guard socket == .opening else { return }
        socket = .joining
        emit(.send(.joinRoom(room: identity.room, device: identity.device, ticket: identity.ticket)))
        emit(.set(.answer, Limit.answer))
    }

    /// A lost socket is opened again after a wait. An established peer connection is not disturbed. One that is still
    /// being made has lost messages, and is started again.
    ///
    /// - Parameter hasMoved: The server said that it is about to stop, so another one, or its successor, is expected at
    ///   once. All its clients come, but not all in the same moment. A server that says so before we were in the room is
    ///   tried again like one that is down.
    mutating func socketClosed(hasMoved: Bool = false) {
        guard socket != .down else { return }
        let mayHurry = hasMoved && (socket == .alone || socket == .ready)
        socket = .down
        greeted = false
        emit(.cancel(.answer))
        emit(.cancel(.negotiation))
        if !isThrough { dropPeer() }
        if peer == .none { report(wasConnected ? .reconnecting : .connecting) }
        emit(.cancel(.credentials))
        emit(.set(.retry, mayHurry ? BackOff.move(jitter: jitter()) : socketBackOff.next(jitter: jitter())))
    }

    mutating func handle(_ notice: SignalingNotice) {
        switch notice {
        case .roomJoined:
            guard socket == .joining else { return }
            socket = .alone
            socketBackOff.reset()
            emit(.cancel(.answer))
            if peer == .none { report(.waitingForPeer) }
        case .roomReady:
            guard socket == .alone || socket == .joining || socket == .ready else { return }
            if socket == .alone { hasPeerLeft = false }
            socket = .ready
            socketBackOff.reset()
            emit(.cancel(.answer))
            greet()
        case .peerLeft, .peerDisconnected: peerAway()
        case .roomFull: giveUp(.roomFull)
        case .leftRoom: break
        case .offer(let sdp): offered(sdp)
        case .answer(let sdp):
            if peer != .none { emit(.acceptAnswer(sdp: sdp)) }
        case .candidate(let candidate):
            if peer != .none { emit(.addCandidate(candidate)) }
        case .verify(let data): relayed(data)
        case .iceServers(let offered):
            emit(.offered(offered))
            emit(offered.refresh.map { .set(.credentials, $0) } ?? .cancel(.credentials))
        case .error(let explanation): refused(explanation)
        case .connected, .watching, .roomAccepted, .watchEnded, .other: break
        }
    }

    /// The other side's socket is gone. The peer connection will show whether the other side is, too.
    private mutating func peerAway() {
        guard socket == .ready else { return }
        socket = .alone
        greeted = false
        emit(.cancel(.negotiation))
        if !isThrough { dropPeer() }
        if peer == .none { report(.waitingForPeer) }
    }

    /// Only an answer to our own join counts; other errors concern late messages. Errors that do not concern this room
    /// (too many attempts, an error of the server) may be gone next time.
    private mutating func refused(_ explanation: String) {
        guard socket == .joining else { return }
        switch explanation {
        case "Invalid roomId": giveUp(.roomGone)
        case "Forbidden": giveUp(.forbidden)
        default:
            emit(.closeSocket)
            socketClosed()
        }
    }

    mutating func jitter() -> Double { Double.random(in: 0...1, using: &random) }
}
