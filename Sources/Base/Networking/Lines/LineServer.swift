internal import Synchronization

/// A server on a Unix domain socket that answers each line with a line, for programs of the same user.
///
/// Any number of clients is served at once. Each client's lines are answered in order, one at a time; a client that
/// does not read its answers is cut once ``Limits/answer`` bytes wait for it, so it does not slow down others.
package final class LineServer: Sendable {
    /// How much clients may ask of the server.
    package struct Limits: Sendable {
        /// Bytes of a line. A longer one gets ``LineServer/refusal`` instead of an answer.
        package var line = 16 << 20
        /// Bytes that wait for a client. One answer may be longer if nothing else waits.
        package var answer = 64 << 20
        /// Clients at the same time.
        package var connections = 256

        package init() {}
    }

    /// Gets a line without its end, which is never empty, and returns the answer without its end.
    package typealias Answer = @Sendable ([UInt8]) async -> [UInt8]

    /// The path of the socket's file.
    package let path: String
    let limits: Limits
    /// The answer to a line that is too long; `nil` ends its connection.
    let refusal: [UInt8]?
    let answer: Answer
    private let running = Mutex<(listener: SocketListener, clients: LineClients)?>(nil)

    /// - Parameter refusal: the answer to a line that is too long, without its end. Later lines are answered as usual.
    package init(
        path: String, limits: Limits = Limits(), refusal: [UInt8]? = nil, answer: @escaping Answer
    ) {
        self.path = path
        self.limits = limits
        self.refusal = refusal
        self.answer = answer
    }

    /// Listens. The socket's file has mode 0600.
    /// - Throws: `cannotListen` if another process listens there, or the path cannot be used.
    package func start() throws(NetworkingError) {
        let loop = try EventLoop.shared
        let descriptor = try Socket.openListening(at: path)
        let clients = LineClients(of: self, on: loop)
        let listener = SocketListener(descriptor, on: loop) { descriptor, _ in clients.accept(descriptor) }
        guard listener.start() else {
            Socket.endListening(descriptor)
            Socket.removeFile(at: path)
            throw NetworkingError(.unavailable, "the network cannot watch one more socket")
        }
        running.withLock { $0 = (listener, clients) }
    }

    /// Removes the socket's file, stops listening, sends what is on its way and closes every connection.
    package func stop() async {
        guard let (listener, clients) = running.withLock({ $0.take() }) else { return }
        // Before the server stops, so that it never removes the file of the next server.
        Socket.removeFile(at: path)
        listener.stop()
        for connection in clients.all { connection.finish() }
        let deadline = ContinuousClock.now + .milliseconds(500)
        while !clients.all.isEmpty, ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(2))
        }
        for connection in clients.all { connection.cut() }
    }
}

/// The clients of a ``LineServer``.
private final class LineClients: Sendable {
    private let server: LineServer
    private let loop: EventLoop
    private let connections = Mutex<[ObjectIdentifier: LineConnection]>([:])

    init(of server: LineServer, on loop: EventLoop) { (self.server, self.loop) = (server, loop) }

    func accept(_ descriptor: Int32) {
        let connection = LineConnection(
            ByteStream(descriptor, loop: loop, tls: nil), server
        ) { [weak self] closed in self?.remove(closed) }
        let isWelcome = connections.withLock { connections in
            guard connections.count < server.limits.connections else { return false }
            connections[ObjectIdentifier(connection)] = connection
            return true
        }
        guard isWelcome else { return Socket.shut(descriptor) }
        if !connection.start() { remove(connection) }
    }

    private func remove(_ connection: LineConnection) {
        let removed = connections.withLock { $0.removeValue(forKey: ObjectIdentifier(connection)) }
        _ = removed
    }

    var all: [LineConnection] { connections.withLock { Array($0.values) } }
}
