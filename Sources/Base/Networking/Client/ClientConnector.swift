/// Whether a client may connect to an address, given as digits. It is asked after a name was resolved.
package typealias AddressFilter = @Sendable (_ address: String) -> Bool

/// Opens streams to servers.
enum ClientConnector {
    /// How long to wait for an address if another one is left to try.
    private static let patience = Duration.seconds(3)

    /// A connected stream, which the caller starts or discards. The addresses of a name are tried in turn.
    static func connect(
        to server: ServerURL, trust: TLSTrust, permits: AddressFilter? = nil
    ) async throws(NetworkingError) -> ByteStream {
        let loop = try EventLoop.shared
        let context = server.isSecure ? try ClientContexts.context(for: trust) : nil
        var addresses = try await HostResolver.addresses(of: server.host)
        if let permits {
            addresses = addresses.filter(permits)
            guard !addresses.isEmpty else {
                throw NetworkingError(.notAllowed, "\(server) is at an address that may not be connected to")
            }
        }
        guard let descriptor = await firstAnswering(addresses, port: server.port, loop) else {
            throw .cannotConnect(server, reason: "no answer")
        }
        guard let context else { return ByteStream(descriptor, loop: loop, tls: nil) }
        guard let session = context.session(on: descriptor, host: server.host) else {
            Socket.shut(descriptor)
            throw NetworkingError(.unavailable, "TLS cannot be started")
        }
        return ByteStream(descriptor, loop: loop, tls: session)
    }

    /// A socket that is connected to the first of the addresses where somebody listens.
    static func firstAnswering(_ addresses: [String], port: Int, _ loop: EventLoop) async -> Int32? {
        for (index, address) in addresses.enumerated() {
            guard let descriptor = Socket.connecting(to: address, port: port) else { continue }
            let limit = index + 1 == addresses.count ? nil : patience
            if await ConnectionAttempt(descriptor, loop: loop).succeeds(within: limit) { return descriptor }
        }
        return nil
    }
}

extension NetworkingError {
    /// - Parameter code: the kind of failure, if it is known.
    static func cannotConnect(
        _ server: ServerURL, reason: String, as code: Code = .cannotConnect
    ) -> NetworkingError {
        let advice = code == .cannotConnect ? "; is the server running there?" : ""
        return NetworkingError(code, "cannot connect to \(server) (\(reason))\(advice)")
    }
}
