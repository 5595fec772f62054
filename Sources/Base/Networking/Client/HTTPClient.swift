/// Whose certificates a client accepts.
package enum TLSTrust: Sendable, Hashable {
    /// The certificate authorities that the system trusts.
    case system
    /// Only those in this PEM file.
    case authorities(path: String)
    /// Only a server with the public key whose `SubjectPublicKeyInfo` in DER has this SHA-256, 32 bytes. Name and dates of its certificate do not matter.
    case key(sha256: [UInt8])
}

/// Sends HTTP/1.1 requests, each on a connection of its own. Redirects are not followed.
///
/// ```swift
/// let answer = try await HTTPClient().send(HTTPRequest(path: "/healthz"), to: ServerURL("http://127.0.0.1:8080"))
/// ```
package struct HTTPClient: Sendable {
    /// The largest response body in bytes; more throws `tooLarge`.
    package var bodyLimit: Int
    /// Whose certificates are trusted.
    package var trust: TLSTrust
    /// Which addresses may be contacted; nil allows all. If a host has only forbidden addresses, sending throws
    /// `notAllowed`.
    package var permits: AddressFilter?
    /// Asked before this many more bytes of an answer are kept. If it returns false, sending throws `tooLarge`. Nil
    /// keeps all up to the limit.
    package var admits: (@Sendable (Int) -> Bool)?

    package init(bodyLimit: Int = 1 << 20, trust: TLSTrust = .system, permits: AddressFilter? = nil) {
        self.bodyLimit = bodyLimit
        self.trust = trust
        self.permits = permits
    }

    /// Sends the request and waits for the whole response, whatever its status, for at most `timeout`.
    ///
    /// Throws `timedOut`, `unresolvedHost`, `cannotConnect`, `handshakeFailed`, `tooLarge` or `closed`, and with TLS `noTLS`,
    /// `untrustedCertificate`, `wrongName`, `expiredCertificate` or `noAuthorities`; a cancelled task throws `closed`.
    package func send(
        _ request: HTTPRequest,
        to server: ServerURL,
        timeout: Duration = .seconds(15)
    ) async throws(NetworkingError) -> HTTPResponse {
        let (exchange, connecting) = begin(request, server, limit: bodyLimit)
        let deadline = Task {
            guard (try? await Task.sleep(for: timeout)) != nil else { return }
            exchange.fail(NetworkingError(.timedOut, "\(server) did not answer within \(timeout)"))
        }
        defer {
            deadline.cancel()
            connecting.cancel()
        }
        let (head, content) = try await exchange.head()
        var response = HTTPResponse(status: head.status ?? 0, headers: head.fields)
        while let piece = try await content.next() {
            guard admits?(piece.count) ?? true else {
                content.cancel()
                throw NetworkingError(.tooLarge, "there is no memory left for the answer of \(server)")
            }
            response.body += piece
        }
        return response
    }

    /// Sends the request and waits for the head of the response, whatever its status. The body follows piece by piece.
    ///
    /// Throws as ``send(_:to:timeout:)`` does.
    /// - Parameters:
    ///   - limit: bytes of the body; more throws `tooLarge`.
    ///   - patience: how long the server may take to answer, and how long it may be silent then while somebody reads.
    package func open(
        _ request: HTTPRequest,
        to server: ServerURL,
        limit: Int,
        patience: Duration = .seconds(30)
    ) async throws(NetworkingError) -> HTTPDownload {
        let (exchange, connecting) = begin(request, server, limit: limit)
        let silence = NetworkingError(.timedOut, "\(server) sent nothing for \(patience)")
        let deadline = Task {
            guard (try? await Task.sleep(for: patience)) != nil else { return }
            exchange.fail(silence)
        }
        defer {
            deadline.cancel()
            connecting.cancel()
        }
        let (head, content) = try await exchange.head()
        let watch = Task {
            while (try? await Task.sleep(for: patience / 4)) != nil {
                guard let since = content.waitsSince, .now - since >= patience else { continue }
                return exchange.fail(silence)
            }
        }
        return HTTPDownload(head, content, watch)
    }

    private func begin(
        _ request: HTTPRequest, _ server: ServerURL, limit: Int
    ) -> (HTTPExchange, connecting: Task<Void, Never>) {
        let exchange = HTTPExchange(request, server, bodyLimit: limit)
        let (trust, permits) = (trust, permits)
        let connecting = Task {
            do throws(NetworkingError) {
                exchange.start(try await ClientConnector.connect(to: server, trust: trust, permits: permits))
            } catch {
                exchange.fail(error)
            }
        }
        return (exchange, connecting)
    }
}

/// The response to a request, and its body while it comes in, for one reader. Letting it go ends the connection.
///
/// ```swift
/// let download = try await client.open(request, to: server, limit: 1 << 30)
/// for try await piece in download { try file.write(piece[...]) }
/// ```
package final class HTTPDownload: AsyncSequence, Sendable {
    package typealias Element = [UInt8]
    package typealias Failure = NetworkingError

    /// The status code, 200 to 599.
    package let status: Int
    /// The header fields.
    package let headers: HTTPFields
    private let content: IncomingContent
    private let watch: Task<Void, Never>

    init(_ head: HTTPHead, _ content: IncomingContent, _ watch: Task<Void, Never>) {
        status = head.status ?? 0
        headers = head.fields
        self.content = content
        self.watch = watch
    }

    deinit { cancel() }

    /// Ends the connection; whoever reads gets `closed`.
    package func cancel() {
        watch.cancel()
        content.cancel()
    }

    /// Bytes that wait for the reader.
    package var heldBytes: Int { content.held }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(download: self) }

    /// Gives out everything that has come since the last piece.
    package struct AsyncIterator: AsyncIteratorProtocol {
        package typealias Element = [UInt8]
        package typealias Failure = NetworkingError
        let download: HTTPDownload

        package mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(NetworkingError) -> [UInt8]? {
            try await download.content.next()
        }
    }
}
