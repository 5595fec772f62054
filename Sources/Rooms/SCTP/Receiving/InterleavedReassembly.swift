/// Puts messages together from I-DATA chunks, whose pieces are numbered within the message (RFC 8260 section 2.1).
struct InterleavedReassembly {
    /// The ordered or the unordered messages of a stream.
    struct Line: Hashable {
        var stream: UInt16
        var isOrdered: Bool
    }

    private struct Key: Hashable {
        var line: Line
        var number: UInt32
    }

    private struct Message {
        var key: Key
        var identifier: UInt32 = 0
        var bytes: [UInt8] = []
        /// The piece that `bytes` waits for, and those that came before their turn.
        var next: UInt32 = 0
        var last: UInt32?
        var early: [UInt32: [UInt8]] = [:]
        var total = 0
    }

    private let limit: Int
    private var messages: [Key: Message] = [:]
    /// The message that was added to last: mostly the next piece is of the same one.
    private var latest: Message?
    private var lastCount = 0
    private(set) var size = 0

    init(limit: Int) { self.limit = limit }

    /// Takes a chunk, wherever its TSN is.
    mutating func add(_ chunk: DataChunk, _ packet: RawSpan) -> Reassembly.Result {
        let bytes = packet.extracting(chunk.bytes)
        guard bytes.byteCount <= limit else { return .tooLarge }
        if chunk.isWhole {
            let message = AssembledMessage(identifier: chunk.identifier, bytes: packet.array(chunk.bytes))
            return .complete(message, stream: chunk.stream, number: chunk.number, isOrdered: chunk.isOrdered)
        }
        let key = Key(line: Line(stream: chunk.stream, isOrdered: chunk.isOrdered), number: chunk.number)
        var message = take(key)
        guard message.total + bytes.byteCount <= limit else { return .tooLarge }
        message.total += bytes.byteCount
        size += bytes.byteCount
        if chunk.isBeginning { message.identifier = chunk.identifier }
        if chunk.isEnd { message.last = chunk.fragment }
        if chunk.fragment == message.next {
            if message.bytes.isEmpty { message.bytes.reserveCapacity(max(lastCount, bytes.byteCount)) }
            bytes.withUnsafeBytes { message.bytes.append(contentsOf: $0) }
            message.next &+= 1
            while !message.early.isEmpty, let early = message.early.removeValue(forKey: message.next) {
                message.bytes += early
                message.next &+= 1
                size -= IncomingStreams.overhead
            }
        } else if message.early[chunk.fragment] == nil, message.next < chunk.fragment {
            message.early[chunk.fragment] = packet.array(chunk.bytes)
            size += IncomingStreams.overhead
        } else {
            // A piece with a number that was there: it adds nothing.
            message.total -= bytes.byteCount
            size -= bytes.byteCount
        }
        guard let last = message.last, message.next > last else {
            latest = message
            return .incomplete
        }
        forget(message)
        lastCount = min(message.bytes.count, 1 << 18)
        return .complete(
            AssembledMessage(identifier: message.identifier, bytes: message.bytes), stream: chunk.stream,
            number: chunk.number, isOrdered: chunk.isOrdered)
    }

    /// Takes a message out of the table, or begins it, so that adding to it copies nothing.
    private mutating func take(_ key: Key) -> Message {
        if let message = latest.take() {
            if message.key == key { return message }
            messages[message.key] = message
        }
        if let known = messages.removeValue(forKey: key) { return known }
        size += 2 * IncomingStreams.overhead
        return Message(key: key)
    }

    private mutating func forget(_ message: Message) {
        size -= message.total + (2 + message.early.count) * IncomingStreams.overhead
    }

    /// The sender gave up messages up to these numbers (RFC 8260 section 2.3.1). One look at each message that is held, however
    /// many streams a packet names.
    mutating func skip(_ skipped: [Line: UInt32]) {
        guard !skipped.isEmpty else { return }
        if let message = latest.take() { messages[message.key] = message }
        for key in messages.keys.filter({ key in skipped[key.line].map { !$0.isBefore(key.number) } ?? false }) {
            if let message = messages.removeValue(forKey: key) { forget(message) }
        }
    }

    /// The peer begins these streams anew; all if empty.
    mutating func reset(_ streams: [UInt16]) {
        if let message = latest.take() { messages[message.key] = message }
        let chosen = Set(streams)
        for key in messages.keys.filter({ streams.isEmpty || chosen.contains($0.line.stream) }) {
            if let message = messages.removeValue(forKey: key) { forget(message) }
        }
    }
}
