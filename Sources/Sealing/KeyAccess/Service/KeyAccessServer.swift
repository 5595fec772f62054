internal import Foundation
internal import Networking

/// A Key Access Service: it holds private keys, and gives the key of a NanoTDF to those whom the file's policy admits
/// (`docs/protocols/key-access.md`).
///
/// ```swift
/// let server = try KeyAccessServer(KeyAccessConfiguration(keys: keys, policy: policy))
/// let port = try await server.start()
/// …
/// await server.stop()
/// ```
package final class KeyAccessServer: Sendable {
    private let handler: KeyAccessRequestHandler
    private let http: HTTPServer

    /// Throws ``KeyAccessError`` if others on a network could call without authentication.
    package convenience init(_ configuration: KeyAccessConfiguration) throws(KeyAccessError) {
        try self.init(configuration, now: Self.systemTime)
    }

    /// - Parameter now: milliseconds since 1970.
    init(_ configuration: KeyAccessConfiguration, now: @escaping @Sendable () -> Int64) throws(KeyAccessError) {
        guard configuration.isLoopback || !configuration.policy.admitsAnybody else {
            throw KeyAccessError(
                .invalidConfiguration,
                """
                this would give keys to anybody on the network: listen on 127.0.0.1, or write a policy without the caller \
                "\(AccessPolicy.anonymous)"
                """)
        }
        var network = HTTPServerConfiguration(
            host: configuration.host, port: configuration.port, tls: configuration.tls)
        network.bodyLimit = configuration.limits.bodySize
        network.connectionLimit = 2000
        if !configuration.trustsForwardedFor { network.connectionsByAddress = 500 }
        handler = KeyAccessRequestHandler(configuration, now: now)
        http = HTTPServer(configuration: network, handler: handler)
    }

    /// Listens. Returns the port.
    @discardableResult
    package func start() async throws(KeyAccessError) -> Int {
        do throws(NetworkingError) {
            let port = try await http.start()
            handler.listens(on: port)
            return port
        } catch {
            throw KeyAccessError(.unavailable, error.message)
        }
    }

    /// Closes every connection.
    package func stop() async { await http.stop() }

    private static func systemTime() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
