import Components
import Networking
import Synchronization
import Testing

@testable import WebGUI

/// A server whose sockets are pages, whoever asks.
private final class OpenHouse: HTTPServerHandler {
    let pages = OpenPages()
    let connect: @Sendable (PageSocket) async -> (any PagePeer)?

    init(_ connect: @escaping @Sendable (PageSocket) async -> (any PagePeer)?) { self.connect = connect }

    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {}
    func upgrade(_ request: HTTPRequest, from peer: PeerAddress) -> WebSocketUpgrade { .accept }
    func opened(_ socket: ServerWebSocket) { pages.open(socket, connect: connect) }
    func received(_ message: WebSocketMessage, on socket: ServerWebSocket) {
        if case .binary(let bytes) = message { pages[socket]?.receive(bytes) }
    }
    func drained(_ socket: ServerWebSocket) { pages[socket]?.drained() }
    func closed(_ socket: ServerWebSocket) { pages.close(socket) }
}

/// Notes how much waits for the page.
private final class Watched: PagePeer {
    let connection: ObjectConnection
    let most = Mutex(0)

    init(_ connection: ObjectConnection) { self.connection = connection }

    func receive(_ envelope: [UInt8]) { connection.receive(envelope) }
    func otherSideClosed() { connection.otherSideClosed() }
    func reportBacklog(_ bytes: Int) {
        most.withLock { $0 = max($0, bytes) }
        connection.reportBacklog(bytes)
    }
}

@Suite(.timeLimit(.minutes(2))) struct PageSocketTests {
    private func withPage(
        _ connect: @escaping @Sendable (PageSocket) async -> (any PagePeer)?,
        _ body: (WebSocketConnection) async throws -> Void
    ) async throws {
        var limits = HTTPServerConfiguration()
        limits.queueLimit = PageSocket.backlogLimit
        let server = HTTPServer(configuration: limits, handler: OpenHouse(connect))
        let port = try await server.start()
        var configuration = WebSocketClientConfiguration()
        configuration.messageLimit = PageSocket.messageLimit
        let page = try await WebSocketClient.connect(
            to: ServerURL(host: "127.0.0.1", port: port), configuration: configuration)
        try await body(page)
        page.close()
        await server.stop()
    }

    @Test func observablesWaitForASlowPage() async throws {
        let (count, size) = (300, 100_000)
        let root = ServiceObject(functions: [
            "values": .observableValues { _, _, emitter throws(RuntimeException) in
                for number in 0..<count {
                    try await emitter.emit(.bytes([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)))
                }
            }
        ])
        let peer = Mutex<Watched?>(nil)
        try await withPage { socket in
            let watched = Watched(socket.connection(root: root))
            peer.withLock { $0 = watched }
            return watched
        } _: { page in
            let client = ObjectConnection(root: nil, send: { try? page.send(.binary($0)) })
            let receiving = Task {
                for await event in page.events { if case .binary(let bytes) = event { client.receive(bytes) } }
                client.otherSideClosed()
            }
            let firsts = Mutex<[UInt8]>([])
            try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
                client.observe(["w3n", "values"]) { value in
                    firsts.withLock { $0.append(value.last ?? 255) }
                } end: { exception in
                    if let exception { done.resume(throwing: exception) } else { done.resume() }
                }
            }
            #expect(firsts.withLock { $0 } == (0..<count).map { UInt8(truncatingIfNeeded: $0) })
            page.close()
            await receiving.value
        }
        let most = try #require(peer.withLock { $0 }).most.withLock { $0 }
        // Two more values may be under way when the connection hears of it.
        let bound: Int = ConnectionLimits().unsent + 2 * size + 1000
        #expect(most <= bound)
    }

    @Test func theConnectionEndsWithTheSocket() async throws {
        let (ends, arrivals) = AsyncStream.makeStream(of: ConnectionEnd.self)
        try await withPage {
            $0.connection(root: ServiceObject()) { _ in
            } closed: {
                arrivals.yield($0)
            }
        } _: {
            $0.close()
        }
        #expect(await ends.first { _ in true } == .otherSide)
    }

    @Test func garbageEndsTheSocket() async throws {
        try await withPage {
            $0.connection(root: ServiceObject())
        } _: { page in
            try page.send(.binary([255, 255, 255]))
            let closes = await page.events.contains { if case .closed = $0 { true } else { false } }
            #expect(closes)
        }
    }

    @Test func aPageThatNobodyServesIsClosed() async throws {
        try await withPage { _ in
            nil
        } _: { page in
            let end = await page.events.first { _ in true }
            #expect(end == .closed(code: .tryAgainLater, reason: "nobody serves this page"))
        }
    }
}
