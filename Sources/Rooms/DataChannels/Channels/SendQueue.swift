internal import Platform

/// The messages of all channels that SCTP has not taken yet.
///
/// Channels alternate message by message, so that a long transfer does not delay a short message of another channel.
/// Without interleaving (RFC 8260) a started message is finished first.
struct SendQueue {
    struct Message {
        var identifier: UInt32
        var bytes: [UInt8]
        var policy: SCTPTransport.Policy
        /// Payload bytes for `bufferedAmount`; 0 for announcements.
        var counted: Int
    }

    private var lines: [UInt16: FIFO<Message>] = [:]
    /// Streams that have messages, in the order in which they are served.
    private var turns: [UInt16] = []
    private var offset = 0

    var isEmpty: Bool { turns.isEmpty }

    func isEmpty(_ stream: UInt16) -> Bool { lines[stream]?.isEmpty ?? true }

    mutating func append(_ message: Message, to stream: UInt16) {
        if isEmpty(stream) { turns.append(stream) }
        lines[stream, default: FIFO()].append(message)
    }

    /// The current message, and the offset of its rest.
    var current: (stream: UInt16, message: Message, offset: Int)? {
        guard let stream = turns.first, let message = lines[stream]?.first else { return nil }
        return (stream, message, offset)
    }

    /// Records that `count` bytes of ``current`` were taken. Returns the message if that was all of it.
    mutating func taken(_ count: Int) -> Message? {
        guard let (stream, message, _) = current else { return nil }
        offset += count
        guard offset >= message.bytes.count else { return nil }
        offset = 0
        turns.removeFirst()
        lines[stream]?.removeFirst()
        if isEmpty(stream) { lines[stream] = nil } else { turns.append(stream) }
        return message
    }

    /// Drops the messages of a stream that were not started.
    mutating func drop(_ stream: UInt16) {
        if turns.first == stream, offset > 0 {
            lines[stream]?.removeAllButFirst()
        } else {
            lines[stream] = nil
            turns.removeAll { $0 == stream }
        }
    }
}
