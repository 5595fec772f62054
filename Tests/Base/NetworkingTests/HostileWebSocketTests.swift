import Synchronization
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(5))) struct HostileWebSocketTests {
    /// A masked frame with the mask 0, so that the payload is readable.
    private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [first, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
    }

    static let violations: [(frames: [UInt8], code: WebSocketCloseCode)] = [
        ([0x81, 0x01, 0x61], .protocolError),  // not masked
        (frame(0xc1, [0x61]), .protocolError),  // a reserved bit
        (frame(0x83, [0x61]), .protocolError),  // an unknown opcode
        (frame(0x80, [0x61]), .protocolError),  // a fragment of nothing
        (frame(0x01, [0x61]) + frame(0x81, [0x62]), .protocolError),  // a message in a message
        (frame(0x09, []), .protocolError),  // a ping in pieces
        ([0x89, 0xfe, 0, 126], .protocolError),  // a long ping
        ([0x81, 0xfe, 0, 5], .protocolError),  // a length in too many bytes
        ([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 5], .protocolError),
        ([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], .tooLarge),
        ([0x82, 0xff, 0, 0, 0, 0, 0, 1, 0, 1], .tooLarge),
        (frame(0x81, [0xff]), .invalidData),
        (frame(0x01, [0xc3]) + frame(0x80, [0x28]), .invalidData),
        (frame(0x88, [3]), .protocolError),  // half a close code
        (frame(0x88, [3, 0xed]), .protocolError),  // 1005 is never sent
        (frame(0x88, [0, 1]), .protocolError),
        (frame(0x88, [3, 0xe8, 0xff]), .invalidData),
    ]

    @Test(arguments: violations)
    func violationsCloseWithTheirCode(violation: (frames: [UInt8], code: WebSocketCloseCode)) async throws {
        try await withServer { url, handler, _ in
            let client = try await RawClient.connect(url)
            try await client.upgrade()
            client.send(violation.frames)
            _ = try await client.textUntilEnd()
            let code = violation.code.rawValue
            #expect(client.bytes.first == 0x88)
            #expect(client.bytes.dropFirst(2).prefix(2).elementsEqual([UInt8(code >> 8), UInt8(code & 0xff)]))
            try await eventually { handler.closedCount.load(ordering: .relaxed) == 1 }
        }
    }

    @Test func fragmentsAndPingsMayMix() async throws {
        try await withServer { url, _, _ in
            let client = try await RawClient.connect(url)
            try await client.upgrade()
            let frames =
                Self.frame(0x01, [0xc3]) + Self.frame(0x89, [7]) + Self.frame(0x00, []) + Self.frame(0x80, [0xa9])
            // Byte by byte, because the result must not depend on how the bytes are cut.
            for byte in frames {
                client.send([byte])
                try await Task.sleep(for: .milliseconds(1))
            }
            try await eventually { client.bytes == [0x8a, 1, 7, 0x81, 2, 0xc3, 0xa9] }
            client.send(Self.frame(0x88, [3, 0xe8]))
            _ = try await client.textUntilEnd()
            #expect(client.bytes.suffix(4) == [0x88, 2, 3, 0xe8])
        }
    }

    @Test func aFrameBehindTheUpgradeIsNotLost() async throws {
        try await withServer { url, _, _ in
            let client = try await RawClient.connect(url)
            let request =
                "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            client.send(Array(request.utf8) + Self.frame(0x81, Array("early".utf8)))
            try await client.waitFor("early")
        }
    }

    @Test func whoDoesNotReadIsClosed() async throws {
        let limits: (inout HTTPServerConfiguration) -> Void = { configuration in
            configuration.queueLimit = 100_000
            configuration.farewell = .milliseconds(50)
        }
        try await withServer(limits) { url, handler, _ in
            let client = try await RawClient.connect(url)
            try await client.upgrade()
            client.pauseReading()
            let socket = try #require(handler.opened.withLock { $0.first })
            let message = WebSocketMessage.text(String(repeating: "x", count: 60_000))
            var sent = 0
            while socket.send(message) { sent += 1 }
            // The kernel's buffers take a few megabytes, the queue takes its limit, and nothing more is taken.
            #expect(sent < 1000)
            try await eventually { handler.closedCount.load(ordering: .relaxed) == 1 }
        }
    }

    @Test func whoDoesNotAnswerPingsIsCut() async throws {
        try await withServer {
            $0.pingInterval = .milliseconds(40)
        } _: { url, handler, _ in
            let client = try await RawClient.connect(url)
            try await client.upgrade()
            _ = try await client.textUntilEnd()
            #expect(client.bytes.starts(with: [0x89, 0]))
            try await eventually { handler.closedCount.load(ordering: .relaxed) == 1 }
        }
    }

    @Test func aServerThatFallsSilentIsGivenUp() async throws {
        try await withServer { url, _, _ in
            // Accepts, upgrades, and then stays silent: a handler that never answers, behind a raw listener.
            let (descriptor, port) = try #require(Socket.listening(on: "127.0.0.1", port: 0))
            defer { Socket.shut(descriptor) }
            var configuration = WebSocketClientConfiguration()
            configuration.connectTimeout = .milliseconds(50)
            let error = await #expect(throws: NetworkingError.self) {
                try await WebSocketClient.connect(
                    to: ServerURL(host: "127.0.0.1", port: port), configuration: configuration)
            }
            #expect(error?.code == .timedOut)
        }
    }
}
