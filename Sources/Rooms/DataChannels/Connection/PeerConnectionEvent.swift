/// What a connection reports, in order, through ``PeerConnection/events``.
public enum PeerConnectionEvent: Sendable {
    /// A local candidate to send to the peer (trickle ICE, RFC 8838).
    case localCandidate(ICECandidate)
    /// `.complete` is the sign to send "end of candidates".
    case gatheringStateChanged(ICEGatheringState)
    /// The state of ICE changed. Most apps need only ``connectionStateChanged(_:_:)``.
    case iceConnectionStateChanged(ICEConnectionState)
    /// The state of the whole stack. The error says why, for `.failed` and for a `.closed` that the peer caused.
    case connectionStateChanged(PeerConnectionState, PeerConnectionError?)
    /// The state of the exchange of offers and answers changed.
    case signalingStateChanged(SignalingState)
    /// The peer opened a channel. Messages wait until its handlers are set.
    case dataChannel(DataChannel)
}

/// The state of the whole stack: ICE, DTLS and SCTP together.
public enum PeerConnectionState: String, Sendable, Hashable, Codable {
    /// Nothing has been done yet.
    case new
    /// A path, the handshake or the association is being set up.
    case connecting
    /// Data can flow.
    case connected
    /// The path has stopped answering. It may come back, or an ICE restart may repair it.
    case disconnected
    /// Given up. An ICE restart may still repair it if the handshake had been completed.
    case failed
    /// Closed here or by the peer. Final.
    case closed
}

/// The state of ICE alone.
public enum ICEConnectionState: String, Sendable, Hashable, Codable {
    /// As RFC 8445 and W3C WebRTC define them. `disconnected` may recover by itself; `failed` needs an ICE restart.
    case new, checking, connected, completed, disconnected, failed, closed
}

/// The state of gathering local candidates.
public enum ICEGatheringState: String, Sendable, Hashable, Codable {
    /// `new` before a local description is set, `complete` when all candidates are known.
    case new, gathering, complete
}

/// The state of the exchange of descriptions (RFC 9429 section 3.2).
public enum SignalingState: String, Sendable, Hashable, Codable {
    /// There is no unanswered offer.
    case stable
    /// This side has offered and waits for the answer.
    case haveLocalOffer = "have-local-offer"
    /// The peer has offered and waits for the answer.
    case haveRemoteOffer = "have-remote-offer"
    /// The connection is closed.
    case closed
}
