internal import Platform
internal import Synchronization

/// A server on a Unix domain socket that answers each line with a line, for programs of the same user.
///
/// Any number of clients is served at once. Each client's lines are answered in order, one at a time; a client that
/// does not read its answers is cut once ``Limits/answer`` bytes wait for it, and disturbs nobody.
public final class LineServer: Sendable {
    public struct Limits: Sendable {
        /// Bytes of a line. A longer one gets ``LineServer/refusal`` in the place of an answer.
        public var line = 16 << 20
        /// Bytes that wait for a client. One answer may be longer if nothing else waits.
        public var answer = 64 << 20
        public var connections = 256

        public init() {}
    }

    /// Gets a line without its end, which is never empty, and returns the answer without its end.
    public typealias Answer = @Sendable ([UInt8]) async -> [UInt8]

    public let path: String
    let limits: Limits
    /// What a line gets that is too long; `nil` ends its connection.
    let refusal: [UInt8]?
    let answer: Answer
    private let listener = Mutex<LineListener?>(nil)

    /// - Parameter refusal: the answer to a line that is too long, without its end. What comes after that line is
    ///   answered as ever.
    public init(
        path: String, limits: Limits = Limits(), refusal: [UInt8]? = nil, answer: @escaping Answer
    ) {
        self.path = path
        self.limits = limits
        self.refusal = refusal
        self.answer = answer
    }

    /// Listens. The socket's file has mode 0600.
    /// - Throws: `cannotListen` if another process listens there, or the path cannot be used.
    public func start() throws(NetworkingError) {
        let loop = try EventLoop.shared
        let descriptor: Int32
        switch Socket.listening(at: path) {
        case .descriptor(let open): descriptor = open
        case .pathTooLong:
            throw NetworkingError(
                .cannotListen,
                "cannot listen at \(path): this is too long for a socket, or the folder is missing or closed to you")
        case .taken:
            throw NetworkingError(.cannotListen, "another process listens at \(path): stop it, or use another path")
        case .refused:
            throw NetworkingError(
                .cannotListen,
                "cannot listen at \(path): is there a file of this name, and may you write to its folder?")
        }
        let new = LineListener(server: self, loop: loop, descriptor: descriptor)
        guard new.start() else {
            Socket.shut(descriptor)
            Socket.removeFile(at: path)
            throw NetworkingError(.unavailable, "the network cannot watch one more socket")
        }
        listener.withLock { $0 = new }
    }

    /// Removes the socket's file, stops listening, sends what is on its way and closes every connection.
    public func stop() async {
        guard let listener = listener.withLock({ $0.take() }) else { return }
        // Before it stops, so that it is never the file of whoever listens here next.
        Socket.removeFile(at: path)
        listener.stop()
        for connection in listener.connections { connection.finish() }
        let deadline = ContinuousClock.now + .milliseconds(500)
        while !listener.connections.isEmpty, ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(2))
        }
        for connection in listener.connections { connection.cut() }
    }
}

/// Accepts the clients of a ``LineServer``.
final class LineListener: EventSource {
    private struct State {
        var descriptor: Int32
        var id: UInt64 = 0
        var isOpen = true
        var connections: [ObjectIdentifier: LineConnection] = [:]
    }

    private let server: LineServer
    private let loop: EventLoop
    private let state: Mutex<State>

    init(server: LineServer, loop: EventLoop, descriptor: Int32) {
        self.server = server
        self.loop = loop
        state = Mutex(State(descriptor: descriptor))
    }

    func start() -> Bool {
        state.withLock { state in
            guard let id = loop.add(self, state.descriptor, reads: true, writes: false) else { return false }
            state.id = id
            return true
        }
    }

    func stop() {
        state.withLock { state in
            guard state.isOpen else { return }
            state.isOpen = false
            loop.remove(state.id, state.descriptor)
            Socket.shut(state.descriptor)
        }
    }

    func ready(_ event: Poller.Event) {
        for _ in 0..<64 {
            guard let (descriptor, _) = state.withLock({ $0.isOpen ? Socket.accepted($0.descriptor) : nil }) else {
                return
            }
            let connection = LineConnection(
                ByteStream(descriptor, loop: loop, tls: nil), server
            ) { [weak self] closed in self?.remove(closed) }
            let isWelcome = state.withLock { state in
                guard state.connections.count < server.limits.connections else { return false }
                state.connections[ObjectIdentifier(connection)] = connection
                return true
            }
            guard isWelcome else {
                Socket.shut(descriptor)
                continue
            }
            if !connection.start() { remove(connection) }
        }
    }

    private func remove(_ connection: LineConnection) {
        let removed = state.withLock { $0.connections.removeValue(forKey: ObjectIdentifier(connection)) }
        _ = removed
    }

    var connections: [LineConnection] { state.withLock { Array($0.connections.values) } }
}
