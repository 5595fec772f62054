/// Opens streams to servers.
enum ClientConnector {
    /// A stream that is connecting; the caller starts or discards it.
    static func connect(to server: ServerURL, trust: TLSTrust) async throws(NetworkingError) -> ByteStream {
        let loop = try EventLoop.shared
        let context = server.isSecure ? try TLSContext.client(trust) : nil
        let address = try await HostResolver.address(of: server.host)
        guard let descriptor = Socket.connecting(to: address, port: server.port) else {
            throw .cannotConnect(server, reason: nil)
        }
        var session: TLSSession?
        if let context {
            session = context.session(on: descriptor, host: server.host)
            guard session != nil else {
                Socket.shut(descriptor)
                throw NetworkingError(.unavailable, "TLS cannot be started")
            }
        }
        return ByteStream(descriptor, loop: loop, tls: session, isConnected: false)
    }
}

extension NetworkingError {
    static func cannotConnect(_ server: ServerURL, reason: String?) -> NetworkingError {
        let detail = reason.map { " (\($0))" } ?? ""
        return NetworkingError(.cannotConnect, "cannot connect to \(server)\(detail); is the server running there?")
    }
}
