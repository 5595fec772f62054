/// The protocol logic of one link, without I/O: events go in, actions come out.
///
/// It has two parts. The *socket* connects to the rendezvous server for as long as the link is wanted. The *peer* is a
/// WebRTC connection that both sides negotiate through that socket and that outlives it. When either breaks, only that
/// one is made again.
package struct LinkMachine: Sendable {
    package enum Input: Sendable {
        case start
        case stop
        case socketOpened
        case socketClosed
        /// The server closed the socket because it is about to stop; another one is there.
        case socketMoved
        case notice(SignalingNotice)
        /// Our side of the negotiation, ready to send.
        case localOffer(sdp: String)
        case localAnswer(sdp: String)
        case localCandidate(SignalingCandidate)
        case peerConnected
        case peerDisconnected
        /// The peer connection has failed (ICE or DTLS failed, or the other side closed it).
        case peerFailed
        case channelOpened
        /// The other side says goodbye.
        case goodbye
        /// The room's verification ended: verified, or openly unverified.
        case verificationSettled
        /// The other side is not who it should be: the link ends for good.
        case refuse(LinkFailure)
        case timer(Timer)
    }

    package enum Command: Sendable, Equatable {
        case openSocket
        case closeSocket
        case send(SignalingRequest)
        case makePeer
        case makeOffer(iceRestart: Bool)
        case acceptOffer(sdp: String)
        case acceptAnswer(sdp: String)
        case addCandidate(SignalingCandidate)
        /// The rendezvous server offers STUN and TURN servers.
        case offered(OfferedICEServers)
        /// Both sides are there, but found no path to each other in time. The gathered candidates are still known.
        case noPath
        case dropPeer
        case startVerification
        case verification([UInt8])
        case set(Timer, Duration)
        case cancel(Timer)
        case report(LinkState)
        case giveUp(LinkFailure)
    }

    package enum Timer: Sendable, Hashable, CaseIterable {
        /// Time to try the server again.
        case retry
        /// The server did not answer in time.
        case answer
        /// Greeting, negotiation and verification did not finish in time.
        case negotiation
        /// The peer connection was interrupted a moment ago: try an ICE restart.
        case restart
        /// The interruption lasts: make a new peer connection.
        case abandon
        /// The other side does not come to the room of a meeting.
        case lonely
        /// The credentials that the server handed out have passed half of their life.
        case credentials
    }

    package struct Identity: Sendable {
        package var room: String
        package var device: String
        package var ticket: String
        package var role: LinkRole
        /// Whether this is the room of a meeting, where the other side was a moment ago. If it does not come, or stays
        /// away, it looks for us at another meeting.
        package var isMeeting = false
    }

    package enum Limit {
        package static let answer = Duration.seconds(10)
        package static let negotiation = Duration.seconds(20)
        package static let restart = Duration.seconds(1)
        package static let abandon = Duration.seconds(12)
        package static let lonely = Duration.seconds(60)
        /// The longest wait before a client of a server that stops connects to the next one.
        package static let move = Duration.seconds(1)
    }

    enum Socket { case down, opening, joining, alone, ready }
    enum Peer { case none, negotiating, open, interrupted }

    let identity: Identity
    var wanted = false
    var socket = Socket.down
    var peer = Peer.none
    var own: LinkInstance
    var known: LinkInstance?
    /// Whether the other side has said that it knows our current instance.
    var greeted = false
    var channelOpen = false
    var settled = false
    var wasConnected = false
    /// Whether the other side has said goodbye since it was last there.
    var hasPeerLeft = false
    var lastReport: LinkState?
    var socketBackOff = BackOff()
    var peerBackOff = BackOff()
    var random: SeededGenerator
    var commands: [Command] = []

    /// - Parameter seed: fresh randomness, for this run's instance number and the jitter of the back-off.
    package init(identity: Identity, seed: UInt64) {
        self.identity = identity
        var random = SeededGenerator(seed: seed)
        self.own = LinkInstance(run: random.next())
        self.random = random
    }

    /// Takes one input and returns the resulting actions, in order.
    package mutating func handle(_ input: Input) -> [Command] {
        commands = []
        switch input {
        case .start: start()
        case .stop: stop()
        case _ where !wanted: break
        case .socketOpened: socketOpened()
        case .socketClosed: socketClosed()
        case .socketMoved: socketClosed(hasMoved: true)
        case .notice(let notice): handle(notice)
        case .localOffer(let sdp): sendIfReady(.offer(sdp: sdp))
        case .localAnswer(let sdp): sendIfReady(.answer(sdp: sdp))
        case .localCandidate(let candidate): sendIfReady(.candidate(candidate))
        case .peerConnected: peerConnected()
        case .peerDisconnected: peerInterrupted()
        case .peerFailed: replacePeer()
        case .channelOpened:
            channelOpen = true
            reportIfThrough()
        case .goodbye: hasPeerLeft = true
        case .verificationSettled:
            settled = true
            reportIfThrough()
        case .refuse(let failure): giveUp(failure)
        case .timer(let timer): fired(timer)
        }
        return commands
    }

    private mutating func start() {
        guard !wanted else { return }
        wanted = true
        report(.connecting)
        openSocket()
    }

    private mutating func stop() {
        guard wanted else { return }
        // The peer connection is closed first. If the leave reached the server first, the other side would renegotiate
        // during the teardown.
        dropPeer()
        if socket == .ready || socket == .alone { emit(.send(.leaveRoom)) }
        for timer in Timer.allCases { emit(.cancel(timer)) }
        if socket != .down { emit(.closeSocket) }
        socket = .down
        wanted = false
        report(.closed)
    }

    /// Stops finally and reports why.
    mutating func giveUp(_ failure: LinkFailure) {
        stop()
        emit(.giveUp(failure))
    }

    /// Whether content may flow. Until then the two sides need the server.
    var isThrough: Bool { peer != .none && peer != .negotiating && channelOpen && settled }

    mutating func fired(_ timer: Timer) {
        switch timer {
        case .retry where socket == .down: openSocket()
        case .retry: greet()
        case .answer:
            if socket == .opening || socket == .joining {
                emit(.closeSocket)
                socketClosed()
            }
        case .negotiation:
            if lastReport != .connected { replacePeer() }
        case .restart:
            if peer == .interrupted, identity.role == .initiator, socket == .ready {
                emit(.makeOffer(iceRestart: true))
            }
        case .abandon:
            if peer == .interrupted { replacePeer() }
        case .lonely:
            if lastReport == .waitingForPeer { giveUp(.roomGone) }
        case .credentials:
            // A socket that is down gets fresh ones when it joins again.
            if socket == .ready || socket == .alone { emit(.send(.iceServers)) }
        }
    }

    mutating func emit(_ command: Command) { commands.append(command) }

    mutating func report(_ state: LinkState) {
        // The other side left on purpose, so this is no failure, and the link waits for it.
        let isWait = hasPeerLeft && (state == .reconnecting || state == .connecting)
        let state = isWait ? .waitingForPeer : state
        guard state != lastReport else { return }
        lastReport = state
        if state == .connected { wasConnected = true }
        if identity.isMeeting { emit(state == .waitingForPeer ? .set(.lonely, Limit.lonely) : .cancel(.lonely)) }
        emit(.report(state))
    }

    private mutating func sendIfReady(_ request: SignalingRequest) {
        if socket == .ready { emit(.send(request)) }
    }
}
