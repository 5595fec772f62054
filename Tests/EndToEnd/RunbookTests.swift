import Foundation
import Peers
import ProgramRunner
import Testing

/// The commands of docs/server.md, run as they stand there. Only what belongs to a machine of its own differs: folders,
/// ports, the address of Redis, the group `alcove`, and that systemd is a script which reads the same file.
@Suite(.timeLimit(.minutes(5)))
struct RunbookTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "runbook-\(UUID().uuidString)")

    private static let stubs = [
        "sudo": #"exec "$@""#,
        "install":
            #"for word; do shift; [ "$word" = -g ] && { skip=1; continue; }; [ "$skip" ] || set -- "$@" "$word"; skip=; done; exec /usr/bin/install "$@""#,
        "systemctl": #"""
        [ "$*" = "restart alcove-serve" ] || exit 64
        . "$FOLDER/etc/default/alcove-serve"
        nohup "$ALCOVE" serve $ALCOVE_SERVE > "$FOLDER/log" 2>&1 &
        echo $! > "$FOLDER/process"
        """#,
    ]

    /// The first block of commands of a section.
    private func block(_ section: String) throws -> String {
        let page = try String(
            contentsOf: Program.repository.appending(path: "docs/server.md"), encoding: .utf8)
        let start = try #require(page.firstRange(of: "\n## \(section)\n"))
        let rest = page[start.upperBound...]
        let open = try #require(rest.firstRange(of: "```text\n"))
        let close = try #require(rest[open.upperBound...].firstRange(of: "```"))
        return String(rest[open.upperBound..<close.lowerBound])
    }

    @Test func `what the page says first makes a node that is ready`() async throws {
        let redis = try await RedisServer(["--appendonly", "yes", "--maxmemory-policy", "noeviction"])
        defer { redis.kill() }
        for part in ["etc/default", "bin"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: part), withIntermediateDirectories: true)
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in Self.stubs {
            let url = folder.appending(path: "bin/\(name)")
            try Data("#!/bin/sh\n\(text)\n".utf8).write(to: url)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
        }
        let port = try LoopbackPort.free()
        let commands = try block("Set it up").replacing("/etc/", with: folder.path + "/etc/")
            .replacing("0.0.0.0:8080", with: "127.0.0.1:8080").replacing("127.0.0.1:8080", with: "127.0.0.1:\(port)")
            .replacing("redis://10.0.0.5", with: redis.url)
        let program = Program.products.appending(path: "alcove").path
        let shell = try await Shell(
            """
            export FOLDER='\(folder.path)' ALCOVE='\(program)' PATH='\(folder.path)/bin':"$PATH"; set -e
            \(commands)
            kill "$(cat "$FOLDER/process")"
            """)
        let log = (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
        #expect(shell.code == 0 && shell.output.hasSuffix(#"{"ok":true}"#), "\(shell.output) \(log)")
        let secret = try FileManager.default.attributesOfItem(atPath: folder.path + "/etc/alcove/nodes.secret")
        #expect(secret[.posixPermissions] as? Int == 0o640)
    }
}
