import Synchronization
import Testing

@testable import Networking

/// A server's answers to clients that break the protocol, and that it keeps running.
@Suite(.timeLimit(.minutes(5))) struct HostileHTTPTests {
    static let requests: [(bytes: String, answer: String)] = [
        ("GET / HTTP/1.1\n\n\r\n\r\n", "400"),
        ("GET /\r\n\r\n", "400"),
        ("G@T / HTTP/1.1\r\n\r\n", "400"),
        ("GET / HTTP/2.0\r\n\r\n", "501"),
        ("GET / FTP/1.1\r\n\r\n", "400"),
        ("GET nothing HTTP/1.1\r\n\r\n", "400"),
        ("GET /%zz HTTP/1.1\r\n\r\n", "400"),
        ("GET /%ff HTTP/1.1\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nname : value\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\na: b\r\n folded\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\na: b\u{1}\r\n\r\n", "400"),
        ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400"),
        ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"),
        ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", "413"),
        ("POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", "413"),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", "501"),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n", "400"),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "400"),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n", "400"),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n", "413"),
        ("GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", "400"),
        (
            "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 8\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", "426"
        ),
    ]

    @Test(arguments: requests)
    func refusesAndLivesOn(request: (bytes: String, answer: String)) async throws {
        try await withServer { url, _, _ in
            let client = try await RawClient.connect(url)
            client.send(request.bytes)
            #expect(try await client.textUntilEnd().hasPrefix("HTTP/1.1 \(request.answer) "))
            #expect(try await HTTPClient().send(HTTPRequest(path: "/"), to: url).status == 200)
        }
    }

    @Test func refusesAnEndlessHead() async throws {
        try await withServer { url, _, _ in
            let client = try await RawClient.connect(url)
            client.send("GET / HTTP/1.1\r\nx: " + String(repeating: "y", count: 20_000))
            #expect(try await client.textUntilEnd().hasPrefix("HTTP/1.1 431 "))
        }
    }

    @Test func refusesTooManyFields() async throws {
        try await withServer { url, _, _ in
            let client = try await RawClient.connect(url)
            client.send("GET / HTTP/1.1\r\n" + String(repeating: "x: y\r\n", count: 200) + "\r\n")
            #expect(try await client.textUntilEnd().hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test func answersManyRequestsSentAtOnceInOrder() async throws {
        try await withServer { url, _, _ in
            let client = try await RawClient.connect(url)
            client.send(
                "POST /1 HTTP/1.1\r\nContent-Length: 1\r\n\r\naGET /late HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\n\r\n")
            client.send("POST /4 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nbc\r\n0\r\nt: u\r\n\r\n")
            client.send("GET /5 HTTP/1.1\r\nConnection: close\r\n\r\nGET /6 HTTP/1.1\r\n\r\n")
            let text = try await client.textUntilEnd()
            let order = ["x-path: /1", "\r\n\r\na", "late", "x-path: /3", "x-path: /4", "\r\n\r\nbc", "x-path: /5"]
            var rest = Substring(text)
            for part in order {
                let range = try #require(rest.firstRange(of: part), "\(part) is missing or out of order")
                rest = rest[range.upperBound...]
            }
            #expect(!text.contains("/6"))
        }
    }

    @Test func oldClientsAreClosedUnlessTheyAskOtherwise() async throws {
        try await withServer { url, _, _ in
            let client = try await RawClient.connect(url)
            client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            try await client.waitFor("200 OK")
            #expect(!client.hasEnded)
            client.send("GET / HTTP/1.0\r\n\r\n")
            _ = try await client.textUntilEnd()
        }
    }

    @Test func anAbsoluteTargetIsUnderstood() async throws {
        try await withServer { url, _, _ in
            let client = try await RawClient.connect(url)
            client.send("HEAD http://a.example/b?c=d HTTP/1.1\r\nConnection: close\r\n\r\n")
            let text = try await client.textUntilEnd()
            #expect(text.contains("x-path: /b\r\n") && text.contains("location: c=d\r\n"))
        }
    }

    @Test func whoSendsNothingIsCut() async throws {
        try await withServer {
            $0.requestTimeout = .milliseconds(50)
        } _: { url, _, _ in
            let silent = try await RawClient.connect(url)
            let slow = try await RawClient.connect(url)
            slow.send("GET / HT")
            #expect(try await silent.textUntilEnd().isEmpty)
            #expect(try await slow.textUntilEnd().isEmpty)
        }
    }

    @Test func anIdleConnectionIsCut() async throws {
        try await withServer {
            $0.keepAlive = .milliseconds(50)
        } _: { url, _, _ in
            let client = try await RawClient.connect(url)
            client.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try await client.textUntilEnd().hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test func aFullHouseTurnsPeopleAway() async throws {
        try await withServer {
            $0.connectionLimit = 2
        } _: { url, _, server in
            let one = try await RawClient.connect(url)
            let two = try await RawClient.connect(url)
            try await eventually { server.connectionCount == 2 }
            let three = try await RawClient.connect(url)
            three.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try await three.textUntilEnd().isEmpty)
            one.cut()
            try await eventually { server.connectionCount == 1 }
            two.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
            #expect(try await two.textUntilEnd().hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test func aClientThatGoesWhileItsAnswerIsPreparedIsForgotten() async throws {
        try await withServer { url, _, server in
            let client = try await RawClient.connect(url)
            client.send("GET /late HTTP/1.1\r\n\r\n")
            try await eventually { server.connectionCount == 1 }
            client.cut()
            try await eventually { server.connectionCount == 0 }
        }
    }
}
