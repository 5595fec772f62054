/// Where a server listens, and its limits.
package struct HTTPServerConfiguration: Sendable {
    /// A local IPv4 or IPv6 address; `0.0.0.0` for all IPv4 addresses, `::` for all addresses.
    package var host: String
    /// 0 takes a free port.
    package var port: Int
    /// Serves TLS with this certificate chain and key, both PEM files; nil serves plain HTTP.
    package var tls: TLSIdentity?
    /// The largest request body in bytes; more is answered with 413.
    package var bodyLimit = 1 << 20
    /// The largest WebSocket message in bytes; more closes the socket with 1009.
    package var messageLimit = 64 * 1024
    /// The most bytes that may wait to be sent on one WebSocket; a slower reader is closed with 1008.
    package var queueLimit = 1 << 20
    /// All connections together, WebSockets included; further ones are closed at once.
    package var connectionLimit = 20_000
    /// Connections of one IPv4 address, or of one /64 of IPv6; further ones are closed at once, before TLS. Behind a
    /// proxy all connections come from one address, so there the proxy has to count. Default: not counted.
    package var connectionsByAddress = Int.max
    /// Whether only programs of this process's own user may connect, over the loopback interface. Others are closed at once. Where the
    /// system does not say whose a connection is, everybody may.
    package var isForThisUser = false
    /// How many times as many connections a /48 of IPv6, which one site has, may have as one address.
    package var networkFactor = 8
    /// How long a WebSocket may be silent before it is pinged. After the same time without an answer it is cut.
    package var pingInterval: Duration = .seconds(45)
    /// How long a new connection may take to send its first request, TLS included.
    package var requestTimeout: Duration = .seconds(15)
    /// How long an HTTP connection may be kept open between requests, and how long a client may take to read an answer.
    /// Until it has read the answer, its next requests are not read.
    package var keepAlive: Duration = .seconds(30)
    /// How long a body that is sent or received piece by piece may make no progress while this side is ready.
    package var progressTimeout: Duration = .seconds(60)
    /// Bytes of a request's body that count as progress.
    package var progressBytes = 16 * 1024
    /// How long the other side may take to end a connection that this side has finished with.
    package var farewell: Duration = .seconds(2)
    /// What WebSockets are closed with when the server stops.
    package var goodbye = WebSocketCloseCode.goingAway
    /// Fields for the answers that the server gives by itself: to malformed and oversized requests.
    package var errorHeaders: HTTPFields = [:]

    package init(host: String = "127.0.0.1", port: Int = 0, tls: TLSIdentity? = nil) {
        self.host = host
        self.port = port
        self.tls = tls
    }
}

extension HTTPServerConfiguration {
    func decorate(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        for (name, value) in errorHeaders { response.headers.append(name, value) }
        return response
    }
}

/// A certificate chain and its key, as PEM files.
package struct TLSIdentity: Sendable, Hashable {
    /// The path of the certificates in PEM, the own one first.
    package var certificatePath: String
    /// The path of the private key in PEM.
    package var keyPath: String

    package init(certificatePath: String, keyPath: String) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
    }

    /// The SHA-256 of its public key, 32 bytes, as ``TLSTrust/key(sha256:)`` takes it. Throws `cannotListen` if the files hold no identity.
    package var keyHash: [UInt8] { get throws(NetworkingError) { try TLSContext.keyHash(of: self) } }
}
