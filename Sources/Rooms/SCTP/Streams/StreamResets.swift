/// The state of RFC 6525 in both directions.
struct StreamResets {
    /// A request of ours that has not been answered.
    struct Request {
        var number: UInt32
        var streams: [UInt16]
        var lastTSN: UInt32
        var chunk: [UInt8]
        var deadline: Nanoseconds
        /// The peer waits for data. Some stacks then answer the same number with the same for ever, so it is asked again under
        /// another one.
        var isInProgress = false
    }

    /// A request of the peer that waits for data sent before it.
    struct Deferred {
        var number: UInt32
        var lastTSN: UInt32
        var streams: [UInt16]
    }

    enum Outcome: UInt32 {
        case nothingToDo = 0
        case performed = 1
        case denied = 2
        case wrongStream = 3
        case alreadyInProgress = 4
        case badNumber = 5
        case inProgress = 6
    }

    /// The most streams in one request, so that it fits in a packet.
    static let mostStreams = 256

    /// Streams that wait for the next request, in order.
    var wanted: [UInt16] = []
    var request: Request?
    var nextNumber: UInt32
    /// The number of the peer's next request, and what the last one was answered with.
    var expected: UInt32
    var lastOutcome = Outcome.nothingToDo
    var deferred: Deferred?
    /// The last one, if it had to wait and was carried out. The same under another number is no new reset.
    var carriedOutLate: Deferred?

    init(nextNumber: UInt32, expected: UInt32) {
        self.nextNumber = nextNumber
        self.expected = expected
    }

    static func response(_ number: UInt32, _ outcome: Outcome) -> [UInt8] {
        var body: [UInt8] = []
        body.put(number)
        body.put(outcome.rawValue)
        var parameters: [UInt8] = []
        parameters.put(parameter: ParameterType.reconfigurationResponse, body)
        return .chunk(ChunkType.reconfiguration, parameters)
    }

    /// The request for our outgoing streams (RFC 6525 section 4.1).
    func outgoingRequest(_ streams: [UInt16], lastTSN: UInt32) -> [UInt8] {
        var body: [UInt8] = []
        body.put(nextNumber)
        body.put(expected &- 1)
        body.put(lastTSN)
        for stream in streams { body.put(stream) }
        var parameters: [UInt8] = []
        parameters.put(parameter: ParameterType.outgoingReset, body)
        return .chunk(ChunkType.reconfiguration, parameters)
    }
}
