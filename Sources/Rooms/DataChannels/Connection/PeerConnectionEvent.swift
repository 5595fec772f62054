/// What a connection reports, in order, through ``PeerConnection/events``.
public enum PeerConnectionEvent: Sendable {
    /// A local candidate to send to the peer (trickle ICE, RFC 8838).
    case localCandidate(ICECandidate)
    /// `.complete` is the sign to send "end of candidates".
    case gatheringStateChanged(ICEGatheringState)
    case iceConnectionStateChanged(ICEConnectionState)
    /// The state of the whole stack. The error says why, for `.failed` and for a `.closed` that the peer caused.
    case connectionStateChanged(PeerConnectionState, PeerConnectionError?)
    case signalingStateChanged(SignalingState)
    /// The peer opened a channel. Messages wait until its handlers are set.
    case dataChannel(DataChannel)
}

/// The state of the whole stack: ICE, DTLS and SCTP together.
public enum PeerConnectionState: String, Sendable, Hashable, Codable {
    case new
    /// A path, the handshake or the association is being set up.
    case connecting
    /// Data can flow.
    case connected
    /// The path has stopped answering; it may come back, or an ICE restart may mend it.
    case disconnected
    /// Given up. An ICE restart may still mend it if the handshake had been completed.
    case failed
    /// Closed here or by the peer. Final.
    case closed
}

/// The state of ICE alone.
public enum ICEConnectionState: String, Sendable, Hashable, Codable {
    case new, checking, connected, completed, disconnected, failed, closed
}

/// Where the gathering of local candidates stands.
public enum ICEGatheringState: String, Sendable, Hashable, Codable {
    case new, gathering, complete
}

/// Where the exchange of descriptions stands (RFC 9429 section 3.2).
public enum SignalingState: String, Sendable, Hashable, Codable {
    case stable
    case haveLocalOffer = "have-local-offer"
    case haveRemoteOffer = "have-remote-offer"
    case closed
}
