import Components
import Synchronization

/// One end of a connection. The test is the other, and says what it likes, in envelopes that the generated messages write.
final class LoneEnd: Sendable {
    private let record: Record
    let connection: ObjectConnection

    private final class Record: Sendable {
        let sent = Mutex<[[UInt8]]>([])
        let refused = Mutex<[RuntimeException]>([])
        let ends = Mutex<[ConnectionEnd]>([])
    }

    init(root: ServiceObject? = nil, limits: ConnectionLimits = ConnectionLimits(), memory: MemoryBudget? = nil) {
        let record = Record()
        self.record = record
        connection = ObjectConnection(root: root, limits: limits, memory: memory) { message in
            record.sent.withLock { $0.append(message) }
        } refused: { exception in
            record.refused.withLock { $0.append(exception) }
        } closed: { end in
            record.ends.withLock { $0.append(end) }
        }
    }

    /// What was sent since the last look.
    func take() -> [[UInt8]] {
        record.sent.withLock { sent in
            defer { sent = [] }
            return sent
        }
    }

    /// The same, read.
    func takeReplies() -> [Reply] { take().map { Reply($0) } }

    var refused: [RuntimeException] { record.refused.withLock { $0 } }
    /// Ends that were told. More than one is wrong.
    var ends: [ConnectionEnd] { record.ends.withLock { $0 } }

    func receive(_ type: String, _ number: UInt64?, path: [String] = [], _ body: [UInt8]? = nil) {
        connection.receive(
            IpcProto.Envelope(
                headers: IpcProto.EnvelopeHeaders(
                    msgType: type, fnCallNum: number.map(CommonProto.UInt64Value.init(value:)), path: path),
                body: body.map(CommonProto.BytesValue.init(value:))
            ).encoded)
    }

    /// Lets the tasks of functions go on until something was sent.
    func waitForReplies(_ count: Int = 1) async -> [Reply] {
        var replies: [Reply] = []
        while replies.count < count {
            replies += takeReplies()
            await Task.yield()
        }
        return replies
    }
}

/// An envelope that an end sent.
struct Reply: Hashable, CustomStringConvertible {
    var type = "unreadable"
    var number: UInt64?
    var path: [String] = []
    var body: [UInt8]?

    init(_ bytes: [UInt8]) {
        guard let envelope = try? IpcProto.Envelope(decoding: bytes), let headers = envelope.headers else { return }
        type = headers.msgType
        number = headers.fnCallNum?.value
        path = headers.path
        body = envelope.body?.value
    }

    init(_ type: String, _ number: UInt64?, path: [String] = [], _ body: [UInt8]? = nil) {
        self.type = type
        self.number = number
        self.path = path
        self.body = body
    }

    /// The exception that an error carries.
    var exception: RuntimeException? { type == "error" ? RuntimeException(errorValue: body?[...] ?? []) : nil }

    var description: String { "\(type) \(number.map(String.init) ?? "-") \(path) \(body.map { "\($0)" } ?? "-")" }
}
