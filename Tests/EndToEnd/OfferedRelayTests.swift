import Foundation
import Peers
import Platform
import Testing

/// TURN servers that the rendezvous server hands out, so that nobody has to set any; and the command that tries a server.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct OfferedRelayTests {
    private static let secret = "a secret of server and relay"

    @Test func `two who set nothing talk through the relay of their server`() async throws {
        let relay = try TURNServer(secret: Self.secret)
        try await relay.ready()
        let server = try await Server(["--turn", "turn:127.0.0.1:\(relay.port)"], secret: Self.secret)
        let fixture = try await RoomFixture()
        let options = ["--relay-only", "--server", server.url]
        let ada = try fixture.chat("ada", options + ["--create"])
        let ben = try fixture.chat("ben", options + [try await RoomFixture.code(from: ada)])
        for process in [ada, ben] { try await process.expect("Connected, verified") }
        ada.type("through the relay")
        try await ben.expect("< through the relay")
        ben.type("/status")
        try await ben.expect("Through a relay")
        _ = (relay, server)
    }

    @Test func `what a person has set comes before what the server hands out`() async throws {
        let relay = try TURNServer(secret: Self.secret)
        try await relay.ready()
        let server = try await Server(["--turn", "turn:127.0.0.1:\(relay.port)"], secret: Self.secret)
        let fixture = try await RoomFixture()
        let nobody = "127.0.0.1:\(try LoopbackPort.free())"
        let options = ["--relay-only", "--server", server.url]
        let ada = try fixture.chat("ada", options + ["--create", "--ice-server", "turn:u:p@\(nobody)"])
        let ben = try fixture.chat("ben", options + [try await RoomFixture.code(from: ada)])
        try await ada.expect("turn:\(nobody) does not answer")
        _ = (relay, server, ben)
    }

    @Test func `a good server passes the check`() async throws {
        let relay = try TURNServer(secret: Self.secret)
        try await relay.ready()
        let turn = "turn:127.0.0.1:\(relay.port)"
        let server = try await Server(
            ["--stun", "stun:127.0.0.1:\(relay.port)", "--turn", turn, "--turn", turn + "?transport=tcp"],
            secret: Self.secret)
        let found = try await check(server.url)
        #expect(found.code == 0, "\(found.lines)")
        #expect(Set(found.lines).count == found.lines.count, "something is said twice: \(found.lines)")
        for line in [
            "✓ the server answers", "✓ its clock is right", "✓ a code is made and accepted",
            "✓ what one side says reaches the other", "✓ STUN answers at stun:127.0.0.1:\(relay.port)",
            "✓ two machines connect through \(turn)", "✓ two machines connect through \(turn)?transport=tcp",
        ] {
            #expect(found.lines.contains(line), "\(line) of \(found.lines)")
        }
    }

    @Test func `a relay with another secret, and one that is not there, fail the check`() async throws {
        let relay = try TURNServer(secret: "another secret altogether")
        try await relay.ready()
        let nobody = "turn:127.0.0.1:\(try LoopbackPort.free())"
        let server = try await Server(
            ["--turn", "turn:127.0.0.1:\(relay.port)", "--turn", nobody], secret: Self.secret)
        let found = try await check(server.url, "--json")
        #expect(found.code == 1)
        let text = found.lines.joined()
        #expect(text.contains(#""problem":"refused""#) && text.contains(#""problem":"silent""#), "\(text)")
        #expect(text.contains(#""ok":false"#) && !text.contains(Self.secret))
    }

    @Test func `a server without relays, and none at all, are told apart`() async throws {
        let fixture = try await RoomFixture()
        let plain = try await check(fixture.url)
        #expect(plain.code == 0 && plain.lines.contains("! STUN and TURN servers are handed out: none is"))
        let nobody = try await check("http://127.0.0.1:\(try LoopbackPort.free())")
        #expect(nobody.code == 1)
        #expect(nobody.lines.first?.hasPrefix("✗ the server answers: nothing answers there") == true)
    }

    @Test(arguments: [
        ["--turn", "turn:x"], ["--turn-ttl", "1h"], ["--stun", "turn:x"], ["--stun", "stuns:x"],
        ["--turn", "turn:x", "--turn-user", "u"], ["--turn", "turn:x", "--turn-secret-file", "/nowhere"],
    ])
    func `what cannot be handed out is refused at the start`(options: [String]) async throws {
        let server = try AlcoveProcess(["serve", "--listen", "127.0.0.1:0"] + options)
        defer { server.signal(SIGKILL) }
        #expect(try await server.exitCode() == 64)
    }

    private func check(_ url: String, _ options: String...) async throws -> (code: Int32, lines: [String]) {
        let process = try AlcoveProcess(["server", "check", url, "--bind", "127.0.0.1"] + options)
        let code = try await process.exitCode()
        return (code, process.lines)
    }

    /// A server of its own, with a secret in a file.
    private final class Server {
        let url: String
        private let process: AlcoveProcess
        private let file: String

        init(_ options: [String], secret: String) async throws {
            file = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID().uuidString)").path
            try Data(secret.utf8).write(to: URL(fileURLWithPath: file))
            process = try AlcoveProcess(
                ["serve", "--listen", "127.0.0.1:0", "--turn-secret-file", file, "--json"] + options)
            let line = try await process.expect("\"url\"")
            url = line.split(separator: "\"").map(String.init).first { $0.hasPrefix("http") } ?? ""
        }

        deinit {
            process.signal(SIGKILL)
            try? FileManager.default.removeItem(atPath: file)
        }
    }
}
