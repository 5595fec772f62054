/// One SCTP association over DTLS (RFC 9260, RFC 8261): a state machine without I/O, clock or randomness.
///
/// The owner calls it on one thread, and after each call that may have changed something it sends what
/// ``transmit(into:now:)`` appends and takes what ``nextEvent()`` and ``nextDelivery()`` return:
///
///     var association = Association(configuration, seed: seed)
///     association.connect(now: now)                  // both sides of a WebRTC connection do
///     association.receive(packet.bytes, now: now)    // each packet that DTLS decrypted
///     association.advance(to: now)                   // when nextDeadline has come, and before each transmit
///     repeat {
///         batch.removeAll()
///         association.transmit(into: &batch, now: now)
///         batch.forEach { dtls.send($0) }
///     } while !batch.isEmpty
///
/// `docs/protocols/sctp.md` says which parts of which RFC it implements.
public struct Association: ~Copyable {
    /// What an owner needs to know of the phases of RFC 9260 section 4.
    public enum State: Sendable, Equatable {
        /// Not begun. Answers an INIT of the peer.
        case idle
        case connecting, established, shuttingDown
        /// Over, see ``AssociationEvent/closed(_:)``.
        case closed
    }

    enum Phase {
        case idle, cookieWait, cookieEchoed, established
        case shutdownPending, shutdownSent, shutdownReceived, shutdownAcknowledgementSent
        case closed
    }

    let configuration: Configuration
    var random: RandomNumbers
    let cookieKey: [UInt8]
    var now: Nanoseconds = 0
    var phase = Phase.idle
    /// What we say of ourselves in INIT and INIT ACK.
    var own: PeerParameters
    /// What the peer said; the tag is the one that packets to it carry.
    var peer: PeerParameters?
    /// What both sides can do.
    var abilities: Abilities = []
    var handshake = Handshake()

    var outgoing = OutgoingStreams()
    var sending: Sending
    var receiving: Receiving
    var congestion: any CongestionControl
    var roundTrip: RoundTrip
    var pacer: Pacer
    var resets: StreamResets
    var path: PathSearch
    var output = Output()
    var timers = Timers()
    var events = RingQueue<AssociationEvent>()
    var counters = Statistics()
    /// Whether the owner waits for ``AssociationEvent/writable``.
    var owesWritable = false

    /// Makes an association that is not connected.
    ///
    /// - Parameters:
    ///   - configuration: see ``Configuration``.
    ///   - seed: at least 32 random bytes that nobody else knows. Tags, first TSN and the key of cookies come from it.
    public init(_ configuration: Configuration = Configuration(), seed: [UInt8]) {
        var configuration = configuration
        configuration.maxMessageSize = max(1, configuration.maxMessageSize)
        configuration.receiveWindow = max(configuration.receiveWindow, configuration.maxMessageSize + 256 << 10)
        configuration.basePacketSize = min(max(512, configuration.basePacketSize), 65_000) & ~3
        let largest = max(configuration.basePacketSize, configuration.maximumPacketSize)
        configuration.maximumPacketSize = min(largest, 65_000)
        configuration.streams = max(1, configuration.streams)
        self.configuration = configuration
        random = RandomNumbers(seed: seed)
        cookieKey = SHA256.authenticate(Array("sctp cookies".utf8), key: seed)
        var abilities: Abilities = [.partialReliability, .reconfiguration]
        if configuration.interleaving { abilities.insert(.interleaving) }
        if configuration.zeroChecksum { abilities.insert(.zeroChecksum) }
        own = PeerParameters(
            tag: random.nextTag(), window: UInt32(clamping: configuration.receiveWindow),
            outgoingStreams: configuration.streams, incomingStreams: configuration.streams,
            initialTSN: random.next(), abilities: abilities)
        sending = Sending(firstTSN: own.initialTSN)
        receiving = Receiving(firstTSN: 0, configuration, isInterleaved: false)
        congestion = Self.makeCongestionControl(configuration, seed: random.next())
        roundTrip = RoundTrip(configuration)
        pacer = Pacer(quantum: configuration.pacingQuantum)
        resets = StreamResets(nextNumber: own.initialTSN, expected: 0)
        path = PathSearch(configuration)
    }

    static func makeCongestionControl(_ configuration: Configuration, seed: UInt32) -> any CongestionControl {
        let size = configuration.basePacketSize - PacketHeader.count
        let window = max(2, configuration.initialWindow)
        return switch configuration.congestionControl {
        case .bbr: BBR(packetSize: size, initialWindow: window, seed: seed)
        case .cubic: Cubic(packetSize: size, initialWindow: window)
        }
    }

    /// The phase as an owner needs it.
    public var state: State {
        switch phase {
        case .idle: .idle
        case .cookieWait, .cookieEchoed: .connecting
        case .established: .established
        case .shutdownPending, .shutdownSent, .shutdownReceived, .shutdownAcknowledgementSent: .shuttingDown
        case .closed: .closed
        }
    }

    /// Whether messages may be interleaved: both sides can.
    public var isInterleaved: Bool { abilities.contains(.interleaving) }

    /// Streams that may be used: what we asked for and the peer accepts. Before the association is established, what we
    /// ask for.
    public var outgoingStreams: UInt16 {
        min(configuration.streams, peer?.incomingStreams ?? configuration.streams)
    }

    /// Takes the next event.
    public mutating func nextEvent() -> AssociationEvent? { events.removeFirst() }

    /// Takes the next message, or reset of the peer's streams. What is not taken counts against the receive window.
    public mutating func nextDelivery() -> Delivery? {
        guard let delivery = receiving.streams.next() else { return nil }
        if phase != .closed {
            noteRoom()
            performDeferredReset()
        }
        return delivery
    }

    // MARK: - Ends

    /// Ends the association at once. The next ``transmit(into:now:)`` has an ABORT for the peer.
    public mutating func abort(_ reason: String = "") {
        guard phase != .closed else { return }
        sendAbort(cause: .cause(ErrorCause.userAbort, Array(reason.utf8.prefix(256))))
        close(.abortedHere)
    }

    /// Ends the association because the peer broke the protocol.
    mutating func fail(_ what: String) {
        sendAbort(cause: .cause(ErrorCause.protocolViolation, Array(what.utf8)))
        close(.violation(what))
    }

    mutating func close(_ reason: CloseReason) {
        guard phase != .closed else { return }
        phase = .closed
        timers = Timers()
        outgoing = OutgoingStreams()
        sending = Sending(firstTSN: sending.chunks.end)
        resets = StreamResets(nextNumber: 0, expected: 0)
        output.control = []
        events.append(.closed(reason))
    }
}
