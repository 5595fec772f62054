/// Decides how much may be under way, and how fast it leaves. Bytes are those of chunks.
protocol CongestionControl {
    /// Bytes that may be under way.
    var window: Int { get }
    /// Bytes a second; 0 is without limit.
    var pacingRate: Int { get }
    /// The estimate of the path's rate in bytes a second; 0 is unknown.
    var bandwidth: Int { get }
    /// For people.
    var phase: String { get }

    /// The first round trip is known, from the handshake.
    mutating func start(roundTrip: Nanoseconds, now: Nanoseconds)
    /// Data leaves; `inFlight` is without it.
    mutating func sent(inFlight: Int, now: Nanoseconds)
    /// An acknowledgement came, with the losses that it showed.
    mutating func acknowledged(_ sample: AcknowledgementSample)
    /// A chunk counts as lost. Called before `acknowledged` with the same acknowledgement.
    mutating func lost(_ loss: Loss)
    /// The retransmission timer fired: everything under way counts as lost.
    mutating func timedOut(now: Nanoseconds)
    /// What counted as lost had only been late.
    mutating func undo(now: Nanoseconds)
    /// The size of packets changed.
    mutating func setPacketSize(_ size: Int)
}

/// What an acknowledgement showed.
struct AcknowledgementSample {
    var now: Nanoseconds = 0
    /// Bytes that it acknowledged for the first time, and that count as lost since the one before.
    var acknowledged = 0
    var lost = 0
    /// Bytes that were ever acknowledged, and were when the newest acknowledged chunk was sent.
    var delivered = 0
    var deliveredBefore = 0
    /// The rate of delivery since then, bytes a second; 0 is unknown.
    var rate = 0
    /// Whether the sender had not enough to send, so that the rate may be too low.
    var isApplicationLimited = false
    /// The round trip of the newest chunk; 0 is unknown.
    var roundTrip: Nanoseconds = 0
    var smoothedRoundTrip: Nanoseconds = 0
    /// Bytes under way afterwards and before.
    var inFlight = 0
    var inFlightBefore = 0
    /// Bytes under way when the newest acknowledged chunk was sent, and lost since then.
    var inFlightWhenSent = 0
    var lostSinceSent = 0
    /// Whether the window, not the application, held the sender back.
    var isWindowLimited = false
}

/// A chunk that counts as lost.
struct Loss {
    var now: Nanoseconds
    var size: Int
    /// When it was sent.
    var sentAt: Nanoseconds
    /// Bytes that were under way when it was sent, with it, and that were lost since then, with it.
    var inFlightWhenSent: Int
    var lostSinceSent: Int
    /// Bytes delivered when it was sent.
    var deliveredWhenSent: Int
    var isApplicationLimited: Bool
}

extension BinaryInteger {
    /// A product of estimates as a number that further arithmetic cannot make overflow: at most 10^15.
    init(bounded value: Double) { self = value > 0 ? Self(Swift.min(value, 1e15)) : 0 }
}
