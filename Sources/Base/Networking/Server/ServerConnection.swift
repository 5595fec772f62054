internal import Synchronization

/// One accepted connection: HTTP requests one after another, then perhaps a WebSocket.
final class ServerConnection: StreamOwner {
    struct State {
        var reader: HTTPReader
        var socket: ServerWebSocket?
        /// A request is with the handler; further ones wait.
        var isAnswering = false
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
                reader: HTTPReader(.requests, bodyLimit: configuration.bodyLimit),
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
        if let socket = state.withLock({ $0.socket }) { server.handler.drained(socket) } else { goOn() }
    }

    func streamClosed(_ end: StreamEnd) {
        server.remove(self)
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
        let (deadline, nextPing, socket) = state.withLock { ($0.deadline, $0.nextPing, $0.socket) }
        if let deadline, now >= deadline { return stream.cut() }
        guard let socket else { return }
        if socket.channel.isClosing { return limitFarewell() }
        guard let nextPing, now >= nextPing else { return }
        guard socket.channel.isAlive else { return socket.channel.abort("no answer to a ping") }
        socket.channel.ping()
        state.withLock { $0.nextPing = now + server.configuration.pingInterval }
    }
}
