import Synchronization
import Testing

@testable import Networking

/// Answers as a test says.
struct ScriptedHandler: HTTPServerHandler {
    var plans: @Sendable (HTTPRequest) -> RequestPlan = { _ in .whole }
    var answers: @Sendable (HTTPRequest) -> HTTPResponse = { HTTPResponse(status: 200, body: $0.body) }

    func plan(for request: HTTPRequest, from peer: PeerAddress) -> RequestPlan { plans(request) }

    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        responder.respond(answers(request))
    }

    func run(
        _ adjust: (inout HTTPServerConfiguration) -> Void = { _ in },
        _ body: (ServerURL, HTTPServer) async throws -> Void
    ) async throws {
        var configuration = HTTPServerConfiguration()
        adjust(&configuration)
        let server = HTTPServer(configuration: configuration, handler: self)
        let url = ServerURL(host: "127.0.0.1", port: try await server.start())
        let result: Result<Void, any Error>
        do { result = .success(try await body(url, server)) } catch { result = .failure(error) }
        await server.stop()
        try result.get()
    }
}

/// What tests and handlers tell each other.
final class Journal: Sendable {
    private let texts = Mutex<[String]>([])
    func add(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
}

/// Bodies of answers that are made piece by piece.
@Suite(.timeLimit(.minutes(5))) struct OutgoingBodyTests {
    private struct Broken: Error {}

    private static let handler = ScriptedHandler(answers: { request in
        func content(_ count: Int?, _ produce: @escaping HTTPContent.Producer) -> HTTPResponse {
            HTTPResponse(status: 200, content: HTTPContent(count: count, produce))
        }
        return switch request.path {
        case "/counted": content(6) { for text in ["ab", "", "cdef"] { try await $0.write(Array(text.utf8)) } }
        case "/chunks": content(nil) { for text in ["ab", "", "cdef"] { try await $0.write(Array(text.utf8)) } }
        case "/none": content(0) { _ in }
        case "/short": content(6) { try await $0.write([1, 2]) }
        case "/long": content(2) { try await $0.write([1, 2, 3]) }
        case "/broken":
            content(nil) { writer in
                try await writer.write([1])
                throw Broken()
            }
        case "/unmodified":
            HTTPResponse(status: 304, content: HTTPContent { _ in Issue.record("a 304 has no body") })
        default: HTTPResponse(status: 404)
        }
    })

    @Test(arguments: ["/counted", "/chunks"]) func comesWholeAndTheConnectionStays(path: String) async throws {
        try await Self.handler.run { url, _ in
            #expect(try await HTTPClient().send(HTTPRequest(path: path), to: url).body == Array("abcdef".utf8))
            let client = try await RawClient.connect(url)
            let get = "GET \(path) HTTP/1.1\r\nhost: a\r\n\r\n"
            client.send(get + "HEAD \(path) HTTP/1.1\r\nhost: a\r\n\r\n" + get)
            try await client.waitFor("200 OK", times: 3)
            try await client.waitFor("cdef", times: 2)
            #expect(client.text.split(separator: "cdef").count == (path == "/counted" ? 2 : 3))
            #expect(!client.hasEnded)
            client.cut()
        }
    }

    @Test func framesByVersion() async throws {
        try await Self.handler.run { url, _ in
            func ask(_ path: String, _ version: String) async throws -> String {
                let client = try await RawClient.connect(url)
                client.send("GET \(path) HTTP/\(version)\r\nconnection: close\r\n\r\n")
                return try await client.textUntilEnd()
            }
            let old = try await ask("/chunks", "1.0")
            #expect(old.hasSuffix("connection: close\r\n\r\nabcdef") && !old.contains("chunked"))
            let new = try await ask("/chunks", "1.1")
            #expect(new.hasSuffix("\r\n\r\n2\r\nab\r\n4\r\ncdef\r\n0\r\n\r\n") && new.contains("chunked"))
            let counted = try await ask("/counted", "1.0")
            #expect(counted.contains("content-length: 6\r\n") && counted.hasSuffix("\r\n\r\nabcdef"))
            #expect(try await ask("/none", "1.1").contains("content-length: 0\r\n"))
            #expect(try await ask("/unmodified", "1.1").hasSuffix("304 Not Modified\r\nconnection: close\r\n\r\n"))
        }
    }

    @Test(arguments: ["/short", "/long", "/broken"]) func aClientNoticesABodyThatIsNotWhole(path: String) async throws {
        try await Self.handler.run { url, server in
            await #expect(throws: NetworkingError.self) {
                try await HTTPClient().send(HTTPRequest(path: path), to: url, timeout: .seconds(200))
            }
            try await eventually { server.connectionCount == 0 }
        }
    }

    @Test func aSlowClientHoldsTheProducerBack() async throws {
        let written = Atomic<Int>(0)
        let total = 64 << 20
        let handler = ScriptedHandler(answers: { _ in
            HTTPResponse(
                status: 200,
                content: HTTPContent(count: total) { writer in
                    while written.load(ordering: .relaxed) < total {
                        try await writer.write([UInt8](repeating: 7, count: 1 << 20))
                        written.add(1 << 20, ordering: .relaxed)
                    }
                })
        })
        try await handler.run { url, server in
            let client = try await RawClient.connect(url)
            client.pauseReading()
            client.send("GET / HTTP/1.1\r\nhost: a\r\n\r\n")
            try await eventually { server.heldBytes > 0 }
            #expect(server.heldBytes <= HTTPContentWriter.pieceLimit + 1024)
            #expect(written.load(ordering: .relaxed) < total)
            client.resumeReading()
            try await eventually {
                #expect(server.heldBytes <= HTTPContentWriter.pieceLimit + 1024)
                return client.bytes.count > total
            }
        }
    }

    @Test func aClientThatGoesEndsTheProducer() async throws {
        let journal = Journal()
        let handler = ScriptedHandler(answers: { _ in
            HTTPResponse(
                status: 200,
                content: HTTPContent { writer in
                    do {
                        while true { try await writer.write([UInt8](repeating: 7, count: 1 << 20)) }
                    } catch {
                        journal.add("\(error)")
                        // It is cancelled, too, maybe a moment later, so that it ends wherever it waits.
                        try? await Task.sleep(for: .seconds(60))
                        journal.add("cancelled: \(Task.isCancelled)")
                        throw error
                    }
                })
        })
        try await handler.run { url, server in
            let client = try await RawClient.connect(url)
            client.pauseReading()
            client.send("GET / HTTP/1.1\r\nhost: a\r\n\r\n")
            try await eventually { server.heldBytes > 0 }
            client.cut()
            try await eventually {
                journal.all == ["the client is gone", "cancelled: true"] && server.connectionCount == 0
            }
        }
    }

    @Test func aClientThatDoesNotReadIsCut() async throws {
        let handler = ScriptedHandler(answers: { _ in
            HTTPResponse(
                status: 200,
                content: HTTPContent { writer in
                    while true { try await writer.write([UInt8](repeating: 7, count: 1 << 20)) }
                })
        })
        try await handler.run {
            $0.progressTimeout = .milliseconds(600)
        } _: { url, server in
            let client = try await RawClient.connect(url)
            client.pauseReading()
            client.send("GET / HTTP/1.1\r\nhost: a\r\n\r\n")
            try await eventually { server.connectionCount == 1 }
            try await eventually { server.connectionCount == 0 }
        }
    }
}

/// Bodies of requests that are read piece by piece.
@Suite(.timeLimit(.minutes(5))) struct IncomingBodyTests {
    /// Counts the body.
    private static func counting(limit: Int = .max) -> ScriptedHandler {
        ScriptedHandler(plans: { request in
            switch request.path {
            case "/refused": return .refuse(HTTPResponse(status: 403))
            case "/unread": return .stream(limit: limit) { _ in HTTPResponse(status: 409) }
            default:
                return .stream(limit: limit) { content in
                    var count = 0
                    do {
                        for try await piece in content { count += piece.count }
                        return HTTPResponse(status: 200, body: Array("count \(count)".utf8))
                    } catch {
                        return HTTPResponse(status: 500)
                    }
                }
            }
        })
    }

    @Test func readsBodiesOneAfterTheOther() async throws {
        try await Self.counting().run { url, _ in
            let client = try await RawClient.connect(url)
            client.send(
                "POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabcPOST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n")
            client.send("2\r\nab\r\n3\r\ncde\r\n0\r\n\r\nGET / HTTP/1.1\r\nconnection: close\r\n\r\n")
            let text = try await client.textUntilEnd()
            #expect(text.contains("count 3") && text.contains("count 5") && text.contains("count 0"))
        }
    }

    @Test func aClientThatAsksIsToldToGoOnWhenSomebodyReads() async throws {
        try await Self.counting(limit: 100).run { url, _ in
            func head(_ path: String, _ length: Int) -> String {
                "POST \(path) HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: \(length)\r\n\r\n"
            }
            let client = try await RawClient.connect(url)
            client.send(head("/", 3))
            try await client.waitFor("HTTP/1.1 100 Continue\r\n\r\n")
            client.send("abc")
            try await client.waitFor("count 3")
            for (path, length, status) in [("/refused", 3, 403), ("/unread", 3, 409), ("/", 101, 413)] {
                let refused = try await RawClient.connect(url)
                refused.send(head(path, length))
                let text = try await refused.textUntilEnd()
                #expect(text.hasPrefix("HTTP/1.1 \(status)") && text.contains("connection: close"))
            }
        }
        // Also where the body is collected.
        try await ScriptedHandler().run { url, _ in
            let client = try await RawClient.connect(url)
            client.send("POST / HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 3\r\n\r\n")
            try await client.waitFor("100 Continue")
            client.send("abc")
            try await client.waitFor("\r\n\r\nabc")
        }
    }

    @Test func aHandlerThatIsBusyHoldsTheClientBack() async throws {
        let mayGoOn = Atomic<Bool>(false)
        let handler = ScriptedHandler(plans: { _ in
            .stream(limit: .max) { content in
                var count = 0
                while !mayGoOn.load(ordering: .acquiring) { try? await Task.sleep(for: .milliseconds(5)) }
                while let piece = try? await content.next() { count += piece.count }
                return HTTPResponse(status: 200, body: Array("count \(count)".utf8))
            }
        })
        try await handler.run { url, server in
            let client = try await RawClient.connect(url)
            let total = 64 << 20
            client.send("POST / HTTP/1.1\r\ncontent-length: \(total)\r\n\r\n")
            client.send([UInt8](repeating: 7, count: total))
            try await eventually { server.heldBytes >= IncomingContent.highWater }
            let most = IncomingContent.highWater + 2 * 16_384
            for _ in 0..<20 {
                #expect(server.heldBytes <= most)
                try await Task.sleep(for: .milliseconds(5))
            }
            mayGoOn.store(true, ordering: .releasing)
            try await eventually {
                #expect(server.heldBytes <= most)
                return client.text.contains("count \(total)")
            }
        }
    }

    @Test func aBodyThatIsTooLongIsEnded() async throws {
        try await Self.counting(limit: 10).run { url, _ in
            let client = try await RawClient.connect(url)
            client.send(
                "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n8\r\n12345678\r\n8\r\n12345678\r\n0\r\n\r\n")
            #expect(try await client.textUntilEnd().hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test func aBodyThatTricklesIsEnded() async throws {
        try await Self.counting().run {
            $0.progressTimeout = .milliseconds(700)
            $0.progressBytes = 1000
        } _: { url, server in
            let client = try await RawClient.connect(url)
            client.send("POST / HTTP/1.1\r\ncontent-length: 100000000\r\n\r\n")
            try await eventually {
                client.send("x")
                return client.hasEnded
            }
            try await eventually { server.connectionCount == 0 }
        }
    }

    @Test func whatCameBeforeTheConnectionBrokeIsRead() async throws {
        let journal = Journal()
        let handler = ScriptedHandler(plans: { _ in
            .stream(limit: .max) { content in
                do {
                    for try await piece in content { journal.add(String(decoding: piece, as: UTF8.self)) }
                } catch {
                    journal.add((error as? NetworkingError)?.code.rawValue ?? "?")
                }
                return HTTPResponse(status: 200)
            }
        })
        try await handler.run { url, _ in
            let client = try await RawClient.connect(url)
            client.send("POST / HTTP/1.1\r\ncontent-length: 100\r\n\r\nabc")
            try await eventually { journal.all == ["abc"] }
            client.cut()
            try await eventually { journal.all == ["abc", "closed"] }
        }
    }
}
