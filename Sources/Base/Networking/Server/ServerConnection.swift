internal import Synchronization

/// One accepted connection: HTTP requests one after another, then perhaps a WebSocket.
final class ServerConnection: StreamOwner {
    struct State {
        var reader: HTTPReader
        var socket: ServerWebSocket?
        /// The request whose body is coming in.
        var incoming: IncomingRequest?
        /// A request is with the handler; further ones wait.
        var isAnswering = false
        /// The client waits to be told that it may send the body.
        var isAsked = false
        /// Reads the body of a request piece by piece, or writes that of an answer.
        var task: Task<Void, Never>?
        /// Where the body of an answer is written piece by piece.
        var writer: HTTPContentWriter?
        /// Bytes of a body that must move before the deadline, which then moves on.
        var progress = BodyProgress()
        /// The client has not read the last answer; further requests wait.
        var isHeldBack = false
        /// The last answer is given: what still comes in is thrown away.
        var isOver = false
        /// When the connection is cut, unless something happens before.
        var deadline: ContinuousClock.Instant?
        /// When a silent WebSocket is looked at again.
        var nextPing: ContinuousClock.Instant?
    }

    let id: UInt64
    let peer: PeerAddress
    let source: ClientAddress
    let stream: ByteStream
    let server: ServerCore
    let state: Mutex<State>

    init(id: UInt64, peer: PeerAddress, source: ClientAddress, stream: ByteStream, server: ServerCore) {
        self.id = id
        self.peer = peer
        self.source = source
        self.stream = stream
        self.server = server
        let configuration = server.configuration
        state = Mutex(
            State(
                reader: HTTPReader(.requests),
                deadline: .now + configuration.requestTimeout
            )
        )
    }

    func streamOpened() {}

    func streamReceived(_ bytes: UnsafeRawBufferPointer) {
        let socket = state.withLock { state in
            if state.socket == nil, !state.isOver { state.reader.append(bytes) }
            return state.socket
        }
        if let socket { receive(bytes, on: socket) } else { handleRequests() }
    }

    func streamDrained() {
        let (socket, writer) = state.withLock { ($0.socket, $0.writer) }
        if let socket { return server.handler.drained(socket) }
        if let writer { writer.drained() } else { goOn() }
    }

    func streamClosed(_ end: StreamEnd) {
        server.remove(self)
        endBodies()
        guard let socket = state.withLock({ $0.socket }) else { return }
        _ = socket.channel.end(end)
        server.handler.closed(socket)
    }

    func receive(_ bytes: UnsafeRawBufferPointer, on socket: ServerWebSocket) {
        socket.channel.receive(bytes) { server.handler.received($0, on: socket) }
        if socket.channel.isClosing { limitFarewell() }
    }

    /// Gives the other side a moment to end a connection that is over.
    func limitFarewell() {
        state.withLock { $0.deadline = $0.deadline ?? .now + server.configuration.farewell }
    }

    /// Called every now and then: cuts what took too long, pings what is silent.
    func check(_ now: ContinuousClock.Instant) {
        let (deadline, nextPing, socket) = state.withLock { state in
            if let writer = state.writer, state.progress.hasMoved(to: writer.acknowledged) || stream.queued == 0 {
                state.deadline = now + server.configuration.progressTimeout
            }
            return (state.deadline, state.nextPing, state.socket)
        }
        if let deadline, now >= deadline { return stream.cut() }
        guard let socket else { return }
        if socket.channel.isClosing { return limitFarewell() }
        guard let nextPing, now >= nextPing else { return }
        guard socket.channel.isAlive else { return socket.channel.abort("no answer to a ping") }
        socket.channel.ping()
        state.withLock { $0.nextPing = now + server.configuration.pingInterval }
    }
}

/// A request whose head was read.
struct IncomingRequest {
    var request: HTTPRequest
    let form: AnswerForm
    /// Where its body goes if it is read piece by piece.
    var content: IncomingContent?
}

/// What the head of a request says about the answer's form.
struct AnswerForm {
    /// Whether the connection may carry another request.
    var keeps: Bool
    /// Whether only the head of the answer is wanted.
    let isHead: Bool
    /// Whether the client reads chunks.
    let isVersion11: Bool

    init(_ head: HTTPHead) {
        keeps = head.keepsConnection
        isHead = head.first == "HEAD"
        isVersion11 = head.isVersion11
    }
}

/// How far a body has come, for the time limit on progress.
struct BodyProgress {
    private var bytes = 0

    /// Counts incoming bytes. Returns whether they are enough for more time.
    mutating func add(_ count: Int, outOf enough: Int) -> Bool {
        bytes += count
        guard bytes >= enough else { return false }
        bytes = 0
        return true
    }

    /// Whether more bytes have arrived at the client than before.
    mutating func hasMoved(to total: Int) -> Bool {
        defer { bytes = max(bytes, total) }
        return total > bytes
    }
}
