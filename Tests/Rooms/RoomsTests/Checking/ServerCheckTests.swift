import Foundation
import Networking
import Peers
import Rendezvous
import Synchronization
import Testing
import Wire

@testable import Rooms

/// Trying a server: a good one, and each kind of broken one. The end-to-end tests try STUN and TURN.
@Suite(.timeLimit(.minutes(5))) struct ServerCheckTests {
    /// A server of which one thing is broken.
    private final class BrokenServer: HTTPServerHandler {
        enum Defect: Sendable { case none, relay, seats, clock, expiry, ready, tickets, accept, watch }

        let defect: Defect
        private let sockets = Mutex<[ServerWebSocket]>([])
        private let watcher = Mutex<ServerWebSocket?>(nil)
        let purged = Mutex<Set<String>>([])

        init(_ defect: Defect) { self.defect = defect }

        func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
            let fields = (try? JSONValue(request.body))?.object
            let (status, body) = answer(request.path, fields)
            var response = HTTPResponse(status: status, body: Array(body.utf8))
            if defect == .clock {
                let now = Int(Date().timeIntervalSince1970)
                response.headers.append("date", HTTPDate(seconds: now - 3600).description)
            }
            responder.respond(response)
        }

        private func answer(_ path: String, _ fields: JSONObject?) -> (Int, String) {
            let ticket = defect == .tickets ? "" : #","ticket":"t""#
            let ahead: Double = defect == .expiry ? 7200 : 300
            let end = Date(timeIntervalSinceNow: ahead).ISO8601Format(.init(includingFractionalSeconds: true))
            switch path {
            case "/healthz": return (200, #"{"ok":true}"#)
            case "/ready": return (defect == .ready ? 503 : 200, "{}")
            case "/api/rooms": return (201, #"{"ok":true,"exp":"\#(end)"\#(ticket)}"#)
            case "/api/rooms/accept":
                tellWatcher()
                return defect == .accept ? (500, #"{"error":"x"}"#) : (200, #"{"roomid":"r"\#(ticket)}"#)
            case "/api/user/purge":
                if case .array(let devices)? = fields?["deviceIds"] {
                    purged.withLock { $0.formUnion(devices.compactMap(\.string)) }
                }
                return (200, #"{"roomsDeleted":1}"#)
            default: return (404, "{}")
            }
        }

        private func tellWatcher() {
            let news =
                defect == .watch
                ? #"{"type":"watch_ended","joinid":"x","reason":"expired"}"#
                : #"{"type":"room_accepted","joinid":"x","roomId":"r"}"#
            _ = watcher.withLock { $0?.send(.text(news)) }
        }

        func upgrade(_ request: HTTPRequest, from peer: PeerAddress) -> WebSocketUpgrade { .accept }

        func received(_ message: WebSocketMessage, on socket: ServerWebSocket) {
            guard case .text(let text) = message, let fields = (try? JSONValue(text.utf8))?.object else { return }
            switch fields["type"]?.string {
            case "watch":
                watcher.withLock { $0 = socket }
                socket.send(.text(#"{"type":"watching","joinid":"x"}"#))
            case "join_room":
                let all = sockets.withLock { sockets in
                    sockets.append(socket)
                    return sockets
                }
                if defect == .seats { return _ = socket.send(.text(#"{"type":"error","error":"Forbidden"}"#)) }
                guard all.count == 2 else { return }
                for socket in all { socket.send(.text(#"{"type":"room_ready","roomId":"r"}"#)) }
            case "webrtc_offer":
                let others = sockets.withLock { $0.filter { $0 != socket } }
                let changed = text.replacingOccurrences(of: #""sdp":""#, with: #""sdp":"changed"#)
                for other in others { other.send(.text(defect == .relay ? changed : text)) }
            default: break
            }
        }
    }

    private func check(_ url: String, trusting authority: TestAuthority? = nil) async -> [ServerFinding] {
        let findings = Mutex<[ServerFinding]>([])
        let network = RoomsNetwork(certificateAuthorities: authority?.own.certificate)
        await ServerCheck(server: url, network: network) { finding in
            findings.withLock { $0.append(finding) }
        }.run()
        return findings.withLock { $0 }
    }

    @Test func aGoodServerHasNothingButAHint() async throws {
        let server = try RendezvousServer(RendezvousConfiguration())
        let findings = await check("http://127.0.0.1:\(try await server.start())")
        #expect(
            findings.map(\.subject) == [.server, .ready, .clock, .room, .watch, .join, .relay, .iceServers])
        #expect(findings.dropLast().allSatisfy { $0.problem == nil }, "\(findings)")
        #expect(findings.last?.problem == .noServers)
        await server.stop()
    }

    @Test(
        arguments: [
            (.none, [.iceServers]), (.relay, [.relay]), (.seats, [.join]), (.clock, [.clock, .iceServers]),
            (.expiry, [.clock, .iceServers]), (.ready, [.ready, .iceServers]), (.tickets, [.room, .iceServers]),
            (.accept, [.room]), (.watch, [.watch, .iceServers]),
        ] as [(BrokenServer.Defect, [ServerFinding.Subject])])
    private func whatIsBrokenIsNamed(defect: BrokenServer.Defect, expected: [ServerFinding.Subject]) async throws {
        let broken = BrokenServer(defect)
        let server = HTTPServer(configuration: HTTPServerConfiguration(), handler: broken)
        let findings = await check("http://127.0.0.1:\(try await server.start())")
        let wrong = findings.filter { $0.problem != nil }
        #expect(wrong.map(\.subject) == expected, "\(findings)")
        // Nothing that was made stays there.
        #expect(broken.purged.withLock { $0.count } == 2)
        switch defect {
        case .relay: #expect(wrong.first?.problem == .notRelayed)
        case .clock:
            guard case .clock(let seconds)? = wrong.first?.problem else { break }
            #expect(abs(seconds + 3600) < 120)
        case .expiry:
            guard case .clock(let seconds)? = wrong.first?.problem else { break }
            #expect(abs(seconds - 6900) < 120)
        default: break
        }
        await server.stop()
    }

    @Test(
        arguments: [
            ("IP:127.0.0.1", false, .serverUntrusted), ("DNS:localhost", true, .serverMisnamed),
        ] as [(String, Bool, RoomsFailure.Code)])
    func aCertificateThatProvesNothingIsTheOnlyFinding(
        names: String, isTrusted: Bool, code: RoomsFailure.Code
    ) async throws {
        let authority = try TestAuthority()
        let identity = try authority.issue(names)
        var configuration = RendezvousConfiguration()
        configuration.tls = (identity.certificate, identity.key)
        let server = try RendezvousServer(configuration)
        let url = "https://127.0.0.1:\(try await server.start())"
        let findings = await check(url, trusting: isTrusted ? authority : try TestAuthority())
        #expect(findings.map(\.subject) == [.server], "\(findings)")
        if case .failure(let failure)? = findings.first?.problem {
            #expect(failure.code == code && failure.place?.contains("127.0.0.1") == true)
        } else {
            Issue.record("\(findings)")
        }
        await server.stop()
    }

    @Test(arguments: ["http://127.0.0.1:1", "http://nobody.invalid", "ftp://x"])
    func aServerThatIsNotThereIsTheOnlyFinding(url: String) async {
        let findings = await check(url)
        #expect(findings.count == 1 && findings.allSatisfy { $0.subject == .server && $0.problem != nil })
    }
}
