import Foundation
import Networking
import Peers
import Testing

/// What `alcove server check` says of servers that people could not use, and how to mend them.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct BadServerTests {
    private func check(_ url: String, _ options: String...) async throws -> (code: Int32, text: String) {
        try await check(url, options)
    }

    private func check(_ url: String, _ options: [String]) async throws -> (code: Int32, text: String) {
        let process = try AlcoveProcess(["server", "check", url, "--bind", "127.0.0.1"] + options)
        let code = try await process.exitCode()
        return (code, process.lines.joined(separator: "\n"))
    }

    private func serve(_ certificate: String, _ key: String) async throws -> (AlcoveProcess, url: String) {
        let process = try AlcoveProcess(
            "serve", "--listen", "127.0.0.1:0", "--tls-cert", certificate, "--tls-key", key, "--json")
        let line = try await process.expect("\"url\"")
        return (process, line.split(separator: "\"").map(String.init).first { $0.hasPrefix("http") } ?? "")
    }

    @Test func `a whole chain passes`() async throws {
        let root = try TestAuthority()
        let intermediate = try root.intermediate()
        let leaf = try intermediate.issue("IP:127.0.0.1")
        let chain = try root.chain([leaf.certificate, intermediate.own.certificate])
        let (process, url) = try await serve(chain, leaf.key)
        defer { process.signal(SIGKILL) }
        let found = try await check(url, "--tls-ca", root.own.certificate)
        #expect(found.code == 0 && found.text.contains("✓ its connections are encrypted"), "\(found.text)")
    }

    @Test func `each way in which a certificate is wrong has its sentence`() async throws {
        let (root, stranger) = (try TestAuthority(), try TestAuthority())
        let intermediate = try root.intermediate()
        let untrusted = (
            "the certificate is not from an authority that is trusted here", "Give --tls-cert the whole chain"
        )
        let expired = ("the certificate is not valid now", "Renew it and start the server again")
        let cases = [
            // Signed by an intermediate that the server does not send.
            (try intermediate.issue("IP:127.0.0.1"), untrusted),
            (stranger.own, untrusted),
            (try root.issue("IP:127.0.0.1", valid: .past), expired),
            (try root.issue("IP:127.0.0.1", valid: .future), expired),
            (
                try root.issue("DNS:other.example"),
                ("the certificate is for another name", "Use the name in the certificate")
            ),
        ]
        for (identity, (sentence, remedy)) in cases {
            let (process, url) = try await serve(identity.certificate, identity.key)
            let found = try await check(url, "--tls-ca", root.own.certificate)
            #expect(found.code == 1)
            #expect(found.text.contains("✗ the server answers: \(sentence)"), "\(found.text)")
            #expect(found.text.contains("    \(remedy)"), "\(found.text)")
            process.signal(SIGKILL)
        }
        // Their files last as long as they do.
        _ = (root, stranger, intermediate)
    }

    @Test func `a server without TLS, and one with it, are told apart`() async throws {
        let fixture = try await RoomFixture()
        let secure = try await check(fixture.url.replacingOccurrences(of: "http:", with: "https:"))
        #expect(secure.code == 1 && secure.text.contains("no TLS could be agreed on"), "\(secure.text)")
        #expect(secure.text.contains("    Write http:// if a proxy in front has the TLS"))
    }

    /// Answers what every server answers, an hour late.
    private final class LateServer: HTTPServerHandler {
        func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
            let status = ["/healthz", "/ready"].contains(request.path) ? 200 : 500
            var response = HTTPResponse(status: status, body: Array(#"{"ok":true}"#.utf8))
            let date = HTTPDate(seconds: Int(Date().timeIntervalSince1970) - 3600).description
            response.headers.append("date", date)
            responder.respond(response)
        }

        func upgrade(_ request: HTTPRequest, from peer: PeerAddress) -> WebSocketUpgrade { .accept }
        func received(_ message: WebSocketMessage, on socket: ServerWebSocket) {}
    }

    @Test func `a wrong clock is named`() async throws {
        let server = HTTPServer(configuration: HTTPServerConfiguration(), handler: LateServer())
        let found = try await check("http://127.0.0.1:\(try await server.start())")
        #expect(found.code == 1)
        let sentence = try? #/✗ its clock is right: it is 3[56]\d\d seconds behind this machine's/#.firstMatch(
            in: found.text)
        #expect(sentence != nil, "\(found.text)")
        #expect(found.text.contains("    Set both clocks by NTP."))
        await server.stop()
    }

    @Test func `a closed TURN server and one with another secret have their sentences`() async throws {
        let relay = try TURNServer(secret: "another secret altogether")
        try await relay.ready()
        let file = FileManager.default.temporaryDirectory.appending(path: "turn-\(UUID().uuidString)").path
        try Data("the secret of this server".utf8).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let nobody = "turn:127.0.0.1:\(try LoopbackPort.free())"
        let server = try AlcoveProcess(
            "serve", "--listen", "127.0.0.1:0", "--json", "--turn-secret-file", file, "--turn", nobody, "--turn",
            "turn:127.0.0.1:\(relay.port)")
        defer { server.signal(SIGKILL) }
        let line = try await server.expect("\"url\"")
        let url = line.split(separator: "\"").map(String.init).first { $0.hasPrefix("http") } ?? ""
        let found = try await check(url)
        #expect(found.code == 1)
        #expect(found.text.contains("✗ two machines connect through \(nobody): it does not answer"), "\(found.text)")
        #expect(found.text.contains("    Is it running? Do the firewalls let UDP and TCP through to this port?"))
        #expect(
            found.text.contains(
                "✗ two machines connect through turn:127.0.0.1:\(relay.port): it answers, but gives no path"))
        #expect(found.text.contains("    Compare --turn-secret-file with static-auth-secret of coturn"))
    }

    @Test func `one STUN or TURN server is tried with the person's own password`() async throws {
        let relay = try TURNServer()
        try await relay.ready()
        let folder = FileManager.default.temporaryDirectory.appending(path: "passwords-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, password) in [("right", TURNServer.password), ("wrong", "another")] {
            try Data("\(password)\n".utf8).write(to: folder.appending(path: name))
        }
        let place = "127.0.0.1:\(relay.port)"
        func turn(_ file: String, _ options: String...) async throws -> (code: Int32, text: String) {
            try await check(
                "turn:\(place)?transport=tcp",
                ["--user", TURNServer.username, "--password-file", folder.appending(path: file).path] + options)
        }
        let stun = try await check("stun:\(place)")
        #expect(stun.code == 0 && stun.text == "✓ STUN answers at stun:\(place)")
        let right = try await turn("right")
        #expect(right.code == 0 && right.text == "✓ two machines connect through turn:\(place)?transport=tcp")
        let wrong = try await turn("wrong")
        #expect(wrong.code == 1 && wrong.text.contains("it answers, but gives no path"), "\(wrong.text)")
        #expect(wrong.text.contains("    Compare --user and --password-file") && !wrong.text.contains("another"))
        let json = try await turn("wrong", "--json")
        #expect(json.code == 1 && json.text.contains("\"problem\":\"refused\"") && !json.text.contains("another"))
        let silent = try await check("stun:127.0.0.1:\(try LoopbackPort.free())")
        #expect(silent.code == 1 && silent.text.contains("it does not answer"))
        for wrong in [["turns:\(place)"], ["turn:\(place)"], ["stun:\(place)", "--user", "ada"]] {
            #expect(try await check(wrong[0], Array(wrong.dropFirst())).code == 64)
        }
    }
}
