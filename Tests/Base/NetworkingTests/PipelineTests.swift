import Synchronization
import Testing

@testable import Networking

/// Clients that send many requests at once, and do not read, or only connect.
@Suite(.timeLimit(.minutes(5)))
struct PipelineTests {
    private static func requests(_ path: String, _ count: Int) -> String {
        String(repeating: "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n", count: count)
    }

    @Test func whoDoesNotReadGetsNoFurtherAnswers() async throws {
        try await withServer { url, handler, _ in
            let client = try await RawClient.connect(url)
            client.pauseReading()
            client.send(Self.requests("/large", 40))
            try await eventually { handler.handledCount.load(ordering: .relaxed) > 0 }
            // Served on the same thread after the piece above, so all its effects have happened.
            for _ in 0..<3 { #expect(try await HTTPClient().send(HTTPRequest(path: "/empty"), to: url).status == 204) }
            // The bytes that the kernel takes for a client that does not read, and one waiting answer.
            #expect(handler.handledCount.load(ordering: .relaxed) - 3 < 20)
            client.resumeReading()
            try await client.waitFor("HTTP/1.1 200 OK", times: 40)
            #expect(handler.handledCount.load(ordering: .relaxed) == 43)
        }
    }

    @Test(arguments: ["/large", "/late", "/x"])
    func allIsAnsweredInTurnToWhoReads(_ path: String) async throws {
        try await withServer { url, handler, _ in
            let client = try await RawClient.connect(url)
            client.send(Self.requests(path, 20) + Self.requests("/last", 1))
            try await client.waitFor("x-path: /last")
            #expect(handler.handledCount.load(ordering: .relaxed) == 21)
        }
    }

    /// Sending more requests does not extend the time for reading an answer.
    @Test func whoNeverReadsIsCut() async throws {
        try await withServer {
            $0.keepAlive = .milliseconds(300)
        } _: { url, handler, server in
            let client = try await RawClient.connect(url)
            client.pauseReading()
            client.send(Self.requests("/large", 40))
            try await eventually { handler.handledCount.load(ordering: .relaxed) > 0 }
            try await eventually {
                client.send(Self.requests("/large", 1))
                return server.connectionCount == 0
            }
        }
    }

    @Test func idleConnectionsAreCountedByAddress() async throws {
        try await withServer {
            $0.connectionsByAddress = 3
        } _: { url, _, server in
            var clients: [RawClient] = []
            for _ in 0..<3 { clients.append(try await RawClient.connect(url)) }
            try await eventually { server.connectionCount == 3 }
            let fourth = try await RawClient.connect(url)
            try await eventually { fourth.hasEnded }
            #expect(server.connectionCount == 3)
            clients[0].cut()
            try await eventually { server.connectionCount == 2 }
            let fifth = try await RawClient.connect(url)
            fifth.send(Self.requests("/x", 1))
            try await fifth.waitFor("x-path: /x")
            #expect(!clients[1].hasEnded && !clients[2].hasEnded)
        }
    }
}
