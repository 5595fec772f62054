package import Networking

/// Serves one component's pages to browsers of this user on this computer: a window, and in it the app at an origin of its own.
///
/// ```swift
/// let server = try await PageServer.start(site)
/// open(server.entrance())
/// …
/// await server.stop()
/// ```
package final class PageServer: Sendable {
    private let handler: PageHandler
    private let authorizer: RequestAuthorizer
    private let servers: [HTTPServer]

    private init(_ handler: PageHandler, _ authorizer: RequestAuthorizer, _ servers: [HTTPServer]) {
        self.handler = handler
        self.authorizer = authorizer
        self.servers = servers
    }

    /// Listens on a free port of the loopback addresses. Throws `cannotListen`.
    package static func start(_ site: PageSite) async throws(NetworkingError) -> PageServer {
        let handler = PageHandler(site)
        let (servers, port) = try await listen(handler)
        let authorizer = RequestAuthorizer(port: port)
        handler.open(authorizer)
        return PageServer(handler, authorizer, servers)
    }

    /// The address of the app's window, to open in a browser. Each is good for one browser, once, within five minutes.
    package func entrance() -> String {
        "\(authorizer.windowOrigin)\(RequestAuthorizer.entrancePath)?ticket=\(handler.tickets.issue())"
    }

    /// `http://name.localhost:port` of the app, which no other site ever has.
    package var origin: String { authorizer.appOrigin }

    /// Closes the sockets of all pages, and stops.
    package func stop() async {
        for server in servers { await server.stop() }
    }

    /// Browsers take `name.localhost` for `::1` as well as for `127.0.0.1`, so the port has to be ours on both: else another user
    /// could take it on one of them, and get what is meant for us.
    private static func listen(_ handler: PageHandler) async throws(NetworkingError) -> ([HTTPServer], port: Int) {
        var attempts = 8
        while true {
            let four = HTTPServer(configuration: configuration("127.0.0.1", 0), handler: handler)
            let port = try await four.start()
            let six = HTTPServer(configuration: configuration("::1", port), handler: handler)
            do throws(NetworkingError) {
                try await six.start()
                return ([four, six], port)
            } catch {
                // Without IPv6 on this computer nobody else can listen there either.
                if await !hasIPv6(handler) { return ([four], port) }
                await four.stop()
                attempts -= 1
                if attempts == 0 { throw error }
            }
        }
    }

    private static func hasIPv6(_ handler: PageHandler) async -> Bool {
        let probe = HTTPServer(configuration: configuration("::1", 0), handler: handler)
        guard (try? await probe.start()) != nil else { return false }
        await probe.stop()
        return true
    }

    private static func configuration(_ host: String, _ port: Int) -> HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration(host: host, port: port)
        configuration.bodyLimit = 0
        configuration.isForThisUser = true
        configuration.connectionLimit = 128
        configuration.messageLimit = PageSocket.messageLimit
        configuration.queueLimit = PageSocket.backlogLimit
        configuration.errorHeaders = PagePolicy.refusal
        return configuration
    }
}
