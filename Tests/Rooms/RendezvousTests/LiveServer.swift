import Networking
import Synchronization
import Wire

@testable import Rendezvous

/// A server on loopback for one test, and its clients.
final class LiveServer: Sendable {
    let server: RendezvousServer
    let url: ServerURL

    init(
        _ store: RendezvousConfiguration.Store = .memory,
        limits: RendezvousLimits = .unlimited,
        environment: RendezvousEnvironment = .system,
        configure: (inout RendezvousConfiguration) -> Void = { _ in }
    ) async throws {
        var configuration = RendezvousConfiguration(store: store, limits: limits)
        configure(&configuration)
        server = try RendezvousServer(configuration, environment: environment)
        url = try ServerURL("http://127.0.0.1:\(try await server.start())")
    }

    /// Starts a server, and stops it however the body ends.
    static func run<Result>(
        _ store: RendezvousConfiguration.Store = .memory,
        limits: RendezvousLimits = .unlimited,
        environment: RendezvousEnvironment = .system,
        configure: (inout RendezvousConfiguration) -> Void = { _ in },
        _ body: (LiveServer) async throws -> Result
    ) async throws -> Result {
        let live = try await LiveServer(store, limits: limits, environment: environment, configure: configure)
        do {
            let result = try await body(live)
            await live.server.stop()
            return result
        } catch {
            await live.server.stop()
            throw error
        }
    }

    func send(
        _ method: String,
        _ path: String,
        _ body: String = "",
        query: [HTTPRequest.QueryItem] = [],
        headers: HTTPFields = ["content-type": "application/json"]
    ) async throws -> HTTPResponse {
        let request = HTTPRequest(method: method, path: path, query: query, headers: headers, body: Array(body.utf8))
        return try await HTTPClient().send(request, to: url, timeout: .seconds(60))
    }

    func post(_ path: String, _ body: JSONValue) async throws -> HTTPResponse {
        try await send("POST", path, body.text)
    }

    func socket() async throws -> TestSocket {
        // A test on a busy machine reads late what came at once, and is not to be cut off for it.
        var configuration = WebSocketClientConfiguration()
        configuration.eventLimit = 100_000
        return try await TestSocket(WebSocketClient.connect(to: url, configuration: configuration))
    }
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// A member of the JSON object in the body.
    subscript(name: String) -> JSONValue? { (try? JSONValue(body))?.object?[name] }
}

/// A client's socket, which returns one message after another.
final class TestSocket {
    let connection: WebSocketConnection
    private var events: AsyncStream<WebSocketEvent>.Iterator

    init(_ connection: WebSocketConnection) {
        self.connection = connection
        events = connection.events.makeAsyncIterator()
    }

    func send(_ message: JSONValue) throws { try connection.send(message.text) }

    /// The next message, or nil if the socket was closed.
    func next() async -> JSONObject? {
        switch await events.next(isolation: #isolation) {
        case .text(let text): (try? JSONValue(text.utf8))?.object
        case .binary, .closed, nil: nil
        }
    }

    /// How the socket ends; messages before that are dropped.
    func end() async -> (code: UInt16, reason: String)? {
        while let event = await events.next(isolation: #isolation) {
            if case .closed(let code, let reason) = event { return (code.rawValue, reason) }
        }
        return nil
    }

    /// Messages up to one of this type, which is returned; nil if the socket was closed before.
    func next(_ type: String) async -> JSONObject? {
        while let message = await next() {
            if message["type"]?.string == type { return message }
        }
        return nil
    }
}
