internal import Synchronization

/// A client's open WebSocket. Dropping the last reference does not close it; call ``close(_:reason:)``.
package final class WebSocketConnection: Sendable {
    /// Everything that arrives, in order, for one reader; ends after `.closed`.
    package let events: AsyncStream<WebSocketEvent>

    typealias Outcome = Result<Void, NetworkingError>

    struct State {
        /// Reads the answer to the upgrade.
        var reader = HTTPReader(.response(toHead: false), bodyLimit: 1 << 16)
        var stream: ByteStream?
        var channel: WebSocketChannel?
        var outcome: Outcome?
        var waiter: CheckedContinuation<Outcome, Never>?
        var heartbeat: Task<Void, Never>?
        /// About the bytes that messages take which nobody has read.
        var unread = 0
        /// Whether the server is held back.
        var isHeld = false
        /// Whether so much waited that the connection is being closed: what still comes is dropped.
        var isOverfull = false
    }

    let server: ServerURL
    let configuration: WebSocketClientConfiguration
    let key = WebSocketHandshake.key()
    let state = Mutex(State())
    let sink: AsyncStream<WebSocketEvent>.Continuation

    init(_ server: ServerURL, _ configuration: WebSocketClientConfiguration) {
        self.server = server
        self.configuration = configuration
        // One more than may wait, which closes the connection, and a place that no message takes: the last event is never lost.
        (events, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(configuration.eventLimit + 2))
    }

    /// Sends a message, or queues it. Throws `closed`, or `queueFull` if the other side does not take what is queued.
    package func send(_ message: WebSocketMessage) throws(NetworkingError) {
        switch state.withLock({ $0.channel })?.send(message) {
        case .queued: return
        case .full: throw NetworkingError(.queueFull, "\(server) takes messages too slowly; try again in a moment")
        case .closed, nil: throw NetworkingError(.closed, "the connection to \(server) is closed")
        }
    }

    /// Sends a text message, or queues it.
    package func send(_ text: String) throws(NetworkingError) { try send(.text(text)) }

    /// Sends what is queued, then closes. Returns at once; the end is the last of ``events``.
    package func close(_ code: WebSocketCloseCode = .normal, reason: String = "") {
        guard let channel = state.withLock({ $0.channel }) else { return }
        channel.close(code, reason)
        // A server that does not answer the close is not waited for.
        let timeout = configuration.pingTimeout
        Task {
            try? await Task.sleep(for: timeout)
            channel.abort("the server did not answer the close")
        }
    }

    /// What came was read, and need not be held any more. Only for a connection that holds its server back.
    package func took(_ event: WebSocketEvent) {
        guard let limit = configuration.heldBytes else { return }
        state.withLock { state in
            state.unread -= Self.cost(event)
            guard state.isHeld, state.unread <= limit / 2 else { return }
            state.isHeld = false
            state.channel?.setHeld(false)
            state.stream?.setReceiving(true)
        }
    }

    private static func cost(_ event: WebSocketEvent) -> Int {
        switch event {
        case .text(let text): 64 + text.utf8.count
        case .binary(let bytes): 64 + bytes.count
        case .closed: 0
        }
    }

    /// Holds the server back while too much waits. With the lock, so that it cannot come after a release that was decided later.
    private func hold(_ more: Int) {
        guard let limit = configuration.heldBytes else { return }
        state.withLock { state in
            state.unread += more
            guard !state.isHeld, state.unread >= limit else { return }
            state.isHeld = true
            state.channel?.setHeld(true)
            state.stream?.setReceiving(false)
        }
    }

    /// Cuts the connection at once without a close frame, as a lost network would.
    package func abort() { state.withLock { $0.channel }?.abort("cut on this side") }
}

// MARK: - Connecting

extension WebSocketConnection {
    func established() async -> Outcome {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state -> Outcome? in
                if state.outcome == nil { state.waiter = continuation }
                return state.outcome
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    func failToConnect(_ error: NetworkingError) {
        guard settle(.failure(error)) else { return }
        state.withLock { $0.stream }?.cut()
    }

    /// The first outcome counts. False if there was one.
    @discardableResult
    private func settle(_ outcome: Outcome) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Outcome, Never>?) in
            guard state.outcome == nil else { return (false, nil) }
            state.outcome = outcome
            defer { state.waiter = nil }
            return (true, state.waiter)
        }
        waiter?.resume(returning: outcome)
        return isFirst
    }

    func start(_ stream: ByteStream) {
        let mayStart = state.withLock { state in
            guard state.outcome == nil else { return false }
            state.stream = stream
            return true
        }
        guard mayStart else { return stream.discard() }
        if !stream.start(self) { settle(.failure(NetworkingError(.unavailable, "too many open sockets"))) }
    }
}

// MARK: - On the loop's thread

extension WebSocketConnection: StreamOwner {
    func streamOpened() {
        var request = HTTPRequest(path: "", headers: configuration.headers)
        request.verbatimTarget = configuration.verbatimTarget
        let own = [
            ("upgrade", "websocket"), ("connection", "Upgrade"), ("sec-websocket-version", "13"),
            ("sec-websocket-key", key),
        ]
        for (name, value) in own { request.headers[name] = value }
        let stream = state.withLock { $0.stream }
        _ = stream?.send(request.serialized(host: server.authority, pathPrefix: server.path))
    }

    func streamReceived(_ bytes: UnsafeRawBufferPointer) {
        if let channel = state.withLock({ $0.channel }) { return receive(bytes, channel) }
        let answer = state.withLock { state in
            state.reader.append(bytes)
            return Result { () throws(HTTPReadError) in try state.reader.next() }
        }
        switch answer {
        case .success(nil): break
        case .success(let message?): finishHandshake(message.head)
        case .failure:
            failToConnect(NetworkingError(.handshakeFailed, "\(server) does not answer in HTTP"))
        }
    }

    private func finishHandshake(_ head: HTTPHead) {
        guard head.status == 101, head.fields["sec-websocket-accept"] == WebSocketHandshake.acceptance(of: key) else {
            let message = "\(server) does not offer a WebSocket here: it answered with status \(head.second)"
            return failToConnect(NetworkingError(.handshakeFailed, message, status: head.status))
        }
        guard let stream = state.withLock({ $0.stream }) else { return }
        let channel = WebSocketChannel(
            stream,
            isClient: true,
            messageLimit: configuration.messageLimit,
            queueLimit: configuration.queueLimit
        )
        let configuration = configuration
        let heartbeat = Task { await Self.beat(channel, configuration) }
        let rest = state.withLock { state in
            state.channel = channel
            state.heartbeat = heartbeat
            return state.reader.takeRest()
        }
        // Given up in the last moment, the stream is being cut.
        guard settle(.success(())) else { return }
        if !rest.isEmpty { rest.withUnsafeBytes { receive($0, channel) } }
    }

    private static func beat(_ channel: WebSocketChannel, _ configuration: WebSocketClientConfiguration) async {
        let pause = max(configuration.pingInterval - configuration.pingTimeout, .zero)
        do {
            try await Task.sleep(for: configuration.pingInterval)
            var missed = 0
            while true {
                channel.ping()
                try await Task.sleep(for: configuration.pingTimeout)
                missed = channel.isAlive ? 0 : missed + 1
                configuration.heartbeat?(missed == 0 ? .answered(after: channel.roundTrip) : .missed(missed))
                if missed >= configuration.missedPingLimit { return channel.abort("no answer to a ping") }
                try await Task.sleep(for: pause)
            }
        } catch {
            // Cancelled: the connection has ended.
        }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, _ channel: WebSocketChannel) {
        channel.receive(bytes) { message in
            let event: WebSocketEvent =
                switch message {
                case .text(let text): .text(text)
                case .binary(let bytes): .binary(bytes)
                }
            guard !state.withLock({ $0.isOverfull }) else { return }
            hold(Self.cost(event))
            guard case .enqueued(let room) = sink.yield(event), room > 1 else {
                state.withLock { $0.isOverfull = true }
                return close(.policyViolation, reason: "messages are not read")
            }
        }
    }

    func streamClosed(_ end: StreamEnd) {
        let (channel, heartbeat) = state.withLock { state in
            defer { state.stream = nil }
            return (state.channel, state.heartbeat)
        }
        heartbeat?.cancel()
        let failure: NetworkingError =
            if case .failed(let reason, let code) = end {
                .cannotConnect(server, reason: reason, as: code)
            } else {
                NetworkingError(.closed, "\(server) closed the connection without an answer")
            }
        settle(.failure(failure))
        if let closing = channel?.end(end) { sink.yield(.closed(code: closing.code, reason: closing.reason)) }
        sink.finish()
    }
}
