import Components
import HostFunctions
import LoopbackWeb
import Networking
import Synchronization
import Testing
import Wire

@Suite("WebSockets of a core", .timeLimit(.minutes(2)))
struct WebSocketAccessTests {
    /// What the script gets, by port.
    private final class Received: Sendable {
        private let messages = Mutex<[PortMessage]>([])

        func add(_ message: PortMessage) { messages.withLock { $0.append(message) } }

        func texts(_ port: String) -> [String] {
            messages.withLock { $0.filter { $0.port == port }.map { text($0.bytes) } }
        }

        /// Waits until the port has so many messages.
        func wait(_ port: String, _ count: Int) async throws -> [String] {
            for _ in 0..<2000 {
                if texts(port).count >= count { break }
                try await Task.sleep(for: .milliseconds(5))
            }
            return texts(port)
        }
    }

    private let received = Received()

    private func access(_ policy: HTTPPolicy = .anything, _ limits: WebSocketAccess.Limits = .init()) -> WebSocketAccess
    {
        WebSocketAccess(policy: policy, limits: limits) { [received] in received.add($0) }
    }

    private func open(_ access: WebSocketAccess, _ url: String) async throws -> RequestOpProto.WSOpeningReply {
        let arguments = RequestOpProto.OpenWSArgs(url: url, sessionId: "s1")
        return try await JoinedPorts(["ws_open": access.function]).call(
            "ws_open", arguments, as: RequestOpProto.WSOpeningReply.self)
    }

    @Test("Texts go both ways, and either side may close")
    func talk() async throws {
        try await WebServer.run { server, port in
            let access = access()
            let reply = try await open(access, "ws://127.0.0.1:\(port)/events?a=1")
            #expect(reply.status == 200 && reply.socketId > 0)
            #expect(server.lastRequest?.headers["x-session-id"] == "s1" && server.lastRequest?.queryValue("a") == "1")
            let name = "ws_#\(reply.socketId)"
            for message in ["one", "zwei ☀️", ""] {
                #expect(access.receive(PortMessage(port: name, bytes: Array(message.utf8))))
            }
            #expect(try await received.wait(name, 3) == ["one", "zwei ☀️", ""])
            let close = #"{"type":"close","code":3001,"reason":"done"}"#
            #expect(access.receive(PortMessage(port: name + "/control", bytes: Array(close.utf8))))
            let said = try await received.wait(name + "/control", 1)
            #expect(said == [#"{"type":"disconnected","code":3001,"error":"done"}"#])
            #expect(access.receive(PortMessage(port: name, bytes: [1])))

            let second = try await open(access, "ws://127.0.0.1:\(port)/")
            #expect(second.socketId != reply.socketId)
            server.sockets.withLock { $0.last }?.close(.goingAway, reason: "later")
            let control = try await received.wait("ws_#\(second.socketId)/control", 1)
            #expect(control == [#"{"type":"disconnected","code":1001,"error":"later"}"#])
        }
    }

    @Test(
        "Other ports are not its own",
        arguments: ["ws_#", "ws_#0", "ws_#01", "ws_#1x", "ws_#-1", "ws_#1/other", "core-ipc", "ws_#99999999999"])
    func otherPorts(name: String) { #expect(!access().receive(PortMessage(port: name, bytes: []))) }

    @Test("A refused upgrade is a status, and a server that is not there is an exception")
    func failures() async throws {
        try await WebServer.run { server, port in
            let refused = try await open(access(), "ws://127.0.0.1:\(port)/refused")
            #expect(refused.status == 403 && refused.socketId == 0)
        }
        for (url, type) in [("ws://127.0.0.1:1/", "http"), ("wss://no-such-host.invalid/", "dns")] {
            await #expect(throws: NativeError.self) { try await open(access(), url) }
            let error = try? await exception(access(), url)
            #expect(error?.type == "connect" && error?.fields["connectType"] == .string(type))
        }
        for url in ["http://127.0.0.1:1/", "nonsense"] {
            await #expect(throws: NativeError.self) { try await open(access(), url) }
        }
    }

    private func exception(_ access: WebSocketAccess, _ url: String) async throws -> RuntimeException? {
        do {
            _ = try await open(access, url)
            return nil
        } catch let error as NativeError {
            if case .exception(let exception) = error { return exception }
            return nil
        }
    }

    @Test("A policy holds for WebSockets, too")
    func policy() async throws {
        try await WebServer.run { server, port in
            let error = try await exception(access(.publicOnly), "ws://127.0.0.1:\(port)/")
            #expect(error?.has("notAllowed") == true)
            let denied = try await exception(access(HTTPPolicy { _ in .denied }), "ws://127.0.0.1:\(port)/")
            #expect(denied?.has("notAllowed") == true)
            #expect(server.requests.withLock { $0.isEmpty })
        }
    }

    @Test("Heartbeats are told")
    func heartbeats() async throws {
        try await WebServer.run { server, port in
            var limits = WebSocketAccess.Limits()
            (limits.pingInterval, limits.pingTimeout) = (.milliseconds(100), .milliseconds(80))
            let access = access(.anything, limits)
            let reply = try await open(access, "ws://127.0.0.1:\(port)/")
            let beats = try await received.wait("ws_#\(reply.socketId)/control", 2)
            for beat in beats {
                let object = try JSONValue(Array(beat.utf8)).object
                #expect(object?["type"] == "heartbeat" || object?["type"] == "heartbeat-skip")
            }
            access.close()
        }
    }

    @Test("Only so many are open, and nothing is said after the end")
    func limits() async throws {
        try await WebServer.run { server, port in
            var limits = WebSocketAccess.Limits()
            limits.sockets = 1
            let access = access(.anything, limits)
            let reply = try await open(access, "ws://127.0.0.1:\(port)/")
            await #expect(throws: NativeError.self) { try await open(access, "ws://127.0.0.1:\(port)/") }
            access.close()
            server.sockets.withLock { $0.first }?.send(.text("late"))
            #expect(received.texts("ws_#\(reply.socketId)").isEmpty)
            await #expect(throws: NativeError.self) { try await open(access, "ws://127.0.0.1:\(port)/") }
        }
    }
}
