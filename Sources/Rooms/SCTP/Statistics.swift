/// A snapshot of an association's counters and estimates.
public struct Statistics: Sendable, Hashable {
    /// Smoothed round trip (RFC 9260 section 6.3.1); `nil` before the first measurement.
    public var roundTrip: Nanoseconds?
    /// The smallest round trip of the last seconds.
    public var minimumRoundTrip: Nanoseconds?
    /// The retransmission time-out.
    public var timeout: Nanoseconds = 0
    /// Bytes that may be under way.
    public var congestionWindow = 0
    /// Bytes under way.
    public var inFlight = 0
    /// The rate at which packets leave, bytes a second; 0 if they are not paced.
    public var pacingRate = 0
    /// The estimate of what the path carries, bytes a second; 0 if unknown.
    public var bandwidth = 0
    /// Bytes of the largest SCTP packet.
    public var packetSize = 0
    /// What the peer can take, in bytes.
    public var peerWindow = 0
    /// Bytes of the peer's data that are held: pieces, messages that wait for their turn, and what has not been taken, with
    /// what holding them costs.
    public var heldBytes = 0
    /// The phase of the congestion control, for people.
    public var phase = ""
    /// Packets that were made.
    public var packetsSent: UInt64 = 0
    /// Packets that came, with those that were rejected.
    public var packetsReceived: UInt64 = 0
    /// Packets that were dropped unread: wrong tag, port, checksum or form.
    public var packetsRejected: UInt64 = 0
    /// DATA and I-DATA chunks that were sent for the first time.
    public var chunksSent: UInt64 = 0
    /// DATA and I-DATA chunks that were sent again.
    public var chunksRetransmitted: UInt64 = 0
    /// Retransmissions of which the peer said that it had the data already.
    public var spuriousRetransmissions: UInt64 = 0
    /// Times that the retransmission timer fired.
    public var timeouts: UInt64 = 0
    /// Tail-loss probes.
    public var probes: UInt64 = 0
    /// Messages whose last piece was sent.
    public var messagesSent: UInt64 = 0
    /// Whole messages that were given out.
    public var messagesReceived: UInt64 = 0
    /// Messages that were given up before they arrived (RFC 3758).
    public var messagesAbandoned: UInt64 = 0
    /// Bytes of user data that the peer has acknowledged.
    public var bytesAcknowledged: UInt64 = 0

    /// All zero.
    public init() {}
}
