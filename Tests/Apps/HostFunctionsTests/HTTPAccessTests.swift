import Components
import HostFunctions
import LoopbackWeb
import Networking
import Synchronization
import Testing
import Wire

@Suite("Requests to the web", .timeLimit(.minutes(2)))
struct HTTPAccessTests {
    private let access = HTTPAccess(policy: .anything)

    @Test("The port sends what the platform says and answers with the fields that were asked for")
    func port() async throws {
        try await WebServer.run { server, port in
            let ports = JoinedPorts(["http_request": access.function])
            let post = RequestOpProto.RequestArgs(
                method: "POST", url: "http://127.0.0.1:\(port)/a%2Fb?c=%20", responseType: "json", sessionId: "s1",
                requestHeaders: [.init(name: "A-b", value: "c")], responseHeaders: ["X-Obj-Version", "X-Missing"],
                contentType: "application/json", body: Array("{}".utf8))
            let reply = try await ports.call("http_request", post, as: RequestOpProto.Reply.self)
            #expect(reply.status == 200 && reply.body == Array("{}".utf8))
            #expect(reply.responseHeaders == [.init(name: "X-Obj-Version", value: "12")])
            let sent = server.lastRequest
            #expect(sent?.method == "POST" && sent?.path == "/a/b" && sent?.queryValue("c") == " ")
            #expect(sent?.headers["x-session-id"] == "s1" && sent?.headers["a-b"] == "c")
            #expect(sent?.headers["content-type"] == "application/json" && sent?.headers["content-length"] == "2")

            let get = RequestOpProto.RequestArgs(
                method: "GET", url: "http://127.0.0.1:\(port)/missing", contentType: "text/plain", body: [1, 2])
            let missing = try await ports.call("http_request", get, as: RequestOpProto.Reply.self)
            #expect(missing.status == 404 && missing.body == Array("nothing".utf8))
            #expect(server.lastRequest?.body == [] && server.lastRequest?.headers["content-type"] == nil)
        }
    }

    @Test("Who cannot be reached is an exception that a core can recognise")
    func unreachable() async throws {
        let ports = JoinedPorts(["http_request": access.function])
        let request = RequestOpProto.RequestArgs(method: "GET", url: "http://127.0.0.1:1/", body: [])
        do throws(NativeError) {
            _ = try await ports.call("http_request", request)
            Issue.record("nobody listens on port 1")
        } catch {
            guard case .exception(let exception) = error else { return #expect(Bool(false), "\(error.text)") }
            #expect(exception.type == "connect" && exception.fields["connectType"] == "http")
            #expect(exception.fields["url"] == "http://127.0.0.1:1/" && exception.fields["method"] == "GET")
            #expect(exception.fields["message"]?.string?.isEmpty == false)
        }
        let name = await failure(HTTPAccess.Request("GET", "http://no-such-host.invalid/"))
        #expect(name?.code == .unknownHost && name?.exception.fields["connectType"] == "dns")
    }

    private func failure(_ request: HTTPAccess.Request, of access: HTTPAccess? = nil) async -> HTTPAccessError? {
        do throws(HTTPAccessError) {
            _ = try await (access ?? self.access).request(request)
            return nil
        } catch { return error }
    }

    @Test("Time-outs, limits of size and number of requests hold")
    func limits() async throws {
        try await WebServer.run { server, port in
            var limits = HTTPAccess.Limits()
            limits.response = 100_000
            limits.requests = 1
            let access = HTTPAccess(policy: .anything, limits: limits)
            let never = HTTPAccess.Request("GET", "http://127.0.0.1:\(port)/never", timeout: .seconds(3))
            async let waiting = failure(never, of: access)
            while server.requests.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(2)) }
            #expect(await failure(never, of: access)?.code == .tooMany)
            let late = await waiting
            #expect(late?.code == .timedOut && late?.exception.fields["timeout"] == true)
            #expect(late?.message.hasSuffix("within 3.0 seconds") == true)
            let large = HTTPAccess.Request("GET", "http://127.0.0.1:\(port)/large")
            #expect(await failure(large, of: access)?.code == .tooLarge)
            #expect(try await self.access.request(large).body.count == 200_000)
        }
    }

    @Test("A request that timed out is repeated as often as it says, unless it is a POST")
    func retries() async throws {
        try await WebServer.run { server, port in
            let ports = JoinedPorts(["http_request": access.function])
            func ask(_ method: String) async {
                let request = RequestOpProto.RequestArgs(
                    method: method, url: "http://127.0.0.1:\(port)/never", timeout: 1000, timeoutRetries: 2, body: [])
                _ = try? await ports.call("http_request", request)
            }
            await ask("GET")
            #expect(server.requests.withLock { $0.count } == 3)
            await ask("POST")
            #expect(server.requests.withLock { $0.count } == 4)
        }
    }

    @Test(
        "Redirects are followed as on the web",
        arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func redirects(status: Int, method: String) async throws {
        try await WebServer.run { server, port in
            let request = HTTPAccess.Request(
                "POST", "http://127.0.0.1:\(port)/\(status)",
                headers: ["content-type": "text/plain", "x-session-id": "s"],
                body: [1, 2])
            let response = try await access.request(request)
            #expect(response.url == "http://127.0.0.1:\(port)/echo?from=redirect" && response.status == 200)
            #expect(response.headers["x-method"] == method && response.body == (method == "POST" ? [1, 2] : []))
            #expect(server.lastRequest?.headers["x-session-id"] == "s")
            #expect((server.lastRequest?.headers["content-type"] == nil) == (method == "GET"))
            #expect(await failure(HTTPAccess.Request("GET", "http://127.0.0.1:\(port)/loop"))?.code == .tooMany)
        }
    }

    @Test("Secrets do not follow to another server, and each redirect is asked about")
    func redirectsAway() async throws {
        try await WebServer.run { first, firstPort in
            try await WebServer.run { second, secondPort in
                first.elsewhere.withLock { $0 = "http://127.0.0.1:\(secondPort)/echo" }
                let request = HTTPAccess.Request(
                    "GET", "http://127.0.0.1:\(firstPort)/away",
                    headers: ["X-Session-Id": "s", "Authorization": "a", "Cookie": "c", "X-Mine": "m"])
                _ = try await access.request(request)
                let headers = second.lastRequest?.headers
                #expect(headers?["x-mine"] == "m")
                for secret in ["x-session-id", "authorization", "cookie"] { #expect(headers?[secret] == nil) }
                let onlyFirst = HTTPAccess(policy: HTTPPolicy { $0.port == firstPort ? .anyAddress : .denied })
                let refused = await failure(request, of: onlyFirst)
                #expect(refused?.code == .notAllowed && refused?.url == "http://127.0.0.1:\(secondPort)/echo")
                for target in ["ftp://127.0.0.1/", "file:///etc/passwd", "http://u@127.0.0.1/"] {
                    first.elsewhere.withLock { $0 = target }
                    let refused = await failure(request)
                    #expect(refused?.code == .notAllowed && refused?.url == target)
                }
                #expect(second.requests.withLock { $0.count } == 1)
            }
        }
    }

    @Test(
        "Who may only ask the internet reaches no address of this machine or its networks",
        arguments: [
            "127.0.0.1", "127.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "localhost",
            "10.0.0.1",
            "169.254.169.254", "192.168.1.1", "[fe80::1]", "[fd00::1]", "[64:ff9b::7f00:1]",
        ])
    func privateAddresses(host: String) async throws {
        try await WebServer.run { server, port in
            let access = HTTPAccess(policy: .publicOnly)
            let error = await failure(.init("GET", "http://\(host):\(port)/", timeout: .seconds(5)), of: access)
            #expect(error?.code == .notAllowed || error?.code == .unknownHost)
            #expect(server.requests.withLock { $0.isEmpty })
        }
    }

    @Test("A redirect into the local network is not followed")
    func redirectInside() async throws {
        try await WebServer.run { server, port in
            server.elsewhere.withLock { $0 = "http://localhost:\(port)/echo" }
            let access = HTTPAccess(policy: HTTPPolicy { $0.host == "127.0.0.1" ? .anyAddress : .publicAddresses })
            let error = await failure(.init("GET", "http://127.0.0.1:\(port)/away"), of: access)
            #expect(error?.code == .notAllowed && error?.exception.fields["notAllowed"] == true)
            #expect(server.requests.withLock { $0.count } == 1)
        }
    }

    @Test(
        "What is no request is refused before anyone is asked",
        arguments: [
            HTTPAccess.Request("GET", "nonsense"), .init("CONNECT", "http://127.0.0.1:1/"),
            .init("GET / HTTP/1.1\r\nx:", "http://a/"),
            .init("GET", "ws://127.0.0.1:1/"), .init("GET", "http://a/", headers: ["bad name": "x"]),
            .init("GET", "http://a/", headers: ["": "x"]), .init("GET", "http://a/", headers: ["x": "a\u{1}b"]),
        ])
    func malformed(request: HTTPAccess.Request) async { #expect(await failure(request)?.code == .invalidRequest) }

    @Test("Fields that say where a message ends are ours alone")
    func ownFields() async throws {
        try await WebServer.run { server, port in
            let fields: HTTPFields = [
                "Host": "evil", "Content-Length": "100", "Transfer-Encoding": "chunked", "Connection": "upgrade",
            ]
            _ = try await access.request(.init("PUT", "http://127.0.0.1:\(port)/", headers: fields, body: [1]))
            #expect(server.lastRequest?.headers["host"] == "127.0.0.1:\(port)" && server.lastRequest?.body == [1])
        }
    }

    @Test("A request whose task is cancelled ends at once")
    func cancelling() async throws {
        try await WebServer.run { server, port in
            let task = Task { await failure(.init("GET", "http://127.0.0.1:\(port)/never")) }
            while server.requests.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(2)) }
            task.cancel()
            #expect(await task.value?.code == .cancelled)
        }
    }
}
