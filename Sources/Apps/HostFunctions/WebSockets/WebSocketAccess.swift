package import Components
package import Networking
internal import Synchronization

/// The WebSockets of one component: the port `ws_open`, and for each socket the ports `ws_#<n>` and `ws_#<n>/control`.
///
/// A message on `ws_#<n>` is the UTF-8 of one text, in both directions. On the control port go JSON objects. To the script:
/// `{"type":"heartbeat","ping":12}`, `{"type":"heartbeat-skip","missingPongsFromServer":1}`, and last
/// `{"type":"disconnected","code":1000,"error":""}`. From it: `{"type":"close","code":1000,"reason":""}`.
package final class WebSocketAccess: Sendable {
    package struct Limits: Hashable, Sendable {
        package var sockets = 32
        /// Bytes of a message.
        package var message = 4 << 20
        /// Bytes that may wait to be sent on one socket.
        package var queue = 16 << 20
        package var connectTimeout = Duration.seconds(20)
        package var pingInterval = Duration.seconds(10)
        package var pingTimeout = Duration.seconds(5)
        /// So many unanswered pings in a row end a connection.
        package var missedPings = 2

        package init() {}
    }

    private struct State {
        var sockets: [Int32: WebSocketConnection] = [:]
        var opening = 0
        var last: Int32 = 0
        var isClosed = false
    }

    let policy: HTTPPolicy
    let limits: Limits
    let trust: TLSTrust
    private let send: @Sendable (PortMessage) -> Void
    private let state = Mutex(State())

    /// - Parameter send: takes messages to the script, from any thread, and must not wait.
    package init(
        policy: HTTPPolicy, limits: Limits = Limits(), trust: TLSTrust = .system,
        send: @escaping @Sendable (PortMessage) -> Void
    ) {
        self.policy = policy
        self.limits = limits
        self.trust = trust
        self.send = send
    }

    /// The port `ws_open`.
    package var function: NativeFunction {
        .promise { [self] bytes async throws(NativeError) in
            guard let arguments = try? RequestOpProto.OpenWSArgs(decoding: bytes) else {
                throw .text("the arguments cannot be read")
            }
            do throws(HTTPAccessError) {
                return try await open(arguments.url, session: arguments.sessionId).encoded
            } catch {
                throw .exception(error.exception)
            }
        }
    }

    /// Takes a message of the script. False if it is for no socket's port.
    package func receive(_ message: PortMessage) -> Bool {
        guard let port = WebSocketPort(message.port) else { return false }
        guard let socket = state.withLock({ $0.sockets[port.socket] }) else { return true }
        if port.isControl {
            if let close = CloseCommand(message.bytes) { socket.close(close.code, reason: close.reason) }
        } else if let text = String(validating: message.bytes, as: UTF8.self), text.utf8.count <= limits.message {
            do { try socket.send(text) } catch {
                if error.code == .queueFull { socket.abort() }
            }
        } else {
            socket.close(.policyViolation, reason: "not a text of the allowed size")
        }
        return true
    }

    /// Cuts all sockets and tells the script, as when the machine goes to sleep.
    package func cut() {
        for socket in state.withLock({ Array($0.sockets.values) }) { socket.abort() }
    }

    /// Cuts all sockets. Nothing is sent to the script any more.
    package func close() {
        let sockets = state.withLock { state in
            state.isClosed = true
            defer { state.sockets = [:] }
            return Array(state.sockets.values)
        }
        for socket in sockets { socket.abort() }
    }

    private func open(
        _ text: String, session: String
    ) async throws(HTTPAccessError) -> RequestOpProto.WSOpeningReply {
        func failure(_ code: HTTPAccessError.Code, _ message: String) -> HTTPAccessError {
            HTTPAccessError(code: code, url: String(text.prefix(200)), method: "GET", message: message)
        }
        guard let url = try? WebURL(text), url.scheme == "wss" || url.scheme == "ws" else {
            throw failure(.invalidRequest, "this is no URL of a WebSocket")
        }
        let decision = policy.decide(url)
        guard decision != .denied else { throw failure(.notAllowed, "\(url.server) may not be asked") }
        let isFree = state.withLock { state in
            state.opening += 1
            return state.opening + state.sockets.count <= limits.sockets && !state.isClosed
        }
        defer { state.withLock { $0.opening -= 1 } }
        guard isFree else { throw failure(.tooMany, "more than \(limits.sockets) WebSockets are open") }
        let number = state.withLock { state in
            state.last = state.last == .max ? 1 : state.last + 1
            return state.last
        }
        do throws(NetworkingError) {
            let socket = try await WebSocketClient.connect(
                to: url.server, configuration: configuration(url, session: session, permits: decision, number))
            return begin(socket, number)
        } catch {
            if let status = error.status { return .init(status: Int32(status == 200 ? 502 : status), socketId: 0) }
            throw HTTPAccessError(error, url: url.description, method: "GET")
        }
    }

    private func configuration(
        _ url: WebURL, session: String, permits decision: HTTPPolicy.Decision, _ number: Int32
    ) -> WebSocketClientConfiguration {
        var configuration = WebSocketClientConfiguration()
        configuration.trust = trust
        configuration.permits = HTTPPolicy.addresses(decision)
        configuration.headers = session.isEmpty ? [:] : ["X-Session-Id": session]
        configuration.verbatimTarget = url.target
        configuration.connectTimeout = limits.connectTimeout
        configuration.pingInterval = limits.pingInterval
        configuration.pingTimeout = limits.pingTimeout
        configuration.missedPingLimit = limits.missedPings
        configuration.messageLimit = limits.message
        configuration.queueLimit = limits.queue
        configuration.heartbeat = { [weak self] beat in self?.tell(.heartbeat(beat), number) }
        return configuration
    }

    private func begin(_ socket: WebSocketConnection, _ number: Int32) -> RequestOpProto.WSOpeningReply {
        let isWanted = state.withLock { state in
            if !state.isClosed { state.sockets[number] = socket }
            return !state.isClosed
        }
        guard isWanted else {
            socket.abort()
            return .init(status: 503, socketId: 0)
        }
        Task { [weak self] in
            for await event in socket.events { self?.handle(event, number) }
            // A socket that ended without saying how must not keep its place, nor its script waiting.
            self?.handle(.closed(code: .abnormal, reason: ""), number)
        }
        return .init(status: 200, socketId: number)
    }

    private func handle(_ event: WebSocketEvent, _ number: Int32) {
        switch event {
        case .text(let text): deliver(Array(text.utf8), on: PortMessage.webSocket(number), number)
        case .binary(let bytes): deliver(bytes, on: PortMessage.webSocket(number), number)
        case .closed(let code, let reason):
            tell(.disconnected(code: Int(code.rawValue), reason: reason), number)
            _ = state.withLock { $0.sockets.removeValue(forKey: number) }
        }
    }

    private func tell(_ event: ControlEvent, _ number: Int32) {
        deliver(event.bytes, on: PortMessage.webSocketControl(number), number)
    }

    private func deliver(_ bytes: [UInt8], on port: String, _ number: Int32) {
        guard state.withLock({ $0.sockets[number] != nil }) else { return }
        send(PortMessage(port: port, bytes: bytes))
    }
}
