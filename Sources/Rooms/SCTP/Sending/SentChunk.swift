/// A piece of a message that has a TSN and is not yet acknowledged cumulatively.
struct SentChunk {
    enum State: UInt8 {
        /// Under way.
        case inFlight
        /// Counts as lost and waits to be sent again.
        case lost
        /// In a gap-ack block.
        case acknowledged
        /// Given up (RFC 3758).
        case abandoned
    }

    /// The whole message, shared by its pieces, and the part of it.
    var message: [UInt8] = []
    var offset: UInt32 = 0
    var count: UInt32 = 0
    var identifier: UInt32 = 0
    var stream: UInt16 = 0
    var flags: UInt8 = 0
    var state = State.abandoned
    /// The number of the message: SSN (DATA) or MID (I-DATA).
    var number: UInt32 = 0
    /// The number of the piece (I-DATA).
    var fragment: UInt32 = 0
    /// The TSN of the first piece of the message.
    var firstTSN: UInt32 = 0
    var transmissions: UInt32 = 0
    var maxTransmissions = UInt32.max
    var expiry = Nanoseconds.max
    /// Neighbours in the list of chunks that the state is of, see ``SentChunks``.
    var previous: UInt32 = 0
    var next: UInt32 = 0
    /// The latest transmission.
    var sent = Transmission()

    var isOrdered: Bool { flags & ChunkFlag.unordered == 0 }
    var isReliable: Bool { maxTransmissions == .max && expiry == .max }

    /// Bytes that count against windows.
    var size: Int { Int(count) + 16 }
}

/// What was true when a chunk was sent, for the estimate of the path's rate (draft-cheng-iccrg-delivery-rate-estimation).
struct Transmission {
    var time: Nanoseconds = 0
    /// Transmissions are numbered, because many have the same time.
    var order: UInt64 = 0
    var delivered = 0
    var deliveredTime: Nanoseconds = 0
    var firstTime: Nanoseconds = 0
    var lost = 0
    var inFlight = 0
    var isApplicationLimited = false
}
