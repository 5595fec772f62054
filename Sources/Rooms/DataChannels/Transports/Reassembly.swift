/// Joins messages that SCTP delivers in pieces. Unfinished messages are limited: one limit for each message, and twice
/// that for all together.
struct Reassembly {
    enum Result: Equatable {
        case incomplete
        case complete([UInt8])
        case tooLarge
    }

    private struct Key: Hashable {
        var stream: UInt16
        var isUnordered: Bool
    }

    /// Identifiers of messages that were cut by the sender above SCTP, an old form (RFC 8831 section 6.6).
    private static let partialIdentifiers: Set<UInt32> = [
        PayloadIdentifier.partialBinary, PayloadIdentifier.partialText,
    ]
    /// DATA_CHANNEL_OPEN with label and protocol of 65535 bytes each.
    static let largestControlMessage = 12 + 2 * 0xFFFF

    private let limit: Int
    private var partial: [Key: [UInt8]] = [:]
    private var held = 0

    init(limit: Int) { self.limit = limit }

    /// Adds one piece of a message. It allows one byte above the limit, because empty messages travel as one byte.
    mutating func add(
        _ bytes: UnsafeRawBufferPointer,
        stream: UInt16,
        identifier: UInt32,
        isUnordered: Bool,
        isLast: Bool
    ) -> Result {
        let key = Key(stream: stream, isUnordered: isUnordered)
        // Taken out of the table, so that appending does not copy the earlier pieces.
        var message = partial.removeValue(forKey: key) ?? []
        held -= message.count
        let most = identifier == PayloadIdentifier.control ? Self.largestControlMessage : max(limit, 1)
        guard message.count + bytes.count <= most else { return .tooLarge }
        message.append(contentsOf: bytes)
        if isLast && !Self.partialIdentifiers.contains(identifier) { return .complete(message) }
        guard held + message.count <= 2 * limit + Self.largestControlMessage else { return .tooLarge }
        held += message.count
        partial[key] = message
        return .incomplete
    }

    /// Adds a message that SCTP delivered whole: it is complete unless its sender cut it above SCTP.
    mutating func add(whole bytes: [UInt8], stream: UInt16, identifier: UInt32) -> Result {
        guard Self.partialIdentifiers.contains(identifier) || !partial.isEmpty else {
            let most = identifier == PayloadIdentifier.control ? Self.largestControlMessage : max(limit, 1)
            return bytes.count <= most ? .complete(bytes) : .tooLarge
        }
        return bytes.withUnsafeBytes {
            add($0, stream: stream, identifier: identifier, isUnordered: false, isLast: true)
        }
    }

    /// Drops a message that its sender gave up.
    mutating func abort(stream: UInt16) {
        for isUnordered in [false, true] {
            held -= partial.removeValue(forKey: Key(stream: stream, isUnordered: isUnordered))?.count ?? 0
        }
    }
}
