package import Networking
package import Synchronization

/// A server on loopback for tests: answers by path, and echoes on WebSockets.
package final class WebServer: HTTPServerHandler {
    /// The requests so far, in order.
    package let requests = Mutex<[HTTPRequest]>([])
    package let sockets = Mutex<[ServerWebSocket]>([])
    /// Where `/away` leads.
    package let elsewhere = Mutex("")

    init() {}

    package func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        requests.withLock { $0.append(request) }
        func redirect(_ status: Int, _ location: String) {
            responder.respond(HTTPResponse(status: status, headers: ["location": location]))
        }
        switch request.path {
        case "/never": break
        case "/large": responder.respond(HTTPResponse(status: 200, body: [UInt8](repeating: 7, count: 200_000)))
        case "/loop": redirect(302, "/loop")
        case "/301", "/302", "/303", "/307", "/308":
            redirect(Int(request.path.dropFirst()) ?? 500, "echo?from=redirect")
        case "/away": redirect(307, elsewhere.withLock { $0 })
        case "/missing": responder.respond(HTTPResponse(status: 404, body: Array("nothing".utf8)))
        default:
            let headers: HTTPFields = ["x-obj-version": "12", "x-other": "13", "x-method": request.method]
            responder.respond(HTTPResponse(status: 200, headers: headers, body: request.body))
        }
    }

    package func upgrade(_ request: HTTPRequest, from peer: PeerAddress) -> WebSocketUpgrade {
        requests.withLock { $0.append(request) }
        return request.path == "/refused" ? .refuse(HTTPResponse(status: 403)) : .accept
    }

    package func opened(_ socket: ServerWebSocket) { sockets.withLock { $0.append(socket) } }

    package func received(_ message: WebSocketMessage, on socket: ServerWebSocket) { socket.send(message) }

    /// Runs `body` while the server is at `http://127.0.0.1:<port>`.
    package static func run(_ body: (WebServer, _ port: Int) async throws -> Void) async throws {
        let handler = WebServer()
        let server = HTTPServer(configuration: HTTPServerConfiguration(), handler: handler)
        let port = try await server.start()
        do {
            try await body(handler, port)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    package var lastRequest: HTTPRequest? { requests.withLock { $0.last } }
}
