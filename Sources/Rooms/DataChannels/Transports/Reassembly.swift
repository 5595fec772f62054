/// Joins messages that their sender cut above SCTP, an old form (RFC 8831 section 6.6). Unfinished messages are limited: one limit for each,
/// and twice that for all together.
struct Reassembly {
    enum Result: Equatable {
        case incomplete
        case complete([UInt8])
        case tooLarge
    }

    /// Identifiers of pieces after which more come.
    private static let partialIdentifiers: Set<UInt32> = [
        PayloadIdentifier.partialBinary, PayloadIdentifier.partialText,
    ]
    /// DATA_CHANNEL_OPEN with label and protocol of 65535 bytes each.
    static let largestControlMessage = 12 + 2 * 0xFFFF

    private let limit: Int
    /// By stream.
    private var partial: [UInt16: [UInt8]] = [:]
    private var held = 0

    init(limit: Int) { self.limit = limit }

    /// Adds what SCTP delivered: a message, or a piece of one. It allows one byte above the limit, because empty messages travel as one byte.
    mutating func add(_ bytes: [UInt8], stream: UInt16, identifier: UInt32) -> Result {
        let isPartial = Self.partialIdentifiers.contains(identifier)
        let most = identifier == PayloadIdentifier.control ? Self.largestControlMessage : max(limit, 1)
        if !isPartial, partial.isEmpty { return bytes.count <= most ? .complete(bytes) : .tooLarge }
        // Taken out of the table, so that appending does not copy the earlier pieces.
        var message = partial.removeValue(forKey: stream) ?? []
        held -= message.count
        guard message.count + bytes.count <= most else { return .tooLarge }
        message += bytes
        if !isPartial { return .complete(message) }
        guard held + message.count <= 2 * limit + Self.largestControlMessage else { return .tooLarge }
        held += message.count
        partial[stream] = message
        return .incomplete
    }

    /// Drops what is unfinished on these streams, which begin anew; on all if none is named.
    mutating func forget(_ streams: [UInt16]) {
        for stream in streams.isEmpty ? Array(partial.keys) : streams {
            held -= partial.removeValue(forKey: stream)?.count ?? 0
        }
    }
}
