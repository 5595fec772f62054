/// Why bytes are not an HTTP message that is accepted here.
package enum HTTPReadError: Error, Equatable {
    case malformed
    case headTooLarge
    case bodyTooLarge
    /// Neither HTTP/1.0 nor 1.1, or a transfer coding other than chunked.
    case unsupported
}

/// Reads HTTP/1.x messages (RFC 9112) out of a stream of bytes, one after the other. A plain value: bytes in, messages
/// out. It is strict where lenient readers let requests be smuggled: line ends, folded lines, repeated lengths.
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

    private enum Phase {
        case head
        case counted(HTTPHead, length: Int)
        case chunked(HTTPHead)
        case untilEnd(HTTPHead)
    }

    static let headLimit = 16 * 1024

    private let kind: Kind
    private let bodyLimit: Int
    private var phase = Phase.head
    /// Kept outside the phase: a second owner there would make each piece copy all earlier ones.
    private var chunks = HTTPChunkReader()
    private var buffer: [UInt8] = []
    /// Where to continue looking for the end of the head.
    private var searched = 0

    package init(_ kind: Kind, bodyLimit: Int) {
        self.kind = kind
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

    /// The next message, if it is complete.
    package mutating func next() throws(HTTPReadError) -> Message? {
        while true {
            switch phase {
            case .head:
                guard let head = try nextHead() else { return nil }
                // An interim response only announces another one (RFC 9110 section 15.2).
                if case .response = kind, let status = head.status, status < 200, status != 101 { continue }
                phase = try bodyPhase(head)
            case .counted(let head, let length):
                guard buffer.count >= length else { return nil }
                phase = .head
                return Message(head: head, body: take(length))
            case .chunked(let head):
                let (isComplete, used) = try chunks.read(buffer, limit: bodyLimit)
                _ = take(used)
                guard isComplete else { return nil }
                phase = .head
                defer { chunks = HTTPChunkReader() }
                return Message(head: head, body: chunks.body)
            case .untilEnd:
                guard buffer.count <= bodyLimit else { throw .bodyTooLarge }
                return nil
            }
        }
    }

    /// The stream has ended: the last message, if the end completes it. Throws if the end cuts one short.
    package mutating func finish() throws(HTTPReadError) -> Message? {
        if case .untilEnd(let head) = phase {
            phase = .head
            return Message(head: head, body: take(buffer.count))
        }
        guard !isInMessage else { throw .malformed }
        return nil
    }

    private mutating func nextHead() throws(HTTPReadError) -> HTTPHead? {
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

    /// How the body is delimited (RFC 9112 section 6.3).
    private func bodyPhase(_ head: HTTPHead) throws(HTTPReadError) -> Phase {
        if case .response(let toHead) = kind, let status = head.status {
            if toHead || status == 101 || status == 204 || status == 304 { return .counted(head, length: 0) }
        }
        if try head.isChunked { return .chunked(head) }
        if let length = try head.contentLength {
            guard length <= bodyLimit else { throw .bodyTooLarge }
            return .counted(head, length: length)
        }
        return isReadingRequests ? .counted(head, length: 0) : .untilEnd(head)
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
