internal import Synchronization

/// A server on a Unix domain socket that answers each line with a line, for programs of the same user.
///
/// Any number of clients is served at once. Each client's lines are answered in order, one at a time; a client that
/// does not read its answers is cut once ``Limits/answer`` bytes wait for it, and disturbs nobody.
public final class LineServer: Sendable {
    public struct Limits: Sendable {
        /// Bytes of a line; a longer one ends its connection.
        public var line = 16 << 20
        /// Bytes that wait for a client. One answer may be longer if nothing else waits.
        public var answer = 64 << 20
        public var connections = 256

        public init() {}
    }

    /// Gets a line without its end, which is never empty, and returns the answer without its end.
    public typealias Answer = @Sendable ([UInt8]) async -> [UInt8]

    public let path: String
    private let limits: Limits
    private let answer: Answer
    private let listener = Mutex<Listener?>(nil)
    private let connections = Mutex<[ObjectIdentifier: LineConnection]>([:])

    public init(path: String, limits: Limits = Limits(), answer: @escaping Answer) {
        self.path = path
        self.limits = limits
        self.answer = answer
    }

    /// Listens. The socket's file has mode 0600.
    /// - Throws: `cannotListen` if another process listens there, or the path cannot be used.
    public func start() throws(NetworkingError) {
        let loop = try EventLoop.shared
        let descriptor: Int32
        switch Socket.listening(at: path) {
        case .descriptor(let open): descriptor = open
        case .pathTooLong: throw NetworkingError(.cannotListen, "the path of a socket has 1 to 107 bytes: \(path)")
        case .taken:
            throw NetworkingError(.cannotListen, "another process listens at \(path): stop it, or use another path")
        case .refused:
            throw NetworkingError(
                .cannotListen,
                "cannot listen at \(path): is there a file of this name, and may you write to its folder?")
        }
        let new = Listener(descriptor, loop: loop) { descriptor, _ in self.accept(descriptor, loop) }
        do throws(NetworkingError) {
            try new.start()
        } catch {
            Socket.removeFile(at: path)
            throw error
        }
        listener.withLock { $0 = new }
    }

    /// Stops listening, removes the socket's file, sends what is on its way and closes every connection.
    public func stop() async {
        guard let listener = listener.withLock({ $0.take() }) else { return }
        listener.close()
        Socket.removeFile(at: path)
        for connection in allConnections { connection.finish() }
        let deadline = ContinuousClock.now + .milliseconds(500)
        while !allConnections.isEmpty, ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(2))
        }
        for connection in allConnections { connection.cut() }
    }

    private func accept(_ descriptor: Int32, _ loop: EventLoop) {
        let connection = LineConnection(
            ByteStream(descriptor, loop: loop, tls: nil), limits: limits, answer: answer
        ) { [weak self] closed in self?.remove(closed) }
        let isWelcome = connections.withLock { connections in
            guard connections.count < limits.connections else { return false }
            connections[ObjectIdentifier(connection)] = connection
            return true
        }
        guard isWelcome else { return Socket.shut(descriptor) }
        if !connection.start() { remove(connection) }
    }

    private func remove(_ connection: LineConnection) {
        // The last reference may go here, outside the lock.
        let removed = connections.withLock { $0.removeValue(forKey: ObjectIdentifier(connection)) }
        _ = removed
    }

    private var allConnections: [LineConnection] { connections.withLock { Array($0.values) } }
}
