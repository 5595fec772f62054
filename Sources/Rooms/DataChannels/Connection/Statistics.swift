/// A snapshot of a connection's counters.
public struct Statistics: Sendable, Hashable, Codable {
    /// How packets travel.
    public enum Path: String, Sendable, Hashable, Codable {
        /// Between addresses of the two machines themselves.
        case direct
        /// Through an address translation (a server or peer reflexive address on at least one side).
        case reflexive
        /// Through a TURN server.
        case relayed
    }

    /// `nil` until a pair of candidates was selected.
    public var path: Path?
    /// The kind of this side's address in the pair that is used.
    public var localCandidate: ICECandidate.Kind?
    /// The kind of the peer's address in the pair that is used.
    public var remoteCandidate: ICECandidate.Kind?
    /// Smoothed round trip time in seconds as SCTP measures it (RFC 9260 section 6.3.1).
    public var roundTripTime: Double?
    /// Bytes that SCTP may have under way (RFC 9260 section 7.2); `nil` before there is an association.
    public var congestionWindow: Int?
    /// Payload bytes of messages that SCTP took for sending, on all channels.
    public var bytesSent: UInt64 = 0
    /// Payload bytes that came in on all channels.
    public var bytesReceived: UInt64 = 0
    /// Messages that went out on all channels.
    public var messagesSent: UInt64 = 0
    /// Messages that came in on all channels.
    public var messagesReceived: UInt64 = 0
    /// Datagrams (DTLS records) on the wire.
    public var packetsSent: UInt64 = 0
    /// Datagrams that came in.
    public var packetsReceived: UInt64 = 0

    package init() {}
}
