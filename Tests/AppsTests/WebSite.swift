import Networking
import Synchronization

/// A site on loopback that answers what a test tells it to, and remembers what it was asked.
final class WebSite: HTTPServerHandler {
    private struct State {
        var pages: [String: HTTPResponse] = [:]
        var requests: [HTTPRequest] = []
    }

    private let state = Mutex(State())
    private let server = Mutex<HTTPServer?>(nil)
    let port = Mutex(0)

    static func open() async throws -> WebSite {
        let site = WebSite()
        let server = HTTPServer(configuration: HTTPServerConfiguration(), handler: site)
        let port = try await server.start()
        site.port.withLock { $0 = port }
        site.server.withLock { $0 = server }
        return site
    }

    var url: String { "http://127.0.0.1:\(port.withLock { $0 })" }
    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func serve(_ path: String, _ text: String, status: Int = 200, headers: HTTPFields = [:]) {
        state.withLock { $0.pages[path] = HTTPResponse(status: status, headers: headers, body: Array(text.utf8)) }
    }

    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        let page = state.withLock { state in
            state.requests.append(request)
            return state.pages[request.path]
        }
        guard let page else { return responder.respond(HTTPResponse(status: 404)) }
        if let tag = page.headers["etag"], request.headers["if-none-match"] == tag {
            return responder.respond(HTTPResponse(status: 304))
        }
        responder.respond(page)
    }

    func close() async { await server.withLock { $0.take() }?.stop() }
}
