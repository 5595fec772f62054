internal import Cryptography
internal import Networking
internal import Redis
internal import Storage
internal import Synchronization

/// The rendezvous server: it brings two people with a six-digit code into a room, and relays what their machines need
/// to find each other. It never sees their messages (`docs/protocols/rendezvous.md`).
///
/// ```swift
/// let server = try RendezvousServer(RendezvousConfiguration(port: 8080, store: .sqlite("/var/lib/alcove/rooms.db")))
/// let port = try await server.start()
/// …
/// await server.stop()
/// ```
package final class RendezvousServer: Sendable {
    package let configuration: RendezvousConfiguration
    private let handler: RequestHandler
    private let http: HTTPServer
    private let housekeeping = Mutex<Task<Void, Never>?>(nil)

    /// Opens the store. Throws ``RendezvousError`` with `cannotOpenStore`.
    package convenience init(_ configuration: RendezvousConfiguration) throws {
        try self.init(configuration, environment: .system)
    }

    init(_ configuration: RendezvousConfiguration, environment: RendezvousEnvironment) throws(RendezvousError) {
        self.configuration = configuration
        guard case .redis(let shared) = configuration.store else {
            let worker = StoreWorker(try Self.open(configuration, node: ""))
            let key = SecretBytes(copying: environment.random(32))
            handler = RequestHandler(configuration, environment, worker, key: key)
            http = HTTPServer(configuration: Self.network(configuration), handler: handler)
            return
        }
        let id = environment.uuid()
        let worker = StoreWorker(try Self.open(configuration, node: id), patience: shared.timing.decision)
        handler = RequestHandler(configuration, environment, worker, key: shared.key(for: "tickets"))
        let link = NodeLink(id: id, shared, sockets: configuration.limits.sockets, log: handler.log) {
            [weak handler] in handler?.heard($0)
        }
        handler.join(link)
        http = HTTPServer(configuration: Self.network(configuration), handler: handler)
    }

    private static func open(
        _ configuration: RendezvousConfiguration, node: String
    ) throws(RendezvousError) -> sending any RoomStore {
        do {
            switch configuration.store {
            case .memory: return try SQLiteRoomStore()
            case .sqlite(let path): return try SQLiteRoomStore(path: path)
            case .redis(let shared):
                // A Redis that cannot be reached at the start is a mistake in the settings; later it may come and go.
                let client = RedisClient(shared.address, timeout: shared.timing.answer)
                try client.command(RedisCommand("PING"))
                return RedisRoomStore(
                    client, namespace: shared.namespace,
                    idleLifetime: configuration.limits.idleRoomLifetime.milliseconds,
                    limits: RedisLimitNames(node: node, key: shared.key(for: "limits")))
            }
        } catch {
            let reason = (error as? DatabaseError)?.message ?? (error as? RedisError)?.message ?? "\(error)"
            throw RendezvousError(.cannotOpenStore, "the room store cannot be used: \(reason)")
        }
    }

    private static func network(_ configuration: RendezvousConfiguration) -> HTTPServerConfiguration {
        let identity = configuration.tls.map { TLSIdentity(certificatePath: $0.certificate, keyPath: $0.key) }
        var network = HTTPServerConfiguration(host: configuration.host, port: configuration.port, tls: identity)
        network.goodbye = .serviceRestart
        network.bodyLimit = configuration.limits.bodySize
        network.messageLimit = configuration.limits.messageSize
        // REST requests need some connections besides the sockets.
        network.connectionLimit = configuration.limits.sockets + 1000
        // Behind a proxy all connections come from one address.
        let isBehindProxy = configuration.trustsForwardedFor
        network.connectionsByAddress = isBehindProxy ? .max : configuration.limits.connectionsByAddress
        network.networkFactor = configuration.limits.networkFactor
        network.errorHeaders = RequestHandler.crossOriginHeaders
        return network
    }

    /// Listens. Returns the port. Throws ``RendezvousError`` with `cannotListen`.
    @discardableResult
    package func start() async throws -> Int {
        let port: Int
        do {
            port = try await http.start()
        } catch {
            throw RendezvousError(.cannotListen, error.message)
        }
        handler.link?.start()
        let previous = housekeeping.withLock { task in
            defer { task = Task { [handler] in await handler.performMaintenance() } }
            return task
        }
        previous?.cancel()
        handler.log.log("started")
        return port
    }

    /// Removes what has expired. The server does this every minute.
    func sweep() { handler.sweep(now: handler.environment.now()) }

    /// Closes every connection and finishes work in progress. The store keeps all decisions.
    package func stop() async {
        if configuration.drainTime > .zero {
            handler.state.withLock { $0.isDraining = true }
            try? await Task.sleep(for: configuration.drainTime)
        }
        housekeeping.withLock { $0.take() }?.cancel()
        await http.stop()
        await handler.worker.drain()
        await handler.link?.stop()
        handler.log.log("stopped")
        await handler.log.drain()
    }
}
