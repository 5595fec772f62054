import Synchronization
import Testing

@testable import Networking

/// A raw client: sends any bytes and records the answers.
final class RawClient: StreamOwner {
    private let stream: ByteStream
    private let received = Mutex<[UInt8]>([])
    private let isEnded = Atomic<Bool>(false)

    static func connect(_ url: ServerURL) async throws -> RawClient {
        let client = RawClient(try await ClientConnector.connect(to: url, trust: .system))
        #expect(client.stream.start(client))
        return client
    }

    private init(_ stream: ByteStream) { self.stream = stream }

    func streamOpened() {}
    func streamReceived(_ bytes: UnsafeRawBufferPointer) { received.withLock { $0 += bytes } }
    func streamClosed(_ end: StreamEnd) { isEnded.store(true, ordering: .releasing) }

    func send(_ bytes: [UInt8]) { _ = stream.send(bytes) }
    func send(_ text: String) { send(Array(text.utf8)) }
    func pauseReading() { stream.setReceiving(false) }
    func resumeReading() { stream.setReceiving(true) }
    func cut() { stream.cut() }

    var text: String { received.withLock { String(decoding: $0, as: UTF8.self) } }
    var bytes: [UInt8] { received.withLock { $0 } }
    var hasEnded: Bool { isEnded.load(ordering: .acquiring) }

    /// Everything received until the server ended the connection.
    func textUntilEnd() async throws -> String {
        try await eventually { hasEnded }
        return text
    }

    /// Waits until the received bytes contain the text this many times.
    func waitFor(_ needle: String, times: Int = 1) async throws {
        try await eventually { text.split(separator: needle, omittingEmptySubsequences: false).count > times }
    }

    /// Asks for a WebSocket and skips the answer and the greeting.
    func upgrade() async throws {
        send(
            "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        try await waitFor("hello")
        // The example of RFC 6455 section 1.3.
        #expect(text.contains("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
        received.withLock { bytes in
            if let greeting = bytes.firstRange(of: Array("hello".utf8)) { bytes.removeFirst(greeting.upperBound) }
        }
    }
}
