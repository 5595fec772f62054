import Foundation
import ProgramRunner
import Testing

/// `Scripts/packages` installs servers for the tests without starting them, and leaves nothing behind. Instead of apt
/// there is a script that does what an installation does: it asks whether a service may start.
@Suite(.timeLimit(.minutes(2)))
struct PackagesScriptTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "packages-\(UUID().uuidString)")

    private var policy: String { folder.path + "/policy-rc.d" }

    /// - Parameter apt: what `apt-get install` does.
    private func run(_ apt: String, _ packages: String) async throws -> Shell {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let stubs = [
            "apt-get": #"[ "$1" = install ] || exit 0; \#(apt)"#, "dpkg-query": "exit 1", "sudo": #"exec "$@""#,
            "systemctl": #"echo "$*" >> "$FOLDER/disabled""#,
        ]
        for (name, text) in stubs {
            let url = folder.appending(path: name)
            try Data("#!/bin/sh\n\(text)\n".utf8).write(to: url)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
        }
        let script = Program.repository.appending(path: "Scripts/packages").path
        return try await Shell(
            "export FOLDER='\(folder.path)' POLICY_RC_D='\(policy)' PATH='\(folder.path)':\"$PATH\"; '\(script)' \(packages)"
        )
    }

    private func asked(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    private static let ask = #"""
        for unit in redis-server caddy.service redis-sentinel.service nginx; do
            s=0; "$POLICY_RC_D" $unit start || s=$?; echo "$unit $s" >> "$FOLDER/asked"
        done
        """#

    @Test func `servers are not started, others are, and nothing stays`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try await run(Self.ask, "zsh redis-server caddy").code == 0)
        #expect(try asked("asked") == "redis-server 101\ncaddy.service 101\nredis-sentinel.service 101\nnginx 0\n")
        #expect(!FileManager.default.fileExists(atPath: policy))
        #expect(try asked("disabled") == "--quiet disable redis-server caddy\n")
    }

    @Test func `other packages are installed as ever`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try await run(#"[ ! -e "$POLICY_RC_D" ]"#, "zsh fish").code == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/disabled"))
    }

    @Test(arguments: ["INT", "TERM", "HUP"])
    func `an interrupted installation leaves nothing`(signal: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let apt = #"[ -x "$POLICY_RC_D" ] && touch "$FOLDER/was" && kill -\#(signal) $PPID"#
        #expect(try await run(apt, "redis-server").code != 0)
        #expect(FileManager.default.fileExists(atPath: folder.path + "/was"))
        #expect(!FileManager.default.fileExists(atPath: policy))
    }

    /// Nobody can take the file away then, so it takes itself away when it is asked next, and allows everything.
    @Test func `a killed installation holds nothing up`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try await run("kill -KILL $PPID", "redis-server").code != 0)
        #expect(FileManager.default.fileExists(atPath: policy))
        #expect(try await Shell("'\(policy)' redis-server start").code == 0)
        #expect(!FileManager.default.fileExists(atPath: policy))
    }

    @Test func `a rule of the machine's owner stays`() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("#!/bin/sh\nexit 104\n".utf8).write(to: URL(fileURLWithPath: policy))
        #expect(try await run("exit 0", "redis-server").code == 0)
        #expect(try asked("policy-rc.d") == "#!/bin/sh\nexit 104\n")
    }
}
