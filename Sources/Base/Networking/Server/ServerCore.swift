internal import Platform
internal import Synchronization

/// The part of a server that its connections see, and the socket that listens.
final class ServerCore: EventSource {
    private struct State {
        var descriptor: Int32
        var id: UInt64 = 0
        var connections: [UInt64: ServerConnection] = [:]
        var sources: SourceCounter
        var nextConnection: UInt64 = 1
        var isOpen = true
    }

    let configuration: HTTPServerConfiguration
    let handler: any HTTPServerHandler
    let loop: EventLoop
    private let tls: TLSContext?
    private let state: Mutex<State>

    init(
        _ configuration: HTTPServerConfiguration,
        _ handler: any HTTPServerHandler,
        _ loop: EventLoop,
        tls: TLSContext?,
        descriptor: Int32
    ) {
        self.configuration = configuration
        self.handler = handler
        self.loop = loop
        self.tls = tls
        let sources = SourceCounter(configuration.connectionsByAddress, network: configuration.networkFactor)
        state = Mutex(State(descriptor: descriptor, sources: sources))
    }

    func start() -> Bool {
        state.withLock { state in
            guard let id = loop.add(self, state.descriptor, reads: true, writes: false) else { return false }
            state.id = id
            return true
        }
    }

    /// Stops listening; the connections stay.
    func stopListening() {
        state.withLock { state in
            guard state.isOpen else { return }
            state.isOpen = false
            loop.remove(state.id, state.descriptor)
            Socket.shut(state.descriptor)
        }
    }

    func ready(_ event: Poller.Event) {
        // A bound, so that a crowd at the door does not starve those inside.
        for _ in 0..<64 {
            let accepted = state.withLock { $0.isOpen ? Socket.accepted($0.descriptor) : nil }
            guard let (descriptor, peer) = accepted else {
                if errno == EMFILE || errno == ENFILE { pauseListening() }
                return
            }
            accept(descriptor, peer)
        }
    }

    /// No descriptor is left: whoever waits at the door would wake the loop again and again.
    private func pauseListening() {
        watch(reads: false)
        Task {
            try? await Task.sleep(for: .milliseconds(100))
            watch(reads: true)
        }
    }

    private func watch(reads: Bool) {
        state.withLock { state in
            guard state.isOpen else { return }
            loop.poller.change(state.descriptor, id: state.id, reads: reads, writes: false)
        }
    }

    private func accept(_ descriptor: Int32, _ peer: PeerAddress) {
        let source = ClientAddress(peer.text)
        // Idle connections count, too, or one host could take the place of everybody.
        let isWelcome = state.withLock { state in
            state.connections.count < configuration.connectionLimit && state.sources.hasRoom(for: source)
        }
        guard isWelcome else { return Socket.shut(descriptor) }
        var session: TLSSession?
        if let tls {
            session = tls.session(on: descriptor, host: nil)
            guard session != nil else { return Socket.shut(descriptor) }
        }
        let stream = ByteStream(descriptor, loop: loop, tls: session)
        let connection = state.withLock { state in
            let id = state.nextConnection
            state.nextConnection += 1
            let connection = ServerConnection(id: id, peer: peer, source: source, stream: stream, server: self)
            state.connections[id] = connection
            state.sources.add(source)
            return connection
        }
        if !stream.start(connection) { remove(connection) }
    }

    func remove(_ connection: ServerConnection) {
        let removed = state.withLock { state in
            let removed = state.connections.removeValue(forKey: connection.id)
            if removed != nil { state.sources.remove(connection.source) }
            return removed
        }
        _ = removed
    }

    var count: Int { state.withLock { $0.connections.count } }

    /// All connections at this moment.
    var connections: [ServerConnection] { state.withLock { Array($0.connections.values) } }
}
