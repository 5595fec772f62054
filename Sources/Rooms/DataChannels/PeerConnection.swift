/// A WebRTC connection that carries only data channels (RFC 8831).
///
/// Exchange descriptions and candidates with the peer over any signaling channel, then open channels:
///
/// ```swift
/// let connection = try PeerConnection(configuration: PeerConnectionConfiguration())
/// let channel = try connection.createDataChannel(label: "chat")
/// channel.setHandlers(onMessage: { print($0) })
/// let offer = try await connection.createOffer()
/// try await connection.setLocalDescription(offer)
/// // send offer.sdp and every .localCandidate of `events` to the peer, take its answer and candidates
/// ```
///
/// Keep a reference: a connection that is released closes.
public final class PeerConnection: Sendable {
    let peer: Peer

    /// What happens to the connection, in order. For one consumer.
    public let events: AsyncStream<PeerConnectionEvent>

    /// The hash of our certificate.
    public let localFingerprint: Fingerprint

    /// Makes a connection. Nothing is sent before the first description is set.
    ///
    /// - Throws: ``PeerConnectionError`` with `invalidConfiguration`.
    public convenience init(configuration: PeerConnectionConfiguration) throws {
        try self.init(configuration: configuration, limits: ConnectionLimits())
    }

    init(configuration: PeerConnectionConfiguration, limits: ConnectionLimits) throws {
        peer = try Peer(configuration: configuration, limits: limits)
        events = peer.shared.stream
        localFingerprint = configuration.certificate.fingerprint
    }

    deinit {
        // Runs later: the last reference may be released inside one of the connection's own callbacks.
        peer.loop.submit { [peer] in peer.assumeIsolated { $0.close() } }
    }

    /// The hash of the peer's certificate from its description. Once the connection is `.connected`, the handshake has
    /// verified it. It never changes within one connection.
    public var remoteFingerprint: Fingerprint? { peer.shared.remoteFingerprint }

    /// The current state of the whole stack; ``events`` reports changes.
    public var connectionState: PeerConnectionState { peer.shared.connectionState }

    /// Our last description, with the candidates found so far: for signaling without trickle.
    public var localDescription: SessionDescription? {
        get async { await peer.localDescription }
    }

    /// The peer's last description.
    public var remoteDescription: SessionDescription? {
        get async { await peer.negotiation.remote }
    }

    /// Makes a channel. It opens when the connection does; messages may be sent before.
    ///
    /// - Throws: ``PeerConnectionError`` with `invalidConfiguration`, also when another channel has the negotiated id,
    ///   or `closed`.
    public func createDataChannel(
        label: String,
        configuration: DataChannelConfiguration = DataChannelConfiguration()
    ) throws -> DataChannel {
        try configuration.check(label: label)
        guard connectionState != .closed else {
            throw PeerConnectionError(.closed, "the connection is closed: make another one")
        }
        if let id = configuration.negotiatedID, !peer.shared.claim(stream: id) {
            throw PeerConnectionError(.invalidConfiguration, "another channel has the id \(id): choose a free one")
        }
        let channel = DataChannel(label: label, configuration: configuration, peer: peer)
        peer.onLoop { $0.add(channel) }
        return channel
    }

    /// Makes an offer. With `iceRestart` it looks for a new path while the old one stays in use.
    public func createOffer(iceRestart: Bool = false) async throws -> SessionDescription {
        try await peer.makeOffer(restart: iceRestart)
    }

    /// Makes the answer to the offer that was set as remote description.
    public func createAnswer() async throws -> SessionDescription {
        try await peer.makeAnswer()
    }

    /// Replaces the STUN and TURN servers, for example by fresh credentials. They count from the next ICE restart on; a
    /// path that is in use stays.
    ///
    /// - Throws: ``PeerConnectionError`` with `invalidConfiguration`, and then the old servers stay; or `closed`.
    public func setICEServers(_ iceServers: [ICEServer]) async throws { try await peer.use(iceServers) }

    /// Applies our offer or answer, and begins to gather candidates.
    public func setLocalDescription(_ description: SessionDescription) async throws {
        try await peer.setLocal(description)
    }

    /// Applies the peer's offer or answer.
    public func setRemoteDescription(_ description: SessionDescription) async throws {
        try await peer.setRemote(description)
    }

    /// Withdraws an unanswered offer, ours or the peer's. Use it when both sides offer at once.
    public func rollback() async throws { try await peer.rollback() }

    /// Adds a candidate of the peer. Candidates that arrive before the description wait for it.
    public func addICECandidate(_ candidate: ICECandidate) async throws { try await peer.add(candidate) }

    /// Adds a candidate in the form that browsers send; an empty line means that no further ones will follow.
    public func addICECandidate(line: String, sdpMid: String? = nil, sdpMLineIndex: Int? = nil) async throws {
        if line.isEmpty { return try await peer.addEndOfCandidates() }
        try await peer.add(try ICECandidate(line: line, sdpMid: sdpMid, sdpMLineIndex: sdpMLineIndex))
    }

    /// Call this when the peer has no further candidates, so that a failure is noticed early.
    public func endOfICECandidates() async throws { try await peer.addEndOfCandidates() }

    /// The counters right now.
    public func statistics() async -> Statistics { await peer.snapshot() }

    /// Closes the connection and all channels at once. The peer notices it. Safe to call again.
    public func close() async { await peer.close() }
}
