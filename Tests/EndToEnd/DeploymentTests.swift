import Foundation
import Platform
import ProgramRunner
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The files of `deploy/` name only options and metrics that exist.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DeploymentTests {
    private static let folder = Program.repository.appending(path: "deploy")

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    }

    @Test(arguments: ["compose.yaml", "systemd/alcove-node@.service"])
    func `options exist`(name: String) async throws {
        let program = Program.products.appending(path: "alcove").path
        let help = try Program.run([program, "serve", "--help"]).output
        let known = Set(help.matches(of: #/--[a-z][a-z-]*/#).map { String($0.output) })
        let lines = try text(name).split(separator: "\n").filter { line in
            let line = line.trimmingCharacters(in: .whitespaces)
            return line.hasPrefix("- --") || line.hasPrefix("ExecStart=") || line.hasPrefix("Environment=")
        }
        let used = Set(lines.flatMap { $0.matches(of: #/--[a-z][a-z-]*/#).map { String($0.output) } })
        #expect(used.count > 6)
        #expect(used.subtracting(known) == [])
    }

    /// Redis may be away for longer than systemd's limit on starts has patience.
    @Test(arguments: ["deploy/systemd/alcove-node@.service", "Packaging/systemd/alcove-serve.service"])
    func `systemd goes on starting a server`(unit: String) throws {
        let text = try String(contentsOf: Program.repository.appending(path: unit), encoding: .utf8)
        let head = try #require(text.components(separatedBy: "[Service]").first)
        #expect(head.contains("\nStartLimitIntervalSec=0\n"))
    }

    /// What the unit says without the person's own part is a command line that is understood.
    @Test func `the command line of the unit is one`() async throws {
        let unit = try text("systemd/alcove-node@.service")
        let variable = try #require(unit.firstMatch(of: #/Environment="ALCOVE_NODE=(.*)"/#)?.output.1)
        let start = try #require(unit.firstMatch(of: #/ExecStart=\/usr\/bin\/alcove (.*)\n/#)?.output.1)
        let folder = FileManager.default.temporaryDirectory.appending(path: "unit-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["nodes", "turn"] {
            try Data("a secret that is long enough, \(name)".utf8).write(
                to: URL(fileURLWithPath: "\(folder)/\(name).secret"))
        }
        let words = start.replacing("$ALCOVE_NODE", with: variable).replacing("%i", with: "0")
            .replacing("${CREDENTIALS_DIRECTORY}", with: folder)
            .replacing("/run/redis/redis-server.sock", with: folder + "/nothing.sock")
        let process = try AlcoveProcess(words.split(separator: " ").map(String.init))
        // Understood, and no Redis there.
        #expect(try await process.exitCode() == 73, "\(process.lines)")
    }

    @Test(arguments: ["monitoring/alerts.yaml", "monitoring/dashboard.json"])
    func `metrics exist`(name: String) async throws {
        let server = try AlcoveProcess("serve", "--listen", "127.0.0.1:0", "--json")
        defer { server.signal(SIGKILL) }
        let line = try await server.expect("\"url\"")
        let url = line.split(separator: "\"").map(String.init).first { $0.hasPrefix("http") } ?? ""
        let (data, _) = try await URLSession.shared.data(from: try #require(URL(string: url + "/metrics")))
        let page = String(decoding: data, as: UTF8.self)
        var known = Set(page.matches(of: #/# TYPE (\S+)/#).map { String($0.output.1) })
        for kind in ["bucket", "sum", "count"] { known.insert("alcove_rendezvous_store_seconds_\(kind)") }
        let used = Set(try text(name).matches(of: #/alcove_rendezvous_[a-z_]+/#).map { String($0.output) })
        #expect(used.count > 5)
        #expect(used.subtracting(known) == [])
    }

    @Test func `the dashboard is JSON`() throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "monitoring/dashboard.json"))
        let board = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        #expect((board?["panels"] as? [Any])?.count == 10)
    }

    @Test func `secrets are made once, and nobody else on the machine can read them`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "deploy-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: Self.folder, to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try await Shell("'\(folder.path)/make-secrets' rendezvous.example")
        #expect(first.code == 0, "\(first.output)")
        let turn = try String(contentsOf: folder.appending(path: "secrets/turn.secret"), encoding: .utf8)
        let settings = try String(contentsOf: folder.appending(path: "secrets/turnserver.conf"), encoding: .utf8)
        #expect(turn.count == 65 && settings.contains("static-auth-secret=\(turn)"))
        #expect(settings.contains("realm=rendezvous.example") && !settings.contains("CHANGE-THIS"))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/secrets")[.posixPermissions]
        #expect(mode as? Int == 0o700)
        #expect(try await Shell("'\(folder.path)/make-secrets' rendezvous.example").code == 73)
        #expect(try await Shell("'\(folder.path)/make-secrets' 'a;b'").code == 64)
    }
}
