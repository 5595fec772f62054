/// One event of a stream of `text/event-stream`.
package struct ServerSentEvent: Sendable, Hashable {
    /// `message` if the stream names none.
    package var type: String
    /// Its lines, joined by line feeds.
    package var data: String
    /// The last id that the stream gave, also with an earlier event: where to go on after the connection broke.
    package var id: String

    package init(type: String = "message", data: String, id: String = "") {
        (self.type, self.data, self.id) = (type, data, id)
    }
}

/// Reads server-sent events out of a stream of bytes (WHATWG HTML section 9.2.6). A plain value: bytes in, events out.
/// Any bytes are a stream; only an event that is too long is an error.
package struct ServerSentEventReader: Sendable {
    /// An event, or a line, is longer than the limit.
    package struct TooLong: Error, Equatable {}

    private let limit: Int
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var type = ""
    private var pendingID = ""
    private var isAtStart = true
    /// The last byte ended a line, and a line feed after it would belong to that end.
    private var endedWithReturn = false

    /// The id to send as `Last-Event-ID` when connecting again.
    package private(set) var lastID = ""
    /// How long the server wants clients to wait before they connect again, in milliseconds.
    package private(set) var retry: Int?

    /// - Parameter limit: bytes of one event.
    package init(limit: Int = 1 << 20) { self.limit = limit }

    /// Takes bytes as they come in. Returns the events that they complete. What stands after the last empty line is never
    /// an event, so the end of the stream needs no call.
    package mutating func read(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            defer { endedWithReturn = byte == 13 }
            if byte == 10, endedWithReturn { continue }
            guard byte == 10 || byte == 13 else {
                guard line.count + data.count < limit else { throw TooLong() }
                line.append(byte)
                continue
            }
            if isAtStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
            isAtStart = false
            let ended = line
            line.removeAll(keepingCapacity: true)
            if ended.isEmpty { dispatch().map { events.append($0) } } else { field(ended) }
        }
        return events
    }

    private mutating func field(_ line: [UInt8]) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == 32 { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "data":
            data += value
            data.append(10)
        case "event": type = String(decoding: value, as: UTF8.self)
        case "id" where !value.contains(0): pendingID = String(decoding: value, as: UTF8.self)
        case "retry":
            let digits = String(decoding: value, as: UTF8.self)
            if !value.isEmpty, value.allSatisfy({ 48...57 ~= $0 }), let number = Int(digits) { retry = number }
        default: break
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastID = pendingID
        defer { (data, type) = ([], "") }
        guard data.popLast() != nil else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : type, data: String(decoding: data, as: UTF8.self), id: lastID)
    }
}
