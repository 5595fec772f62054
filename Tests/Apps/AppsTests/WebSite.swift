import Networking
import Synchronization

/// A site on loopback that answers what a test tells it to, and remembers what it was asked.
final class WebSite: HTTPServerHandler {
    private struct State {
        var pages: [String: HTTPResponse] = [:]
        var requests: [HTTPRequest] = []
        var held: [String: [HTTPResponder]] = [:]
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
        serve(path, bytes: Array(text.utf8), status: status, headers: headers)
    }

    func serve(_ path: String, bytes: [UInt8], status: Int = 200, headers: HTTPFields = [:]) {
        state.withLock { $0.pages[path] = HTTPResponse(status: status, headers: headers, body: bytes) }
    }

    /// Lets whoever asks for `path` wait until `release`.
    func hold(_ path: String) { state.withLock { $0.held[path] = [] } }

    func isAsked(_ path: String) -> Bool { state.withLock { $0.held[path]?.isEmpty == false } }

    func release(_ path: String) {
        let (waiting, page) = state.withLock { ($0.held.removeValue(forKey: path) ?? [], $0.pages[path]) }
        for responder in waiting { responder.respond(page ?? HTTPResponse(status: 404)) }
    }

    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        let (page, isHeld) = state.withLock { state in
            state.requests.append(request)
            state.held[request.path]?.append(responder)
            return (state.pages[request.path], state.held[request.path] != nil)
        }
        if isHeld { return }
        guard let page else { return responder.respond(HTTPResponse(status: 404)) }
        if let tag = page.headers["etag"], request.headers["if-none-match"] == tag {
            return responder.respond(HTTPResponse(status: 304))
        }
        responder.respond(page)
    }

    func close() async { await server.withLock { $0.take() }?.stop() }
}
