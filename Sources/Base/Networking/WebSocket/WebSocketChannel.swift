internal import Synchronization

/// One open WebSocket on a stream, as servers and clients share it: frames out, messages in, pings, the close.
///
/// Sending and closing are allowed from any thread at any time, also after the end.
final class WebSocketChannel: Sendable {
    struct Closing: Equatable {
        let code: WebSocketCloseCode
        let reason: String
    }

    private struct State {
        var reader: WebSocketReader
        /// What this side closed with.
        var sent: Closing?
        /// What the other side closed with.
        var received: Closing?
        var isOver = false
        /// Whether what still comes in is thrown away: after a close, or a violation of the protocol.
        var isDeaf = false
        /// Whether anything came in since the last ping.
        var isAlive = true
        /// Whether the other side is held back, so that nothing can be heard of it.
        var isHeld = false
        var pinged = ContinuousClock.now
        var roundTrip: Duration?
    }

    private let stream: ByteStream
    private let isClient: Bool
    private let queueLimit: Int
    private let state: Mutex<State>

    init(_ stream: ByteStream, isClient: Bool, messageLimit: Int, queueLimit: Int) {
        self.stream = stream
        self.isClient = isClient
        self.queueLimit = queueLimit
        state = Mutex(State(reader: WebSocketReader(expectsMask: !isClient, limit: messageLimit)))
    }

    // MARK: From any thread

    func send(_ message: WebSocketMessage) -> ByteStream.SendResult {
        guard state.withLock({ $0.sent == nil && !$0.isOver }) else { return .closed }
        return stream.send(WebSocketWriter.message(message, isMasked: isClient), limit: queueLimit)
    }

    /// Bytes that wait to be sent.
    var queued: Int { stream.queued }

    /// Sends a ping and expects to hear something before the next one.
    func ping() {
        state.withLock { state in
            state.isAlive = false
            state.pinged = .now
            state.roundTrip = nil
        }
        _ = stream.send(WebSocketWriter.control(.ping, [], isMasked: isClient))
    }

    /// Whether anything was heard since the last ping, or could not have been.
    var isAlive: Bool { state.withLock { $0.isAlive || $0.isHeld } }

    /// The other side is held back, or not any more. Then it has all the time of a ping.
    func setHeld(_ isHeld: Bool) {
        state.withLock { state in
            state.isHeld = isHeld
            state.isAlive = true
        }
    }

    /// How long the pong took after the last ping; nil if it has not come yet.
    var roundTrip: Duration? { state.withLock { $0.roundTrip } }

    /// Whether a close frame was sent: the connection ends soon, or must be cut.
    var isClosing: Bool { state.withLock { $0.sent != nil } }

    /// Sends what is queued, then a close frame, then ends the connection.
    func close(_ code: WebSocketCloseCode, _ reason: String) {
        let isFirst = state.withLock { state in
            guard state.sent == nil, !state.isOver else { return false }
            state.sent = Closing(code: code, reason: reason)
            return true
        }
        guard isFirst else { return }
        _ = stream.send(WebSocketWriter.close(code, reason, isMasked: isClient))
        // A client waits for the server to end the connection; a server ends it at once (RFC 6455 section 7.1.1).
        if !isClient { stream.finish() }
    }

    /// Cuts the connection; `reason` is what this side is told.
    func abort(_ reason: String) {
        state.withLock { state in
            if state.received == nil { state.received = Closing(code: .abnormal, reason: reason) }
        }
        stream.cut()
    }

    // MARK: From the loop's thread

    /// Takes bytes in and hands out whole messages.
    func receive(_ bytes: UnsafeRawBufferPointer, _ deliver: (WebSocketMessage) -> Void) {
        state.withLock { state in
            state.isAlive = true
            if !state.isDeaf { state.reader.append(bytes) }
        }
        do throws(WebSocketReader.Failure) {
            while let input = try nextInput() {
                switch input {
                case .message(let message): deliver(message)
                case .ping(let payload): pong(payload)
                case .pong: state.withLock { $0.roundTrip = $0.pinged.duration(to: .now) }
                case .close(let code, let reason): return answerClose(code, reason)
                }
            }
        } catch {
            state.withLock { $0.isDeaf = true }
            close(error.code, error.reason)
            stream.finish()
        }
    }

    private func nextInput() throws(WebSocketReader.Failure) -> WebSocketReader.Input? {
        let result: Result<WebSocketReader.Input?, WebSocketReader.Failure> = state.withLock { state in
            guard !state.isDeaf else { return .success(nil) }
            return Result { () throws(WebSocketReader.Failure) in try state.reader.next() }
        }
        return try result.get()
    }

    private func pong(_ payload: [UInt8]) {
        let answer = stream.send(WebSocketWriter.control(.pong, payload, isMasked: isClient), limit: queueLimit)
        if answer == .full { abort("pings without reading") }
    }

    private func answerClose(_ code: WebSocketCloseCode, _ reason: String) {
        state.withLock { state in
            state.received = Closing(code: code, reason: reason)
            state.isDeaf = true
        }
        close(code.rawValue == 1005 ? .normal : code, "")
        stream.finish()
    }

    /// The stream has ended. Returns the code and reason of the side that closed first.
    func end(_ end: StreamEnd) -> Closing {
        state.withLock { state in
            state.isOver = true
            // The other side's answer to our close repeats our code and says nothing new.
            if let sent = state.sent, state.received == nil || state.received?.code == sent.code {
                return state.received.flatMap { $0.reason.isEmpty ? nil : $0 } ?? sent
            }
            return state.received ?? Closing(code: .abnormal, reason: "the connection was lost")
        }
    }
}
