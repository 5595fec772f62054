import Networking
import Synchronization
import Testing

/// Echoes requests and WebSocket messages, and has a few special paths.
final class EchoHandler: HTTPServerHandler {
    let opened = Mutex<[ServerWebSocket]>([])
    let closedCount = Atomic<Int>(0)
    /// Requests that came to the handler.
    let handledCount = Atomic<Int>(0)

    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        handledCount.add(1, ordering: .relaxed)
        switch request.path {
        case "/late":
            Task {
                try? await Task.sleep(for: .milliseconds(20))
                responder.respond(HTTPResponse(status: 200, body: Array("late".utf8)))
                responder.respond(HTTPResponse(status: 500))
            }
        case "/never": break
        case "/empty": responder.respond(HTTPResponse(status: 204))
        case "/large": responder.respond(HTTPResponse(status: 200, body: [UInt8](repeating: 120, count: 3_000_000)))
        default:
            let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
            let headers: HTTPFields = [
                "x-method": request.method, "x-path": request.path, "x-peer": peer.text, "retry-after": "7",
                "content-type": request.headers["content-type"] ?? "none", "location": query,
            ]
            responder.respond(HTTPResponse(status: 200, headers: headers, body: request.body))
        }
    }

    /// `/pieces` is read and answered piece by piece, slowly.
    func plan(for request: HTTPRequest, from peer: PeerAddress) -> RequestPlan {
        guard request.path == "/pieces" else { return .whole }
        return .stream(limit: .max) { content in
            var bytes: [UInt8] = []
            while let piece = try? await content.next() {
                bytes += piece
                await Task.yield()
            }
            let all = bytes
            return HTTPResponse(
                status: 200,
                content: .region(0..<all.count) { place, count in
                    await Task.yield()
                    return Array(all[place..<min(place + count, place + 10_000)])
                })
        }
    }

    func upgrade(_ request: HTTPRequest, from peer: PeerAddress) -> WebSocketUpgrade {
        request.path == "/refused" ? .refuse(HTTPResponse(status: 429, headers: ["retry-after": "3"])) : .accept
    }

    func opened(_ socket: ServerWebSocket) {
        opened.withLock { $0.append(socket) }
        socket.send(.text("hello"))
    }

    func received(_ message: WebSocketMessage, on socket: ServerWebSocket) {
        if message == .text("close") {
            socket.close(.policyViolation, reason: "as you wish")
        } else {
            socket.send(message)
        }
    }

    func closed(_ socket: ServerWebSocket) { closedCount.add(1, ordering: .relaxed) }
}

/// Runs `body` against a server on a free port of the loopback interface.
func withServer(
    _ adjust: (inout HTTPServerConfiguration) -> Void = { _ in },
    _ body: (ServerURL, EchoHandler, HTTPServer) async throws -> Void
) async throws {
    var configuration = HTTPServerConfiguration()
    adjust(&configuration)
    let handler = EchoHandler()
    let server = HTTPServer(configuration: configuration, handler: handler)
    let port = try await server.start()
    let url = ServerURL(host: "127.0.0.1", port: port, isSecure: configuration.tls != nil)
    do {
        try await body(url, handler, server)
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}

/// Waits for a condition that must become true soon.
func eventually(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    for _ in 0..<2000 {
        if condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("did not come true within ten seconds", sourceLocation: sourceLocation)
}

extension WebSocketConnection {
    /// The next event; nil after the last.
    func nextEvent() async -> WebSocketEvent? {
        for await event in events { return event }
        return nil
    }
}
