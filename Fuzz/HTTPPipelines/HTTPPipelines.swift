import Dispatch
import Networking
import Platform

/// A connection that another thread is about to close is looked at too early.
@_cdecl("__lsan_default_suppressions")
public func leaksOfPipelinesThatAreNone() -> UnsafePointer<CChar> {
    let text: StaticString = "leak:swift_weakInit"
    return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Sends any bytes to a server on loopback over one connection, in pieces, and then nothing more. What the server takes for
/// requests must be what the reader takes for them, each answered once and in turn, and the connection must end.
///
/// The first byte is the size of the pieces, and says whether answers are read in between.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTPPipelines(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = input.first else { return 0 }
    let bytes = Array(input.dropFirst())
    let size = choice & 0x7f == 0 ? max(bytes.count, 1) : Int(choice & 0x7f)
    guard let client = LoopbackClient(port: server) else { return 0 }
    var answers: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
        guard client.send(bytes[start..<min(start + size, bytes.count)]) else { break }
        if choice & 0x80 != 0 { answers += client.readNow() }
    }
    client.endSending()
    answers += client.readToEnd()
    let answered = digests(in: answers)
    let asked = requests(in: bytes)
    precondition(answered == Array(asked.prefix(answered.count)), "the answers are not those to the requests")
    return 0
}

/// Answers each request with a field that tells its body apart.
private struct Answerer: HTTPServerHandler {
    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        responder.respond(HTTPResponse(status: 204, headers: ["x-digest": digest(request)]))
    }
}

private func digest(_ request: HTTPRequest) -> String {
    let sum = (Array(request.path.utf8) + request.body).reduce(UInt32(5381)) { $0 &* 33 &+ UInt32($1) }
    return "\(sum)"
}

/// What the reader makes of all bytes at once.
private func requests(in bytes: [UInt8]) -> [String] {
    var reader = HTTPReader(.requests, bodyLimit: 1 << 20)
    bytes.withUnsafeBytes { reader.append($0) }
    var found: [String] = []
    // What cannot be understood, and an upgrade, is answered by the server itself and ends the connection.
    while let message = try? reader.next(), let request = HTTPRequest(message) { found.append(digest(request)) }
    return found
}

private func digests(in answers: [UInt8]) -> [String] {
    // A connection that breaks may cut the last answer short.
    guard let end = answers.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    return String(decoding: answers[...end], as: UTF8.self).split(separator: "\r\n").compactMap { line in
        line.hasPrefix("x-digest: ") ? String(line.dropFirst("x-digest: ".count)) : nil
    }
}

private let server: Int = {
    let isStarted = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var port = 0
    Task {
        let server = HTTPServer(configuration: HTTPServerConfiguration(), handler: Answerer())
        port = (try? await server.start()) ?? 0
        isStarted.signal()
        // The server lives as long as the process.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        await server.stop()
    }
    isStarted.wait()
    precondition(port != 0, "the server does not start")
    return port
}()

/// A blocking connection, each wait of which ends within ten seconds.
private final class LoopbackClient {
    private let descriptor: Int32

    init?(port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        let status = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// False if the server has ended the connection.
    func send(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    func readNow() -> [UInt8] { read(Int32(MSG_DONTWAIT)) ?? [] }

    func readToEnd() -> [UInt8] {
        var all: [UInt8] = []
        while let bytes = read(0) {
            if bytes.isEmpty { return all }
            all += bytes
        }
        precondition(errno == ECONNRESET, "the server does not end the connection")
        return all
    }

    private func read(_ flags: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, flags)
        return count < 0 ? nil : Array(buffer[..<count])
    }
}
