/// A point in time, or a span of it, in nanoseconds of a clock that never runs backwards. The association has no clock of
/// its own: every call that may depend on time gets it.
public typealias Nanoseconds = Int64

extension Nanoseconds {
    @inlinable package static func microseconds(_ count: Int64) -> Nanoseconds { count * 1000 }
    @inlinable package static func milliseconds(_ count: Int64) -> Nanoseconds { count * 1_000_000 }
    @inlinable package static func seconds(_ count: Int64) -> Nanoseconds { count * 1_000_000_000 }
}

/// What an association is made with. Both sides may differ in everything but the ports.
public struct Configuration: Sendable, Hashable {
    /// How the association decides how much to send.
    public enum CongestionControl: Sendable, Hashable {
        /// A model of the path's rate and round trip with a ceiling on loss, in the manner of BBR version 2.
        case bbr
        /// RFC 9438, paced.
        case cubic
    }

    /// Our SCTP port (`a=sctp-port`).
    public var localPort: UInt16 = 5000
    /// The peer's SCTP port.
    public var remotePort: UInt16 = 5000
    /// Streams that we ask for in each direction: the highest stream id plus one, at most 65 535.
    public var streams: UInt16 = 65_535
    /// The largest message in bytes that we accept. A longer one ends the association.
    public var maxMessageSize = 262_144
    /// Bytes that the peer may have under way to us or that may wait unread, with the cost of holding them. It is raised
    /// to `maxMessageSize` and 256 KiB where it is less, because a message must fit.
    public var receiveWindow = 4 << 20
    /// Bytes of messages that ``Association/send(_:now:)`` takes before they are in packets. Beyond that it throws.
    public var sendLimit = 64 << 20
    /// ``Association/isWritable`` while fewer unsent bytes than this wait.
    public var sendThreshold = 128 << 10
    /// Bytes of an SCTP packet, with its header of 12, that every path carries. 1184 with the DTLS record (37 to 48), UDP
    /// (8) and IPv6 (40) is 1280.
    public var basePacketSize = 1184
    /// Bytes of the largest packet that path MTU discovery (RFC 8899) tries. The base size turns discovery off. Only
    /// sensible above 1500 where the socket forbids fragments (`IP_PMTUDISC_PROBE`).
    public var maximumPacketSize = 1184
    /// The algorithm that decides how much to send.
    public var congestionControl = CongestionControl.bbr
    /// Packets that may go out before the first acknowledgement (RFC 6928 has 10; they are paced over a round trip).
    public var initialWindow = 32
    /// Whether messages of streams may alternate within a message (RFC 8260), if the peer can too.
    public var interleaving = true
    /// Whether checksums may be left out because DTLS checks (RFC 9653), if the peer accepts that.
    public var zeroChecksum = true
    /// How long an acknowledgement of a single packet waits for another one (RFC 9260 section 6.2).
    public var acknowledgementDelay = Nanoseconds.milliseconds(20)
    /// The coarseness of the caller's timer: as much data as the rate allows in this time leaves at once.
    public var pacingQuantum = Nanoseconds.milliseconds(1)
    /// The retransmission time-out before the round trip is known, in nanoseconds
    /// (`RTO.Initial` of RFC 9260 section 16).
    public var initialTimeout = Nanoseconds.seconds(1)
    /// The least that is added to the round trip for the retransmission time-out, in nanoseconds.
    public var minimumTimeout = Nanoseconds.milliseconds(200)
    /// The longest retransmission time-out (`RTO.Max` of RFC 9260 section 16), in nanoseconds.
    public var maximumTimeout = Nanoseconds.seconds(10)
    /// Tries of INIT and COOKIE ECHO before the association gives up.
    public var maxHandshakeAttempts = 60
    /// Time-outs in a row after which the peer counts as gone.
    public var maxRetransmissions = 100
    /// How long nothing is sent before a HEARTBEAT asks whether the peer is there. 0 is never.
    public var heartbeatInterval = Nanoseconds.milliseconds(2500)
    /// How long a state cookie may travel (RFC 9260 section 16).
    public var cookieLifetime = Nanoseconds.seconds(60)

    /// Sensible for WebRTC data channels.
    public init() {}
}
