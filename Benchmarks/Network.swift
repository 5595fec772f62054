import Foundation
import Networking

/// Answers requests with their bodies and messages with themselves.
private struct Echo: HTTPServerHandler {
    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        responder.respond(HTTPResponse(status: 200, body: request.body))
    }

    func upgrade(_ request: HTTPRequest, from peer: PeerAddress) -> WebSocketUpgrade { .accept }
    func received(_ message: WebSocketMessage, on socket: ServerWebSocket) { socket.send(message) }
}

extension Suite {
    static let network = Suite(name: "network", about: "the HTTP and WebSocket server by itself") { recorder in
        for measure in [measureRequests, measureEchoes, measureIdleSockets] {
            let server = try ServerProcess("--serve-network")
            defer { server.stop() }
            try await measure(server, recorder)
        }
    }

    @Sendable static func serveEchoes() async throws -> Int {
        var configuration = HTTPServerConfiguration()
        configuration.connectionLimit = 100_000
        let server = HTTPServer(configuration: configuration, handler: Echo())
        return try await server.start()
    }

    private static func measureRequests(_ server: ServerProcess, _ recorder: Recorder) async throws {
        let sockets = try (0..<32).map { _ in try LoadSocket(port: server.port) }
        let request = LoadSocket.request("POST", "/echo", #"{"joinid":"123456","client1":"someone"}"#)
        let before = server.processorSeconds
        let rates = try (0..<5).map { _ in
            let time = try ContinuousClock().measure {
                for _ in 0..<500 {
                    for socket in sockets { try socket.send(request) }
                    for socket in sockets { _ = try socket.response() }
                }
            }
            return 500 * 32 / seconds(time)
        }
        let cost = (server.processorSeconds - before) / (5 * 500 * 32) * 1_000_000
        await recorder.record("HTTP requests, 32 connections", rates, unit: "requests/s", better: .higher)
        await recorder.record("processor time of a request", cost, unit: "µs", better: .lower)
    }

    private static func measureEchoes(_ server: ServerProcess, _ recorder: Recorder) async throws {
        let message = LoadSocket.frame(String(repeating: "x", count: 20))
        let one = try LoadSocket(port: server.port)
        try one.upgrade()
        var trips: [Double] = []
        for _ in 0..<20_000 {
            let time = try ContinuousClock().measure {
                try one.send(message)
                _ = try one.frame()
            }
            trips.append(seconds(time) * 1_000_000)
        }
        let (middle, worst) = (percentile(trips, 0.5), percentile(trips, 0.99))
        await recorder.record("echo round trip, p50", middle, unit: "µs", better: .lower)
        await recorder.record("echo round trip, p99", worst, unit: "µs", better: .lower)
        let sockets = try (0..<100).map { _ in try LoadSocket(port: server.port) }
        for socket in sockets { try socket.upgrade() }
        // Ten messages are on their way on each socket, so that it is the server that is measured.
        let burst = Array(repeatElement(message, count: 10).joined())
        let before = server.processorSeconds
        let rates = try (0..<5).map { _ in
            let time = try ContinuousClock().measure {
                for _ in 0..<100 {
                    for socket in sockets { try socket.send(burst) }
                    for socket in sockets { for _ in 0..<10 { _ = try socket.frame() } }
                }
            }
            return 100 * 1000 / seconds(time)
        }
        await recorder.record("echoes, 100 sockets", rates, unit: "messages/s", better: .higher, aim: 140_000)
        let cost = (server.processorSeconds - before) / (5 * 100 * 1000) * 1_000_000
        await recorder.record("processor time of an echo", cost, unit: "µs", better: .lower)
    }

    private static func measureIdleSockets(_ server: ServerProcess, _ recorder: Recorder) async throws {
        let before = server.residentBytes
        let count = ServerProcess.socketAllowance
        var sockets: [LoadSocket] = []
        for number in 0..<count {
            let socket = try LoadSocket(port: server.port, source: 2 + number / 10_000)
            try socket.upgrade()
            sockets.append(socket)
        }
        let all = Double(server.residentBytes)
        await recorder.record(
            "memory of an idle socket", (all - Double(before)) / Double(count) / 1024, unit: "KiB", better: .lower)
        await recorder.record(
            "memory with \(count) idle sockets", all / 1e6, unit: "MB", better: .lower, aim: 300)
        withExtendedLifetime(sockets) {}
    }
}
