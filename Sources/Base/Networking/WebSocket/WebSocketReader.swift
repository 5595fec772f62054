/// Reads WebSocket messages (RFC 6455 section 5) out of a stream of bytes. A plain value: bytes in, messages out.
package struct WebSocketReader {
    /// What came in.
    package enum Input: Equatable {
        case message(WebSocketMessage)
        case ping([UInt8])
        case pong
        /// The other side closes; nothing follows. The code is 1005 if it gave none.
        case close(WebSocketCloseCode, reason: String)
    }

    /// The connection must be closed with this code.
    package struct Failure: Error, Equatable {
        /// What the other side is told.
        package let code: WebSocketCloseCode
        /// A few words for the log of the other side.
        package let reason: String

        static func protocolError(_ reason: String) -> Failure { Failure(code: .protocolError, reason: reason) }
        static let tooLarge = Failure(code: .tooLarge, reason: "message too large")
        static let invalidText = Failure(code: .invalidData, reason: "text is not UTF-8")
    }

    /// Whether frames must be masked, as a client's must, or must not be, as a server's.
    private let expectsMask: Bool
    private let limit: Int
    private var buffer: [UInt8] = []
    /// The message whose fragments are arriving.
    private var fragments: (opcode: WebSocketOpcode, bytes: [UInt8])?

    package init(expectsMask: Bool, limit: Int) {
        self.expectsMask = expectsMask
        self.limit = limit
    }

    /// Takes bytes as they come in.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) { buffer.append(contentsOf: bytes) }

    /// The next message or control frame, if it is complete.
    package mutating func next() throws(Failure) -> Input? {
        while let frame = try nextFrame() {
            switch frame.opcode {
            case .ping: return .ping(frame.payload)
            case .pong: return .pong
            case .close: return try Self.close(frame.payload)
            case .text, .binary:
                guard fragments == nil else { throw .protocolError("a message begins inside another one") }
                if frame.isFinal { return try Self.message(frame.opcode, frame.payload) }
                fragments = (frame.opcode, frame.payload)
            case .continuation:
                guard var message = fragments else { throw .protocolError("a fragment belongs to no message") }
                guard message.bytes.count + frame.payload.count <= limit else { throw .tooLarge }
                // The old value is released first: appending to a shared array would copy all of it for every fragment.
                fragments = nil
                message.bytes += frame.payload
                if !frame.isFinal { fragments = message }
                if frame.isFinal { return try Self.message(message.opcode, message.bytes) }
            }
        }
        return nil
    }

    private struct Frame {
        let opcode: WebSocketOpcode
        let isFinal: Bool
        let payload: [UInt8]
    }

    private mutating func nextFrame() throws(Failure) -> Frame? {
        guard let header = try header() else { return nil }
        let end = header.length + header.payload
        guard buffer.count >= end else { return nil }
        var payload = Array(buffer[header.length..<end])
        if expectsMask { WebSocketMask.apply(buffer[(header.length - 4)..<header.length], to: &payload) }
        if end == buffer.count { buffer = [] } else { buffer.removeFirst(end) }
        return Frame(opcode: header.opcode, isFinal: header.isFinal, payload: payload)
    }

    /// The header at the beginning of the buffer, if it is complete. Refuses before the payload has arrived.
    private func header() throws(Failure) -> (opcode: WebSocketOpcode, isFinal: Bool, length: Int, payload: Int)? {
        guard buffer.count >= 2 else { return nil }
        guard buffer[0] & 0x70 == 0 else { throw .protocolError("a reserved bit is set") }
        guard let opcode = WebSocketOpcode(rawValue: buffer[0] & 0x0f) else { throw .protocolError("unknown opcode") }
        let isFinal = buffer[0] & 0x80 != 0
        guard (buffer[1] & 0x80 != 0) == expectsMask else { throw .protocolError("wrong masking") }
        let short = Int(buffer[1] & 0x7f)
        if opcode.isControl, short > 125 || !isFinal { throw .protocolError("a control frame is long or in pieces") }
        let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
        let length = 2 + lengthBytes + (expectsMask ? 4 : 0)
        guard buffer.count >= 2 + lengthBytes else { return nil }
        let payload = lengthBytes == 0 ? UInt64(short) : buffer[2..<2 + lengthBytes].reduce(0) { $0 << 8 | UInt64($1) }
        if lengthBytes == 2 && payload < 126 || lengthBytes == 8 && payload < 65_536 {
            throw .protocolError("a length is written too long")
        }
        guard opcode.isControl || payload <= UInt64(limit) else { throw .tooLarge }
        guard buffer.count >= length else { return nil }
        return (opcode, isFinal, length, Int(payload))
    }

    private static func message(_ opcode: WebSocketOpcode, _ bytes: [UInt8]) throws(Failure) -> Input {
        guard opcode == .text else { return .message(.binary(bytes)) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidText }
        return .message(.text(text))
    }

    /// Two bytes of code, then a reason (section 5.5.1).
    private static func close(_ payload: [UInt8]) throws(Failure) -> Input {
        guard !payload.isEmpty else { return .close(WebSocketCloseCode(rawValue: 1005), reason: "") }
        guard payload.count >= 2 else { throw .protocolError("half a close code") }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        let isAllowed = (1000...1003).contains(code) || (1007...1014).contains(code) || (3000...4999).contains(code)
        guard isAllowed else { throw .protocolError("a close code that must not be sent") }
        guard let reason = String(validating: payload[2...], as: UTF8.self) else { throw .invalidText }
        return .close(WebSocketCloseCode(rawValue: code), reason: reason)
    }
}

/// RFC 6455 section 5.2.
package enum WebSocketOpcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
}

/// RFC 6455 section 5.3.
enum WebSocketMask {
    static func apply(_ key: ArraySlice<UInt8>, to payload: inout [UInt8]) {
        let key = Array(key)
        for index in payload.indices { payload[index] ^= key[index & 3] }
    }
}
