import Networking
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct WebSocketTests {
    /// Connects, skips the greeting, and closes at the end.
    private func withSocket(
        _ url: ServerURL,
        _ configuration: WebSocketClientConfiguration = WebSocketClientConfiguration(),
        _ body: (WebSocketConnection) async throws -> Void
    ) async throws {
        let connection = try await WebSocketClient.connect(to: url, configuration: configuration)
        #expect(await connection.nextEvent() == .text("hello"))
        try await body(connection)
        connection.close()
    }

    @Test(arguments: [0, 1, 125, 126, 1024, 1025, 65_535, 65_536])
    func echoesMessagesOfAnySize(size: Int) async throws {
        try await withServer { url, _, _ in
            try await withSocket(url) { connection in
                let text = String(repeating: "é", count: size / 2)
                let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
                try connection.send(text)
                try connection.send(.binary(bytes))
                #expect(await connection.nextEvent() == .text(text))
                #expect(await connection.nextEvent() == .binary(bytes))
            }
        }
    }

    @Test func keepsTheOrderOfABurst() async throws {
        try await withServer { url, _, _ in
            try await withSocket(url) { connection in
                for number in 0..<500 { try connection.send("\(number)") }
                for number in 0..<500 { #expect(await connection.nextEvent() == .text("\(number)")) }
            }
        }
    }

    @Test func aLargerMessageClosesWith1009() async throws {
        try await withServer {
            $0.messageLimit = 1000
        } _: { url, handler, _ in
            try await withSocket(url) { connection in
                try connection.send(String(repeating: "x", count: 1001))
                #expect(await connection.nextEvent() == .closed(code: .tooLarge, reason: "message too large"))
                #expect(await connection.nextEvent() == nil)
                try await eventually { handler.closedCount.load(ordering: .relaxed) == 1 }
            }
        }
    }

    @Test func theClientRefusesLargerMessagesToo() async throws {
        try await withServer { url, handler, _ in
            var configuration = WebSocketClientConfiguration()
            configuration.messageLimit = 100
            try await withSocket(url, configuration) { connection in
                try connection.send(String(repeating: "x", count: 101))
                #expect(await connection.nextEvent() == .closed(code: .tooLarge, reason: "message too large"))
            }
        }
    }

    @Test func theServersCloseArrivesWithItsReason() async throws {
        try await withServer { url, _, _ in
            try await withSocket(url) { connection in
                try connection.send("close")
                #expect(await connection.nextEvent() == .closed(code: .policyViolation, reason: "as you wish"))
                #expect(throws: NetworkingError.self) { try connection.send("late") }
            }
        }
    }

    @Test func theClientsCloseEndsBothSides() async throws {
        try await withServer { url, handler, server in
            try await withSocket(url) { connection in
                connection.close(.normal, reason: "done")
                guard case .closed = await connection.nextEvent() else {
                    Issue.record("not closed")
                    return
                }
                try await eventually { handler.closedCount.load(ordering: .relaxed) == 1 }
                try await eventually { server.connectionCount == 0 }
                let socket = try #require(handler.opened.withLock { $0.first })
                #expect(!socket.send(.text("too late")))
                socket.close()
            }
        }
    }

    @Test func stoppingSaysGoodbye() async throws {
        let server = HTTPServer(configuration: HTTPServerConfiguration(), handler: EchoHandler())
        let url = ServerURL(host: "127.0.0.1", port: try await server.start())
        try await withSocket(url) { connection in
            await server.stop()
            #expect(await connection.nextEvent() == .closed(code: .goingAway, reason: "the server stops"))
            await server.stop()
        }
    }

    @Test func aRefusedUpgradeIsAnError() async throws {
        try await withServer { url, _, _ in
            let refused = ServerURL(host: url.host, port: url.port, path: "/refused")
            let error = await #expect(throws: NetworkingError.self) { try await WebSocketClient.connect(to: refused) }
            #expect(error?.code == .handshakeFailed)
            #expect(error?.message.contains("429") == true)
        }
    }

    @Test func aCutConnectionIsAbnormal() async throws {
        try await withServer { url, handler, _ in
            try await withSocket(url) { connection in
                connection.abort()
                #expect(await connection.nextEvent() == .closed(code: .abnormal, reason: "cut on this side"))
                try await eventually { handler.closedCount.load(ordering: .relaxed) == 1 }
            }
        }
    }

    @Test func heartbeatsKeepAQuietConnectionAlive() async throws {
        try await withServer {
            $0.pingInterval = .seconds(2)
        } _: { url, _, server in
            var configuration = WebSocketClientConfiguration()
            configuration.pingInterval = .seconds(1)
            configuration.pingTimeout = .seconds(20)
            try await withSocket(url, configuration) { connection in
                try await Task.sleep(for: .milliseconds(4600))
                try connection.send("still here")
                #expect(await connection.nextEvent() == .text("still here"))
            }
        }
    }

    @Test func aReaderThatNeverReadsIsClosed() async throws {
        try await withServer {
            $0.queueLimit = 100_000
        } _: { url, handler, _ in
            var configuration = WebSocketClientConfiguration()
            configuration.eventLimit = 2
            let connection = try await WebSocketClient.connect(to: url, configuration: configuration)
            try await eventually { handler.opened.withLock { !$0.isEmpty } }
            let socket = try #require(handler.opened.withLock { $0.first })
            // Faster than any network: the queue must fill while the service thread is busy elsewhere.
            let message = WebSocketMessage.text(String(repeating: "x", count: 60_000))
            try await eventually { !socket.send(message) }
            try await eventually { handler.closedCount.load(ordering: .relaxed) == 1 }
            connection.close()
            // Whoever reads it after all hears that it has ended.
            var last: WebSocketEvent?
            for await event in connection.events { last = event }
            guard case .closed = last else {
                Issue.record("the last event is \(String(describing: last))")
                return
            }
        }
    }
}
