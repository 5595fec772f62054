/// Why a connection, a request or a server failed.
///
/// The message is for a person and says what to do next, if anything. It names hosts and ports, never headers or
/// bodies.
package struct NetworkingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong, for code that decides.
    package enum Code: String, Sendable {
        /// The address is not of the form `http://host:port/path` (or `https`, `ws`, `wss`).
        case invalidURL
        /// The name has no address, or could not be looked up.
        case unresolvedHost
        /// No server listens there, or the connection was refused or lost before it was established.
        case cannotConnect
        /// The other side answered, but not as the protocol demands: a refused upgrade, or bytes that are not HTTP.
        case handshakeFailed
        /// The server does not speak TLS, although the address demands it.
        case noTLS
        /// The server's certificate is not from an authority that is trusted.
        case untrustedCertificate
        /// The server's certificate is for another name.
        case wrongName
        /// The server's certificate is not valid at this time.
        case expiredCertificate
        /// The file with the authorities to trust, or with a client's own certificate or key, cannot be read.
        case noAuthorities
        /// The time given was over.
        case timedOut
        /// A body or message is larger than the configured limit.
        case tooLarge
        /// The connection is closed.
        case closed
        /// The receiver takes messages more slowly than they are sent: the outgoing queue is full.
        case queueFull
        /// The server cannot listen on this address: it is in use, belongs to another machine, or is not allowed.
        case cannotListen
        /// The client may not connect to any address of this host.
        case notAllowed
        /// The networking library could not be started in this process.
        case unavailable
    }

    /// What went wrong.
    package let code: Code
    /// One sentence for a person.
    package let message: String
    /// The HTTP status with which the other side refused an upgrade.
    package let status: Int?

    package init(_ code: Code, _ message: String, status: Int? = nil) {
        self.code = code
        self.message = message
        self.status = status
    }

    package var description: String { message }
}
