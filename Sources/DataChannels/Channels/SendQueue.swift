/// The messages of all channels that SCTP has not taken yet.
///
/// Channels take turns message by message, so that a long transfer does not hold up a short message of another
/// channel. Without interleaving (RFC 8260) a message that was begun is finished first.
struct SendQueue {
    struct Message {
        var identifier: UInt32
        var bytes: [UInt8]
        var policy: SCTPTransport.Policy
        /// Payload bytes for `bufferedAmount`; 0 for announcements.
        var counted: Int
    }

    private struct Line {
        var messages: [Message] = []
        var first = 0

        var isEmpty: Bool { first == messages.count }

        mutating func removeFirst() {
            messages[first].bytes = []
            first += 1
            // Constant time on average: the gap is closed when it is half of the line.
            if first * 2 > messages.count {
                messages.removeFirst(first)
                first = 0
            }
        }
    }

    private var lines: [UInt16: Line] = [:]
    /// Streams that have messages, in the order of their turns.
    private var turns: [UInt16] = []
    private var offset = 0

    var isEmpty: Bool { turns.isEmpty }

    func isEmpty(_ stream: UInt16) -> Bool { lines[stream]?.isEmpty ?? true }

    mutating func append(_ message: Message, to stream: UInt16) {
        if isEmpty(stream) { turns.append(stream) }
        lines[stream, default: Line()].messages.append(message)
    }

    /// The message at hand, with the offset of what remains of it.
    var current: (stream: UInt16, message: Message, offset: Int)? {
        guard let stream = turns.first, let line = lines[stream], !line.isEmpty else { return nil }
        return (stream, line.messages[line.first], offset)
    }

    /// Notes that `count` bytes of ``current`` were taken. Returns the message when that was all of it.
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

    /// Drops everything of a stream that was not begun.
    mutating func removeAll() { self = SendQueue() }
}
