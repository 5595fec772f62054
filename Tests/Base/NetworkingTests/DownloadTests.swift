import Synchronization
import Testing

@testable import Networking

/// Answers that a client reads piece by piece.
@Suite(.timeLimit(.minutes(5))) struct DownloadTests {
    private static let handler = ScriptedHandler(answers: { request in
        HTTPResponse(
            status: 200, headers: ["x-path": request.path],
            content: HTTPContent { writer in
                for number in 0..<(request.path == "/large" ? 64 : 3) {
                    try await writer.write([UInt8](repeating: UInt8(number), count: 1 << 20))
                }
                // Nothing more, and no end.
                if request.path == "/silent" { try await Task.sleep(for: .seconds(600)) }
                if request.path == "/broken" { throw CancellationError() }
            })
    })

    private func open(
        _ path: String, at url: ServerURL, limit: Int = 100 << 20, patience: Duration = .seconds(200)
    ) async throws -> HTTPDownload {
        try await HTTPClient().open(HTTPRequest(path: path), to: url, limit: limit, patience: patience)
    }

    @Test func comesInPieces() async throws {
        try await Self.handler.run { url, server in
            let download = try await open("/", at: url)
            #expect(download.status == 200 && download.headers["x-path"] == "/")
            var sums = [Int](repeating: 0, count: 3)
            for try await piece in download { for byte in piece { sums[Int(byte)] += 1 } }
            #expect(sums == [1 << 20, 1 << 20, 1 << 20])
            try await eventually { server.connectionCount == 0 }
        }
    }

    @Test func aReaderThatIsBusyHoldsTheServerBack() async throws {
        try await Self.handler.run { url, _ in
            let download = try await open("/large", at: url)
            let most = IncomingContent.highWater + 2 * 16_384
            try await eventually { download.heldBytes >= IncomingContent.highWater }
            var count = 0
            for try await piece in download {
                count += piece.count
                #expect(download.heldBytes <= most && piece.count <= most)
            }
            #expect(count == 64 << 20)
        }
    }

    @Test(arguments: [("/", NetworkingError.Code.tooLarge), ("/silent", .timedOut), ("/broken", .closed)])
    func endsWithAReason(path: String, code: NetworkingError.Code) async throws {
        try await Self.handler.run { url, server in
            var count = 0
            let error = await #expect(throws: NetworkingError.self) {
                let download = try await open(
                    path, at: url, limit: path == "/" ? 2 << 20 : 100 << 20,
                    patience: path == "/silent" ? .seconds(1) : .seconds(200))
                for try await piece in download { count += piece.count }
            }
            #expect(error?.code == code)
            #expect(count <= 3 << 20)
            // The server notices at the next byte that the client is gone, which this path has none of.
            if path != "/silent" { try await eventually { server.connectionCount == 0 } }
        }
    }

    @Test func canBeCancelledAndLetGo() async throws {
        try await Self.handler.run { url, server in
            let reading = Task {
                var count = 0
                for try await piece in try await open("/silent", at: url) { count += piece.count }
                return count
            }
            try await eventually { server.connectionCount == 1 }
            reading.cancel()
            await #expect(throws: NetworkingError.self) { try await reading.value }
            _ = try await open("/large", at: url)
            try await eventually { server.heldBytes == 0 }
        }
    }

    @Test func eventsOfALongAnswer() async throws {
        let handler = ScriptedHandler(answers: { _ in
            HTTPResponse(
                status: 200, headers: ["content-type": "text/event-stream"],
                content: HTTPContent { writer in
                    for number in 0..<100 {
                        try await writer.write(Array("id: \(number)\ndata: line \(number)\n\n".utf8))
                    }
                })
        })
        try await handler.run { url, _ in
            var reader = ServerSentEventReader()
            var events: [ServerSentEvent] = []
            for try await piece in try await open("/", at: url) { events += try reader.read(piece) }
            #expect(events.count == 100 && events.last == ServerSentEvent(data: "line 99", id: "99"))
        }
    }
}
