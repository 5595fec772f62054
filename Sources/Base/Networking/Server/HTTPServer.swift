internal import Synchronization

/// An HTTP/1.1 server with WebSockets, on the network's one thread. Any number may run in one process.
///
/// ```swift
/// let server = HTTPServer(configuration: HTTPServerConfiguration(port: 8080), handler: MyHandler())
/// let port = try await server.start()
/// …
/// await server.stop()
/// ```
package final class HTTPServer: Sendable {
    /// How it was set up.
    package let configuration: HTTPServerConfiguration
    private let handler: any HTTPServerHandler
    private let running = Mutex<Running?>(nil)

    package init(configuration: HTTPServerConfiguration, handler: any HTTPServerHandler) {
        self.configuration = configuration
        self.handler = handler
    }

    /// Listens. Returns the port, which is a free one if the configuration says 0. Throws `cannotListen`.
    @discardableResult
    package func start() async throws(NetworkingError) -> Int {
        let loop = try EventLoop.shared
        let tls = try configuration.tls.map { identity throws(NetworkingError) in try TLSContext.server(identity) }
        guard let (descriptor, port) = Socket.listening(on: configuration.host, port: configuration.port) else {
            throw NetworkingError(
                .cannotListen,
                """
                cannot listen on \(configuration.host) port \(configuration.port): is the port free, may this user \
                take it, and is the address one of this machine's?
                """
            )
        }
        let core = ServerCore(configuration, handler, loop, tls: tls)
        let listener = SocketListener(descriptor, on: loop, accept: core.accept)
        guard listener.start() else {
            Socket.shut(descriptor)
            throw NetworkingError(.unavailable, "the network cannot watch one more socket")
        }
        let watch = Task { await Self.watch(core) }
        let previous = running.withLock { running in
            defer { running = Running(core: core, listener: listener, watch: watch) }
            return running
        }
        if let previous { await previous.stop() }
        return port
    }

    /// Keeps checking for connections that take too long and sockets whose other end has gone silent.
    private static func watch(_ core: ServerCore) async {
        let interval = min(core.configuration.pingInterval / 2, .milliseconds(500))
        while (try? await Task.sleep(for: interval)) != nil {
            let now = ContinuousClock.now
            for connection in core.connections { connection.check(now) }
        }
    }

    /// Stops listening, closes every WebSocket with the goodbye of the configuration, and then all connections. Does nothing if not running.
    package func stop() async { await running.withLock { $0.take() }?.stop() }

    /// How many connections are open, WebSockets included.
    package var connectionCount: Int { running.withLock { $0?.core.count } ?? 0 }

    /// Bytes that all connections hold because a client or a handler is slow. The kernel's buffers do not count.
    package var heldBytes: Int {
        (running.withLock { $0?.core.connections } ?? []).reduce(0) { $0 + $1.heldBytes }
    }
}

/// A server that listens.
private struct Running {
    let core: ServerCore
    let listener: SocketListener
    let watch: Task<Void, Never>

    func stop() async {
        listener.stop()
        for connection in core.connections { connection.sayGoodbye(core.configuration.goodbye) }
        let deadline = ContinuousClock.now + core.configuration.farewell
        while core.count > 0, ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(2)) }
        for connection in core.connections { connection.stream.cut() }
        while core.count > 0 { try? await Task.sleep(for: .milliseconds(2)) }
        watch.cancel()
    }
}

extension ServerConnection {
    /// A WebSocket is told why; HTTP has no message for that.
    fileprivate func sayGoodbye(_ code: WebSocketCloseCode) {
        if let socket = state.withLock({ $0.socket }) {
            socket.close(code, reason: "the server stops")
        } else {
            stream.finish()
        }
    }
}
