internal import Components
internal import Networking
import Synchronization

/// Answers the requests of browsers.
final class PageHandler: HTTPServerHandler {
    let site: PageSite
    let tickets = Tickets()
    let pages = OpenPages()
    /// Nil until the port is known.
    private let authorizer = Mutex<RequestAuthorizer?>(nil)

    init(_ site: PageSite) { self.site = site }

    func open(_ authorizer: RequestAuthorizer) { self.authorizer.withLock { $0 = authorizer } }

    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        Task { responder.respond(await answer(to: request)) }
    }

    func answer(to request: HTTPRequest) async -> HTTPResponse {
        guard let authorizer = authorizer.withLock({ $0 }), let whose = authorizer.site(of: request) else {
            return .refusal(403)
        }
        let reads = request.method == "GET" || request.method == "HEAD"
        guard reads || whose == .window && request.method == "POST" else { return .refusal(405) }
        switch whose {
        case .app: return authorizer.admitsApp(request) ? await file(at: request.path, authorizer) : .refusal(403)
        case .window: return await reads ? window(request, authorizer) : command(request, authorizer)
        }
    }

    /// Gives the key to the holder of a ticket, and leads on from here: a cookie for this site alone is not sent where another site has
    /// led. A `HEAD` does not use the ticket up.
    func enter(_ request: HTTPRequest, _ authorizer: RequestAuthorizer) -> HTTPResponse {
        guard request.method == "GET", let ticket = request.queryValue("ticket"), tickets.take(ticket) else {
            return .refusal(403)
        }
        var response = HTTPResponse(status: 200, headers: PagePolicy.entrance)
        response.headers["set-cookie"] = authorizer.cookie
        response.headers["refresh"] = "0; url=/"
        return response
    }

    /// The file at a path. The server has taken off the query, and decoded the path once.
    private func file(at text: String, _ authorizer: RequestAuthorizer) async -> HTTPResponse {
        guard let path = PackPath(text) else { return .refusal(404) }
        let isSetup = text == site.setupScript.path
        var body: [UInt8]?
        if let file = await site.file(path) {
            body = await file.contents()
            if body == nil { return .refusal(500) }
        }
        if isSetup { body = site.setupScript.served(await site.listing(), own: body) }
        guard let body else { return .refusal(404) }
        let policy = PagePolicy(
            permissions: await site.permissions(), origin: authorizer.appOrigin, window: authorizer.windowOrigin)
        var response = HTTPResponse(status: 200, headers: policy.fields, body: body)
        response.headers["content-type"] = ContentType.of(path) + (isSetup ? "; charset=utf-8" : "")
        return response
    }

    // MARK: Sockets

    func upgrade(_ request: HTTPRequest, from peer: PeerAddress) -> WebSocketUpgrade {
        guard let authorizer = authorizer.withLock({ $0 }), authorizer.admitsSocket(request) else {
            return .refuse(.refusal(403))
        }
        guard request.path == RequestAuthorizer.socketPath else { return .refuse(.refusal(404)) }
        return pages.hasRoom ? .accept : .refuse(.refusal(503))
    }

    func opened(_ socket: ServerWebSocket) { pages.open(socket, connect: site.connect) }

    func received(_ message: WebSocketMessage, on socket: ServerWebSocket) {
        switch message {
        case .binary(let bytes): pages[socket]?.receive(bytes)
        case .text: socket.close(.policyViolation, reason: "envelopes are binary messages")
        }
    }

    func drained(_ socket: ServerWebSocket) { pages[socket]?.drained() }

    func closed(_ socket: ServerWebSocket) { pages.close(socket) }
}

extension HTTPResponse {
    /// An answer that says nothing of the app, and what a person can do who reads it.
    static func refusal(_ status: Int) -> HTTPResponse {
        guard status != 204 else { return HTTPResponse(status: status, headers: PagePolicy.refusal) }
        let words =
            switch status {
            case 403: "This window of an app is over, or was opened by somebody else. Open the app again from Alcove."
            case 404: "The app has no such page. Open the app again from Alcove."
            case 503: "The app has too many windows. Close one of them."
            default: "This cannot be done here. Open the app again from Alcove."
            }
        var response = HTTPResponse(status: status, headers: PagePolicy.refusal, body: Array("\(words)\n".utf8))
        response.headers["content-type"] = "text/plain; charset=utf-8"
        return response
    }
}
