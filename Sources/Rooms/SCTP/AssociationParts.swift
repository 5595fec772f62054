/// What the association knows of the data that it sends.
struct Sending {
    var chunks: SentChunks
    var detection = LossDetection()
    /// What the peer can take beyond what is outstanding, and what it said last.
    var peerWindow = 0
    var advertisedWindow = 0
    /// Bytes acknowledged and lost so far, and when the last acknowledgement came.
    var delivered = 0
    var deliveredTime: Nanoseconds = 0
    var lost = 0
    /// When the chunk was sent that the newest acknowledgement is about: the start of the next sample.
    var firstTime: Nanoseconds = 0
    var nextOrder: UInt64 = 1
    /// The sender had too little to send until this many bytes are delivered.
    var limitedUntil = 0
    /// Chunks in gap-ack blocks of the last acknowledgement.
    var acknowledgedInGaps = 0
    /// The TSN to which the last acknowledgement spoke of gaps; `nil` if there cannot be more.
    var reportedTo: UInt32?
    /// Losses are part of one recovery until this TSN is acknowledged.
    var recoveryEnd: UInt32?
    /// Chunks that counted as lost in this recovery, less those that turned out to have been late.
    var doubtfulLosses = 0
    /// Chunks before this TSN may be larger than packets are now: they were cut when the path carried more.
    var largeUntil: UInt32?
    /// Time-outs and unanswered heartbeats in a row.
    var errors = 0
    /// The TSN of a tail-loss probe that is under way, and whether a packet may leave beyond the window for one.
    var probe: UInt32?
    var mayProbe = false
    /// Whether FORWARD TSN is due, and what the last one said, and when.
    var owesForward = false
    var lastForward: UInt32 = 0
    var forwardTime: Nanoseconds = 0

    init(firstTSN: UInt32) { chunks = SentChunks(first: firstTSN) }
}

/// What the association knows of the data that it receives.
struct Receiving {
    var tsns: ReceivedTSNs
    var streams: IncomingStreams
    var reassembly: Reassembly
    var interleaved: InterleavedReassembly
    /// Packets with data that were not acknowledged, and when they must be at the latest.
    var unacknowledged = 0
    var deadline = Nanoseconds.max
    var mustAcknowledge = false
    /// Whether the packet being read has data.
    var sawData = false
    var duplicates: [UInt32] = []
    /// The window that the last acknowledgement announced.
    var announced: Int

    init(firstTSN: UInt32, _ configuration: Configuration, isInterleaved: Bool) {
        tsns = ReceivedTSNs(first: firstTSN)
        streams = IncomingStreams(isInterleaved: isInterleaved)
        reassembly = Reassembly(limit: configuration.maxMessageSize)
        interleaved = InterleavedReassembly(limit: configuration.maxMessageSize)
        announced = configuration.receiveWindow
    }

    /// After a restart: what can be taken already stays.
    init(firstTSN: UInt32, _ configuration: Configuration, isInterleaved: Bool, keeping streams: IncomingStreams) {
        self.init(firstTSN: firstTSN, configuration, isInterleaved: isInterleaved)
        self.streams = streams
    }

    /// Bytes that are held, with what holding them costs.
    var size: Int { streams.unreadSize + streams.waitingSize + reassembly.size + interleaved.size }
}

/// What waits to be sent, apart from data.
struct Output {
    /// A packet of its own, because its tag or its rules differ.
    struct Packet {
        var tag: UInt32
        var chunks: [UInt8]
    }

    /// The most that waits: more is only asked for by floods.
    static let most = 32

    var packets = RingQueue<Packet>()
    /// Chunks that go into the next packet, in order.
    var control: [[UInt8]] = []

    mutating func add(packet: Packet) {
        if packets.count < Self.most { packets.append(packet) }
    }

    mutating func add(control chunk: [UInt8]) {
        if control.count < Self.most { control.append(chunk) }
    }
}

/// When something is due; `.max` is never.
struct Timers {
    /// T1 (INIT, COOKIE ECHO), T2 (SHUTDOWN, SHUTDOWN ACK).
    var handshake = Nanoseconds.max
    /// T3.
    var retransmission = Nanoseconds.max
    /// The tail-loss probe, and the end of the window for reordering (RFC 8985).
    var probe = Nanoseconds.max
    var reordering = Nanoseconds.max
    var heartbeat = Nanoseconds.max

    var next: Nanoseconds { min(handshake, retransmission, probe, reordering, heartbeat) }
}

/// The state of the handshake, or of the shutdown.
struct Handshake {
    var attempts = 0
    var timeout: Nanoseconds = 0
    var startedAt: Nanoseconds = 0
    /// The peer's cookie, to send again.
    var cookie: [UInt8] = []
    var hasStaleCookie = false
}
