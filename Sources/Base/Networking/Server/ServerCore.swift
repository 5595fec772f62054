internal import Synchronization

/// The part of a server that its connections see.
final class ServerCore: Sendable {
    private struct State {
        var connections: [UInt64: ServerConnection] = [:]
        var sources: SourceCounter
        var nextConnection: UInt64 = 1
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
        tls: TLSContext?
    ) {
        self.configuration = configuration
        self.handler = handler
        self.loop = loop
        self.tls = tls
        let sources = SourceCounter(configuration.connectionsByAddress, network: configuration.networkFactor)
        state = Mutex(State(sources: sources))
    }

    /// Begins a connection, or closes it if there are too many.
    func accept(_ descriptor: Int32, _ peer: PeerAddress) {
        let source = ClientAddress(peer.text)
        // Idle connections count too; otherwise one host could use up all places.
        let isWelcome = state.withLock { state in
            state.connections.count < configuration.connectionLimit && state.sources.hasRoom(for: source)
        }
        guard isWelcome else { return Socket.shut(descriptor) }
        #if canImport(Glibc)
        if configuration.isForThisUser, !PeerUser.isOwn(descriptor) { return Socket.shut(descriptor) }
        #endif
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
