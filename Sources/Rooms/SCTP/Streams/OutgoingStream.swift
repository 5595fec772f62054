/// A message that waits in a stream.
struct QueuedMessage {
    var bytes: [UInt8]
    var identifier: UInt32
    var isOrdered: Bool
    var maxTransmissions: UInt32
    var expiry: Nanoseconds
}

/// One outgoing stream.
struct OutgoingStream {
    let id: UInt16
    var messages = RingQueue<QueuedMessage>()
    /// The message that was begun, and what of it is in packets.
    var current: QueuedMessage?
    var offset = 0
    var fragment: UInt32 = 0
    var number: UInt32 = 0
    var firstTSN: UInt32 = 0
    /// The numbers of the next messages: SSN, or MID for both kinds.
    var nextOrdered: UInt32 = 0
    var nextUnordered: UInt32 = 0
    var unsent = 0
    var weight = OutgoingStreams.normalWeight
    /// What the stream has sent in relation to its weight, see ``OutgoingStreams``.
    var progress = 0
    /// Counts up each time that a stream begins to wait for its turn.
    var arrival = 0
    /// The place in the heap of turns; -1 for none.
    var position = -1
    var reset = ResetPhase.none

    enum ResetPhase {
        case none
        /// Asked for; carried out after these messages. What was sent afterwards waits in ``OutgoingStreams``.
        case wanted
        /// The peer has been asked; nothing is sent before it has answered.
        case requested
    }

    init(id: UInt16) { self.id = id }

    var hasMessages: Bool { current != nil || !messages.isEmpty }
}
