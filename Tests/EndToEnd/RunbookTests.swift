import Foundation
import Peers
import ProgramRunner
import Testing

/// The commands of docs/server.md, run as they stand there. Only what belongs to a machine of its own differs: folders,
/// ports, addresses, users and groups, packages, and that systemd is a script which reads the same files.
@Suite(.timeLimit(.minutes(5)))
struct RunbookTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "runbook-\(UUID().uuidString)")

    private static let stubs = [
        "sudo": #"exec "$@""#,
        "apt": "exit 0",
        "chgrp": "exit 0",
        "install":
            #"for word; do shift; case $word in -g | -o) skip=1; continue ;; esac; [ "$skip" ] || set -- "$@" "$word"; skip=; done; exec /usr/bin/install "$@""#,
        "systemctl": #"""
        ends() { [ ! -s "$1" ] || { kill "$(cat "$1")"; while kill -0 "$(cat "$1")"; do sleep 0.05; done; rm -f "$1"; } 2> /dev/null; }
        case "$*" in
            "restart alcove-serve")
                ends "$FOLDER/process"
                . "$FOLDER/etc/default/alcove-serve"
                nohup "$ALCOVE" serve $ALCOVE_SERVE >> "$FOLDER/log" 2>&1 &
                echo $! > "$FOLDER/process" ;;
            "stop redis-server") ends "$FOLDER/redis.pid" ;;
            "start redis-server" | "restart redis-server")
                ends "$FOLDER/redis.pid"
                redis-server "$FOLDER/etc/redis/redis.conf" > /dev/null
                export REDISCLI_AUTH="$(cat "$FOLDER/etc/redis/alcove.secret")"
                until redis-cli -p "$PORT" --tls --cacert "$FOLDER/etc/redis/alcove.pem" ping 2> /dev/null | grep -q PONG
                do sleep 0.05; done ;;
            "restart coturn" | "enable alcove-serve") ;;
            *) exit 64 ;;
        esac
        """#,
    ]

    /// The blocks of commands of a section, with the names and places of this test.
    private func blocks(_ section: String, redis: UInt16, node: UInt16) throws -> [String] {
        let page = try String(
            contentsOf: Program.repository.appending(path: "docs/server.md"), encoding: .utf8)
        let start = try #require(page.firstRange(of: "\n## \(section)\n"))
        let rest = page[start.upperBound...]
        let text = String(rest[..<(rest.firstRange(of: "\n## ")?.lowerBound ?? rest.endIndex)])
        let places = [
            ("/usr/share/doc/alcove/examples", Program.repository.appending(path: "Packaging/examples").path),
            ("/etc/", folder.path + "/etc/"), ("/var/", folder.path + "/var/"), ("rediss://10.0.0.5", "rediss://R"),
            ("-h 10.0.0.5", "-h 127.0.0.1 -p \(redis)"), ("10.0.0.5", "127.0.0.1"),
            ("tls-port 6379", "tls-port \(redis)"), ("rediss://R", "rediss://127.0.0.1:\(redis)"),
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("127.0.0.1:8080", "127.0.0.1:\(node)"), ("YOUR.NAME", "localhost"),
        ]
        return text.matches(of: #/```text\n((?s).*?)```/#).map { block in
            places.reduce(String(block.output.1)) { $0.replacing($1.0, with: $1.1) }
        }
    }

    private func prepare() throws {
        for part in ["etc/default", "etc/redis", "var/lib/redis", "var/backups", "bin"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: part), withIntermediateDirectories: true)
        }
        for (name, text) in Self.stubs {
            let url = folder.appending(path: "bin/\(name)")
            try Data("#!/bin/sh\n\(text)\n".utf8).write(to: url)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
        }
        let path = folder.path
        let settings = """
            daemonize yes
            pidfile \(path)/redis.pid
            dir \(path)/var/lib/redis
            logfile \(path)/redis.log

            """
        try Data(settings.utf8).write(to: folder.appending(path: "etc/redis/redis.conf"))
    }

    @Test func `what the page says makes a node that is ready, and brings back what was copied`() async throws {
        try prepare()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (redis, node) = (try LoopbackPort.free(), try LoopbackPort.free())
        func block(_ section: String, _ index: Int = 0) throws -> String {
            let found = try blocks(section, redis: redis, node: node)
            return try #require(found.indices.contains(index) ? found[index] : nil)
        }
        let program = Program.products.appending(path: "alcove").path
        let shell = try await Shell(
            """
            export FOLDER='\(folder.path)' ALCOVE='\(program)' PORT=\(redis) PATH='\(folder.path)/bin':"$PATH"; set -e
            trap 'kill "$(cat "$FOLDER/process")" "$(cat "$FOLDER/redis.pid")"' EXIT
            ask() {
                curl -s --retry 30 --retry-all-errors -o /dev/null -w '%{http_code} ' -H 'content-type: application/json' \\
                    -d "$2" "http://127.0.0.1:\(node)/api/rooms$1"
            }
            ready() { until curl -sf http://127.0.0.1:\(node)/ready > /dev/null; do sleep 0.05; done; }
            { \(try block("Redis")) } > /dev/null
            mkdir -p "$FOLDER/etc/alcove"
            for file in secret pem; do cp "$FOLDER/etc/redis/alcove.$file" "$FOLDER/etc/alcove/redis.$file"; done
            \(try block("Set it up"))
            ask '' '{"joinid":"111111","client1":"anna","expiresInSeconds":300}'
            { \(try block("TURN")) } > /dev/null; ready
            { \(try block("Look after it", 0)) } > /dev/null 2>&1
            ask '' '{"joinid":"222222","client1":"anna","expiresInSeconds":300}'
            { \(try block("Look after it", 1)) } > /dev/null; ready
            for code in 111111 222222; do ask /check "{\\"joinid\\":\\"$code\\",\\"client1\\":\\"anna\\"}"; done
            systemctl stop redis-server; systemctl start redis-server; ready
            ask /check '{"joinid":"111111","client1":"anna"}'
            """)
        let log = (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
        #expect(
            shell.code == 0 && shell.output.hasSuffix(#"{"ok":true}201 201 204 404 204 "#), "\(shell.output) \(log)")
        for (file, mode) in ["alcove/nodes.secret": 0o640, "turnserver.conf": 0o640, "redis/alcove.conf": 0o640] {
            let path = folder.appending(path: "etc/\(file)").path
            let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(found == mode, "\(file)")
        }
        let copy = try FileManager.default.attributesOfItem(atPath: folder.path + "/var/backups/alcove.rdb")
        #expect(copy[.posixPermissions] as? Int == 0o600)
        let turn = try String(contentsOf: folder.appending(path: "etc/turnserver.conf"), encoding: .utf8)
        let secret = try String(contentsOf: folder.appending(path: "etc/alcove/turn.secret"), encoding: .utf8)
        #expect(turn.contains("static-auth-secret=\(secret)") && turn.contains("realm=localhost"))
    }
}
