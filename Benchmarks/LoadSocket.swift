import Foundation
import Networking

/// A blocking TCP client for measuring servers: no task, no queue, nothing between the clock and the kernel.
final class LoadSocket {
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(description: String) { self.description = description }

        /// What a close frame says (RFC 6455 section 5.5.1): a code of two bytes and a reason.
        init(closedWith payload: ArraySlice<UInt8>) {
            let code = payload.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            let reason = String(decoding: payload.dropFirst(2), as: UTF8.self)
            description = "the server has closed the connection: \(code) \(reason.debugDescription)"
        }
    }

    /// The server said nothing in time.
    struct Silence: Error, CustomStringConvertible {
        var description: String { "the server said nothing that was waited for" }
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// - Parameter source: the last number of the address 127.0.0.x to come from: each has its own 28 000 ports.
    init(port: Int, source: Int = 1) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "no socket to be had: errno \(errno)") }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
        wait(upTo: 60)
        let status = Self.address(source, port: 0).withUnsafeBytes { local in
            Self.address(1, port: port).withUnsafeBytes { remote in
                let size = socklen_t(remote.count)
                let isBound =
                    source == 1 ? 0 : bind(descriptor, local.assumingMemoryBound(to: sockaddr.self).baseAddress, size)
                return isBound | connect(descriptor, remote.assumingMemoryBound(to: sockaddr.self).baseAddress, size)
            }
        }
        guard status == 0 else { throw Failure(description: "cannot connect: errno \(errno)") }
    }

    deinit { close(descriptor) }

    /// 127.0.0.`last`, laid out as Linux wants it. Several C libraries bring `sockaddr_in` along, and which of them Swift
    /// takes it from changes with the imports of other files.
    private static func address(_ last: Int, port: Int) -> [UInt8] {
        let family = withUnsafeBytes(of: sa_family_t(AF_INET), Array.init)
        let port = withUnsafeBytes(of: UInt16(clamping: port).bigEndian, Array.init)
        return family + port + [127, 0, 0, UInt8(truncatingIfNeeded: last)] + [UInt8](repeating: 0, count: 8)
    }

    func send(_ bytes: [UInt8]) throws {
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure(description: "cannot write") }
    }

    /// How many seconds a server may say nothing to who waits for it: then it is at fault, and waiting on would end nothing.
    func wait(upTo seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    private func receiveMore() throws {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &piece, piece.count)
        guard count >= 0 || errno != EAGAIN else { throw Silence() }
        guard count > 0 else { throw Failure(description: "the server has closed the connection") }
        buffer += piece[..<count]
    }

    // MARK: HTTP

    /// One HTTP response with a `content-length`; its status and body.
    func response() throws -> (status: Int, body: String) {
        var reader = HTTPReader(.response(toHead: false), bodyLimit: 1 << 20)
        while true {
            buffer.withUnsafeBytes { reader.append($0) }
            buffer = []
            if let message = try reader.next() {
                return (message.head.status ?? 0, String(decoding: message.body, as: UTF8.self))
            }
            try receiveMore()
        }
    }

    static func request(_ method: String, _ path: String, _ body: String) -> [UInt8] {
        Array("\(method) \(path) HTTP/1.1\r\nhost: a\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }

    // MARK: WebSocket

    /// Asks for a WebSocket and waits for the answer.
    func upgrade() throws {
        try send(
            Array(
                ("GET / HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
                    + "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").utf8))
        while true {
            if let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) {
                guard buffer.starts(with: Array("HTTP/1.1 101".utf8)) else {
                    throw Failure(description: "the upgrade was refused")
                }
                return buffer.removeFirst(end.upperBound)
            }
            try receiveMore()
        }
    }

    /// A pong, also one that nobody asked for: who says nothing for long is taken for gone (RFC 6455 section 5.5.3).
    func staysAlive(_ payload: ArraySlice<UInt8> = []) throws {
        try send([0x8a, 0x80 | UInt8(clamping: payload.count), 0, 0, 0, 0] + payload)
    }

    static func frame(_ text: String) -> [UInt8] { WebSocketWriter.message(.text(text), isMasked: true) }

    /// The payload of the next frame that says something, which must be shorter than 64 KiB. Pings are answered.
    func frame() throws -> ArraySlice<UInt8> {
        while true {
            if buffer.count >= 2 {
                let isLong = buffer[1] == 126
                let start = isLong ? 4 : 2
                if buffer.count >= start {
                    let length = isLong ? Int(buffer[2]) << 8 | Int(buffer[3]) : Int(buffer[1])
                    if buffer.count >= start + length {
                        let (kind, payload) = (buffer[0] & 0x0f, buffer[start..<start + length])
                        buffer.removeFirst(start + length)
                        switch kind {
                        case 0x8: throw Failure(closedWith: payload)
                        case 0x9: try staysAlive(payload)
                        default: return payload
                        }
                        continue
                    }
                }
            }
            try receiveMore()
        }
    }

    /// Reads text frames until one contains the word.
    func frame(containing word: String) throws -> String {
        while true {
            let text = String(decoding: try frame(), as: UTF8.self)
            if text.contains(word) { return text }
        }
    }
}
