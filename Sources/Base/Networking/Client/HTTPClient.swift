/// Whose certificates a client accepts.
package enum TLSTrust: Sendable, Hashable {
    /// The certificate authorities that the system trusts.
    case system
    /// Only those in this PEM file.
    case authorities(path: String)
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
        let exchange = HTTPExchange(request, server, bodyLimit: bodyLimit, admits: admits)
        let deadline = Task {
            guard (try? await Task.sleep(for: timeout)) != nil else { return }
            exchange.fail(NetworkingError(.timedOut, "\(server) did not answer within \(timeout)"))
        }
        defer { deadline.cancel() }
        let (trust, permits) = (trust, permits)
        let connecting = Task {
            do throws(NetworkingError) {
                exchange.start(try await ClientConnector.connect(to: server, trust: trust, permits: permits))
            } catch {
                exchange.fail(error)
            }
        }
        defer { connecting.cancel() }
        return try await withTaskCancellationHandler {
            await exchange.result()
        } onCancel: {
            exchange.fail(NetworkingError(.closed, "the request was cancelled"))
        }.get()
    }
}
