import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(5))) struct HTTPTests {
    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
    func carriesMethodPathQueryFieldsAndBody(method: String) async throws {
        try await withServer { url, _, _ in
            var request = HTTPRequest(
                method: method,
                path: "/some where/ü",
                query: [.init("a b", "c&d"), .init("e", "")]
            )
            request.headers["Content-Type"] = "text/plain"
            request.body = Array("payload".utf8)
            let response = try await HTTPClient().send(request, to: url)
            #expect(response.status == 200)
            #expect(response.body == request.body)
            #expect(response.headers["content-type"] == "text/plain")
            #expect(response.headers["Retry-After"] == "7")
            #expect(response.headers["location"] == "a b=c&d,e=")
        }
    }

    @Test(arguments: ["GET", "DELETE", "POST"])
    func needsNoBody(method: String) async throws {
        try await withServer { url, _, _ in
            let response = try await HTTPClient().send(HTTPRequest(method: method, path: "/"), to: url)
            #expect(response.status == 200)
            #expect(response.body.isEmpty)
        }
    }

    @Test func answersNoContentAndLateOnes() async throws {
        try await withServer { url, _, _ in
            #expect(try await HTTPClient().send(HTTPRequest(path: "/empty"), to: url).status == 204)
            let late = try await HTTPClient().send(HTTPRequest(path: "/late"), to: url)
            #expect(late.body == Array("late".utf8))
        }
    }

    @Test(arguments: [1, 4096, 70_000, 1 << 20])
    func carriesBodiesOfAnySize(size: Int) async throws {
        try await withServer { url, _, _ in
            let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let response = try await HTTPClient().send(HTTPRequest(method: "POST", path: "/", body: body), to: url)
            #expect(response.body == body)
        }
    }

    @Test func refusesALargerBodyAndLivesOn() async throws {
        try await withServer {
            $0.bodyLimit = 1000
        } _: { url, _, _ in
            for size in [1001, 15_000, 1_000_000] {
                let body = [UInt8](repeating: 1, count: size)
                let response = try? await HTTPClient().send(HTTPRequest(method: "POST", path: "/", body: body), to: url)
                // A client that is still writing when the connection ends may miss the answer.
                #expect(response == nil || response?.status == 413)
                if size < 16_000 { #expect(response?.status == 413) }
            }
            let response = try await HTTPClient().send(HTTPRequest(path: "/"), to: url)
            #expect(response.status == 200)
        }
    }

    @Test func refusesALargerAnswer() async throws {
        try await withServer { url, _, _ in
            let error = await #expect(throws: NetworkingError.self) {
                try await HTTPClient(bodyLimit: 1000).send(HTTPRequest(path: "/large"), to: url)
            }
            #expect(error?.code == .tooLarge)
            let whole = try await HTTPClient(bodyLimit: 3_000_000).send(HTTPRequest(path: "/large"), to: url)
            #expect(whole.body.count == 3_000_000)
        }
    }

    @Test func givesUpInTime() async throws {
        try await withServer { url, _, _ in
            let error = await #expect(throws: NetworkingError.self) {
                try await HTTPClient().send(HTTPRequest(path: "/never"), to: url, timeout: .milliseconds(50))
            }
            #expect(error?.code == .timedOut)
        }
    }

    @Test func aCancelledRequestEndsAtOnce() async throws {
        try await withServer { url, _, _ in
            let task = Task { try await HTTPClient().send(HTTPRequest(path: "/never"), to: url) }
            try await Task.sleep(for: .milliseconds(20))
            task.cancel()
            let error = await #expect(throws: NetworkingError.self) { try await task.value }
            #expect(error?.code == .closed)
        }
    }

    @Test func nobodyListening() async throws {
        var closed: ServerURL?
        try await withServer { url, _, _ in closed = url }
        let url = try #require(closed)
        let error = await #expect(throws: NetworkingError.self) {
            try await HTTPClient().send(HTTPRequest(path: "/"), to: url)
        }
        #expect(error?.code == .cannotConnect)
    }

    @Test func aNameWithoutAddress() async throws {
        let url = try ServerURL("http://no.such.name.invalid")
        let error = await #expect(throws: NetworkingError.self) {
            try await HTTPClient().send(HTTPRequest(path: "/"), to: url)
        }
        #expect(error?.code == .unresolvedHost)
    }

    private static let hasIPv6: Bool = {
        guard let (descriptor, _) = Socket.listening(on: "::1", port: 0) else { return false }
        Socket.shut(descriptor)
        return true
    }()

    @Test(.enabled(if: hasIPv6)) func speaksIPv6() async throws {
        try await withServer {
            $0.host = "::1"
        } _: { url, _, _ in
            let six = ServerURL(host: "::1", port: url.port)
            let response = try await HTTPClient().send(HTTPRequest(path: "/"), to: six)
            #expect(response.headers["x-peer"] == "::1")
        }
    }

    @Test func triesEveryAddressOfAName() async throws {
        try await withServer { url, _, server in
            let addresses = ["no address", "127.0.0.2", "127.0.0.1", "127.0.0.3"]
            let loop = try EventLoop.shared
            let found = await ClientConnector.firstAnswering(addresses, port: url.port, loop)
            let descriptor = try #require(found)
            try await eventually { server.connectionCount == 1 }
            Socket.shut(descriptor)
            #expect(await ClientConnector.firstAnswering(["127.0.0.2"], port: url.port, loop) == nil)
        }
    }

    @Test func aTakenPortIsAnError() async throws {
        try await withServer { url, _, _ in
            let second = HTTPServer(
                configuration: HTTPServerConfiguration(host: "127.0.0.1", port: url.port),
                handler: EchoHandler()
            )
            let error = await #expect(throws: NetworkingError.self) { try await second.start() }
            #expect(error?.code == .cannotListen)
        }
    }

    @Test func aPortIsFreeAgainAfterStop() async throws {
        var port = 0
        try await withServer { url, _, _ in port = url.port }
        try await withServer {
            $0.port = port
        } _: { url, _, _ in
            let response = try await HTTPClient().send(HTTPRequest(path: "/"), to: url)
            #expect(response.status == 200)
        }
    }

    @Test func manyServersAndClientsInOneProcess() async throws {
        try await withServer { one, _, _ in
            try await withServer { two, _, _ in
                try await withThrowingTaskGroup(of: [UInt8].self) { group in
                    for number in 0..<40 {
                        let body = Array("\(number)".utf8)
                        let request = HTTPRequest(method: "POST", path: "/", body: body)
                        group.addTask { try await HTTPClient().send(request, to: number % 2 == 0 ? one : two).body }
                    }
                    var answers: Set<String> = []
                    for try await body in group { answers.insert(String(decoding: body, as: UTF8.self)) }
                    #expect(answers == Set((0..<40).map { "\($0)" }))
                }
            }
        }
    }
}
