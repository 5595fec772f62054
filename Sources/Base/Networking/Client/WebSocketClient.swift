/// How a client keeps a WebSocket.
package struct WebSocketClientConfiguration: Sendable {
    /// Whose certificates are trusted.
    package var trust: TLSTrust = .system
    /// Which addresses may be contacted; nil allows all. If a host has only forbidden addresses, connecting throws
    /// `notAllowed`.
    package var permits: AddressFilter?
    /// Fields that go with the request to upgrade.
    package var headers = HTTPFields()
    /// Path and query of the request, escaped, if they differ from the server's path.
    package var verbatimTarget: String?
    /// The time for looking up, connecting and upgrading together.
    package var connectTimeout: Duration = .seconds(15)
    /// A ping goes out this often.
    package var pingInterval: Duration = .seconds(25)
    /// If nothing at all is heard for this long after a ping, the ping is missed.
    package var pingTimeout: Duration = .seconds(10)
    /// The connection is given up after this many missed pings in a row.
    package var missedPingLimit = 1
    /// Called with the outcome of each ping.
    package var heartbeat: (@Sendable (WebSocketHeartbeat) -> Void)?
    /// The largest message to receive, in bytes; more closes with 1009.
    package var messageLimit = 64 * 1024
    /// The most bytes that may wait to be sent; ``WebSocketConnection/send(_:)`` throws `queueFull` beyond it.
    package var queueLimit = 1 << 20
    /// Bytes of messages that may wait to be read before the server is held back by TCP. Whoever sets it says with
    /// ``WebSocketConnection/took(_:)`` what was read. Nil: only the number of messages is bounded.
    package var heldBytes: Int?
    /// How many messages may wait to be read; beyond it the connection is closed with 1008.
    package var eventLimit = 1024

    package init() {}
}

/// What became of a ping.
package enum WebSocketHeartbeat: Sendable, Hashable {
    /// The other side is there; how long its pong took, if it sent one in time.
    case answered(after: Duration?)
    /// This many pings in a row were not answered.
    case missed(Int)
}

/// What happens on a client's WebSocket.
package enum WebSocketEvent: Sendable, Equatable {
    case text(String)
    case binary([UInt8])
    /// The last event. `abnormal` if the connection was lost or given up rather than closed.
    case closed(code: WebSocketCloseCode, reason: String)
}

/// Opens WebSockets.
package enum WebSocketClient {
    /// Connects and upgrades. Throws `timedOut`, `unresolvedHost`, `cannotConnect`, or `handshakeFailed` with the
    /// status if the server answers with something else; a cancelled task throws `closed`.
    ///
    /// ```swift
    /// let connection = try await WebSocketClient.connect(to: ServerURL("wss://rooms.example.org"))
    /// for await event in connection.events { … }
    /// ```
    package static func connect(
        to server: ServerURL,
        configuration: WebSocketClientConfiguration = WebSocketClientConfiguration()
    ) async throws(NetworkingError) -> WebSocketConnection {
        let connection = WebSocketConnection(server, configuration)
        let deadline = Task {
            guard (try? await Task.sleep(for: configuration.connectTimeout)) != nil else { return }
            connection.failToConnect(NetworkingError(.timedOut, "\(server) did not answer in time"))
        }
        defer { deadline.cancel() }
        let connecting = Task {
            do throws(NetworkingError) {
                let (trust, permits) = (configuration.trust, configuration.permits)
                connection.start(try await ClientConnector.connect(to: server, trust: trust, permits: permits))
            } catch {
                connection.failToConnect(error)
            }
        }
        defer { connecting.cancel() }
        try await withTaskCancellationHandler {
            await connection.established()
        } onCancel: {
            connection.failToConnect(NetworkingError(.closed, "the attempt was cancelled"))
        }.get()
        return connection
    }
}
