/// The mutable state of one connection, isolated to the thread of its loop.
///
/// It stacks the transports, each of which knows nothing of the others: ICE below, DTLS on it, SCTP on top. A packet
/// from the network passes up the stack within one call. Packets to send are collected and leave in one batch at the
/// end of the round of events.
actor Peer {
    nonisolated let loop: EventLoop
    let configuration: PeerConnectionConfiguration
    var settings: GatheringSettings
    /// The part that other threads may read.
    nonisolated let shared = PeerShared()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    var negotiation = Negotiation()
    /// Candidates of the peer that came before the description they belong to.
    var early = EarlyArrivals()
    var remoteCandidates = RemoteCandidates()

    /// The ICE generation that carries packets, and the one that is to follow it after a restart.
    var ice: ICETransport?
    var nextICE: ICETransport?
    var dtls: DTLSTransport?
    var sctp: (any SCTPTransport)?
    var iceState = ICEConnectionState.new
    var gatheringState = ICEGatheringState.new
    var connectionState = PeerConnectionState.new
    var statistics = Statistics()

    /// Limits the time to connect, and notices silence.
    let watch: ConnectionWatch
    var restartTurns = RestartTurns()

    var channels = ChannelTable()
    /// Bytes of channels that the peer opened and the application does not use yet.
    var unaccepted = 0
    var queue = SendQueue()
    var hasEndOfRound = false

    struct EarlyArrivals {
        var candidates: [ICECandidate] = []
        var endOfCandidates = false
        /// DTLS packets that came before the handshake could begin.
        var packets: [[UInt8]] = []
    }

    init(
        configuration: PeerConnectionConfiguration, limits: ConnectionLimits = ConnectionLimits()
    ) throws(PeerConnectionError) {
        settings = try GatheringSettings(configuration)
        self.configuration = configuration
        loop = EventLoop.next()
        watch = ConnectionWatch(loop: loop, limits: limits)
    }

    /// Runs on the loop: at once if the caller is on it already, otherwise soon, in order.
    nonisolated func onLoop(_ work: @escaping @Sendable (isolated Peer) -> Void) {
        if loop.isCurrent {
            assumeIsolated { work($0) }
        } else {
            loop.submit { self.assumeIsolated { work($0) } }
        }
    }

    /// Refuses messages that the peer would not accept.
    nonisolated func checkSize(_ count: Int) throws(PeerConnectionError) {
        let most = shared.maxMessageSize
        guard count <= most else {
            throw PeerConnectionError(.messageTooLarge, "the message has \(count) bytes; the peer accepts \(most)")
        }
    }

    func checkOpen() throws(PeerConnectionError) {
        guard connectionState != .closed else {
            throw PeerConnectionError(.closed, "the connection is closed: make another one")
        }
    }

    func emit(_ event: PeerConnectionEvent) { shared.events.yield(event) }

    /// Closes everything. Final.
    func close(_ error: PeerConnectionError? = nil) {
        guard connectionState != .closed else { return }
        connectionState = .closed
        shared.set(connectionState: .closed)
        closeAllChannels()
        watch.stop()
        sctp?.close()
        dtls?.close()
        nextICE?.close()
        ice?.close()
        (sctp, dtls, ice, nextICE) = (nil, nil, nil, nil)
        early = EarlyArrivals()
        queue = SendQueue()
        negotiation.close()
        emit(.signalingStateChanged(.closed))
        emit(.connectionStateChanged(.closed, error))
        shared.events.finish()
    }

    func snapshot() -> Statistics {
        var statistics = statistics
        statistics.roundTripTime = sctp?.roundTripTime
        statistics.congestionWindow = sctp?.congestionWindow
        guard let pair = ice?.selectedPair else { return statistics }
        statistics.localCandidate = pair.local
        statistics.remoteCandidate = pair.remote
        statistics.path =
            switch (pair.local, pair.remote) {
            case (.relayed, _), (_, .relayed): .relayed
            case (.host, .host): .direct
            default: .reflexive
            }
        return statistics
    }
}
