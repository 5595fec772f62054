/// Why bytes are not an HTTP message that is accepted here.
package enum HTTPReadError: Error, Equatable {
    case malformed
    case headTooLarge
    case bodyTooLarge
    /// Neither HTTP/1.0 nor 1.1, or a transfer coding other than chunked.
    case unsupported
}

/// Reads HTTP/1.x messages (RFC 9112) out of a stream of bytes, one after the other. A plain value: bytes in, messages
/// out, or parts of messages. It is strict where lenient readers let requests be smuggled: line ends, folded lines, repeated lengths.
package struct HTTPReader {
    /// What is read.
    package enum Kind {
        case requests
        /// The answer to one request; `toHead` if its method was `HEAD`.
        case response(toHead: Bool)
    }

    /// One message with its whole body.
    package struct Message: Equatable {
        /// The first line and the header fields.
        package var head: HTTPHead
        /// The body; empty if there is none.
        package var body: [UInt8]
    }

    /// What a message consists of: one head, any number of pieces of its body, one end.
    package enum Part: Equatable {
        case head(HTTPHead)
        /// Some bytes of the body, at least one.
        case content([UInt8])
        case end
    }

    /// How the rest of the message is delimited (RFC 9112 section 6.3).
    private enum Phase {
        case head
        case counted(left: Int)
        case chunked
        case untilEnd(read: Int)
    }

    static let headLimit = 16 * 1024

    private let kind: Kind
    private let usualLimit: Int
    /// Of the message at hand.
    private var bodyLimit: Int
    private var phase = Phase.head
    /// Kept outside the phase: a second owner there would make each piece copy all earlier ones.
    private var chunks = HTTPChunkReader()
    private var buffer: [UInt8] = []
    /// Where to continue looking for the end of the head.
    private var searched = 0
    /// The message that ``next()`` puts together.
    private var message: Message?

    /// - Parameter bodyLimit: bytes of a body; ``limitBody(to:)`` may change it for each message.
    package init(_ kind: Kind, bodyLimit: Int = .max) {
        self.kind = kind
        usualLimit = bodyLimit
        self.bodyLimit = bodyLimit
    }

    /// Takes bytes as they come in.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) { buffer.append(contentsOf: bytes) }

    /// Whether a message has begun and is not complete.
    var isInMessage: Bool {
        if case .head = phase { return !buffer.isEmpty }
        return true
    }

    /// What came after the last message; after an upgrade it belongs to another protocol.
    mutating func takeRest() -> [UInt8] {
        defer { buffer = [] }
        return buffer
    }

    /// Whether bytes have come that no part has taken.
    var hasBytes: Bool { !buffer.isEmpty }

    /// Whether the message whose head was read has, or may have, a body.
    var expectsContent: Bool {
        switch phase {
        case .head, .counted(left: 0): false
        case .counted, .chunked, .untilEnd: true
        }
    }

    /// Sets the limit for the body of the message whose head was read. Throws if its declared length is more.
    mutating func limitBody(to limit: Int) throws(HTTPReadError) {
        bodyLimit = limit
        if case .counted(let left) = phase, left > limit { throw .bodyTooLarge }
    }

    /// The next message, if it is complete. Not to be mixed with ``nextPart()``.
    package mutating func next() throws(HTTPReadError) -> Message? {
        while let part = try nextPart() {
            switch part {
            case .head(let head): message = Message(head: head, body: [])
            case .content(let piece): message?.body += piece
            case .end: return takeMessage()
            }
        }
        return nil
    }

    /// The stream has ended: the last message, if the end completes it. Throws if the end cuts one short.
    package mutating func finish() throws(HTTPReadError) -> Message? {
        try finishPart() == nil ? nil : takeMessage()
    }

    private mutating func takeMessage() -> Message? {
        defer { message = nil }
        return message
    }

    /// The next part, if it has come. It holds no more of a body than was appended since the last part.
    package mutating func nextPart() throws(HTTPReadError) -> Part? {
        switch phase {
        case .head:
            guard let head = try nextHead() else { return nil }
            bodyLimit = usualLimit
            phase = try bodyPhase(head)
            return .head(head)
        case .counted(left: 0):
            phase = .head
            return .end
        case .counted(let left):
            guard !buffer.isEmpty else { return nil }
            let piece = take(min(left, buffer.count))
            phase = .counted(left: left - piece.count)
            return .content(piece)
        case .chunked:
            let (isComplete, used) = try chunks.read(buffer, limit: bodyLimit)
            _ = take(used)
            let piece = chunks.takeBody()
            if isComplete {
                chunks = HTTPChunkReader()
                phase = .counted(left: 0)
            }
            guard piece.isEmpty else { return .content(piece) }
            return isComplete ? try nextPart() : nil
        case .untilEnd(let read):
            guard buffer.count <= bodyLimit - read else { throw .bodyTooLarge }
            guard !buffer.isEmpty else { return nil }
            phase = .untilEnd(read: read + buffer.count)
            return .content(take(buffer.count))
        }
    }

    /// The stream has ended: the end of the last message, if the end completes it. Throws if the end cuts one short.
    package mutating func finishPart() throws(HTTPReadError) -> Part? {
        if case .untilEnd = phase {
            phase = .head
            return .end
        }
        guard !isInMessage else { throw .malformed }
        return nil
    }

    /// The next head that belongs to a message. An interim response only announces another one (RFC 9110 section 15.2).
    private mutating func nextHead() throws(HTTPReadError) -> HTTPHead? {
        while let head = try anyHead() {
            if case .response = kind, let status = head.status, status < 200, status != 101 { continue }
            return head
        }
        return nil
    }

    private mutating func anyHead() throws(HTTPReadError) -> HTTPHead? {
        // Empty lines before a request line are ignored (RFC 9112 section 2.2).
        while searched == 0, buffer.starts(with: [13, 10]) { buffer.removeFirst(2) }
        if buffer == [13] { return nil }
        // No head begins like this. A TLS client that spoke here would otherwise wait for an answer for ever.
        if let first = buffer.first, !(0x21...0x7E).contains(first) { throw .malformed }
        var index = max(searched, 3)
        while index < buffer.count {
            if buffer[index] == 10, buffer[index - 1] == 13, buffer[index - 2] == 10, buffer[index - 3] == 13 {
                guard index < Self.headLimit else { throw .headTooLarge }
                searched = 0
                return try HTTPHead(take(index + 1), isRequest: isReadingRequests)
            }
            index += 1
        }
        searched = min(index, buffer.count)
        guard buffer.count < Self.headLimit else { throw .headTooLarge }
        return nil
    }

    private var isReadingRequests: Bool {
        if case .requests = kind { return true }
        return false
    }

    private func bodyPhase(_ head: HTTPHead) throws(HTTPReadError) -> Phase {
        if case .response(let toHead) = kind, let status = head.status {
            if toHead || status == 101 || status == 204 || status == 304 { return .counted(left: 0) }
        }
        if try head.isChunked { return .chunked }
        if let length = try head.contentLength {
            guard length <= bodyLimit else { throw .bodyTooLarge }
            return .counted(left: length)
        }
        return isReadingRequests ? .counted(left: 0) : .untilEnd(read: 0)
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        if count == buffer.count {
            defer { buffer = [] }
            return buffer
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }
}
