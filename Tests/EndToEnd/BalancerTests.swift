import Foundation
import Networking
import Peers
import ProgramRunner
import Testing

/// The examples of `deploy/` at work: load balancers in front of two nodes, and copies of the rooms.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct BalancerTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "deploy-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: Program.repository.appending(path: "deploy"), to: folder)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    private func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: folder.appending(path: name))
        return folder.appending(path: name).path
    }

    /// What the balancer lets through, and what it does not.
    private func judge(_ url: String, trusting authority: String, _ cluster: Cluster) async throws {
        let client = HTTPClient(trust: .authorities(path: authority))
        let server = try ServerURL(url)
        while (try? await client.send(HTTPRequest(path: "/ready"), to: server))?.status != 200 {
            try await Task.sleep(for: .milliseconds(50))
        }
        let check = try AlcoveProcess("server", "check", url, "--tls-ca", authority)
        #expect(try await check.exitCode() == 0, "\(check.lines)")
        #expect(check.lines.contains("✓ what one side says reaches the other"))
        for path in ["/metrics", "/metrics/", "/%6detrics"] {
            var request = HTTPRequest(path: path)
            request.verbatimTarget = path
            #expect(try await client.send(request, to: server).status == 404, "\(path)")
        }
        try await cluster.stopNode(0)
        for _ in 0..<10 {
            #expect(try await client.send(HTTPRequest(path: "/healthz"), to: server).status == 200)
        }
        try? FileManager.default.removeItem(at: folder)
    }

    @Test func `HAProxy passes everything on to the nodes that live`() async throws {
        let redis = try await RedisServer()
        let cluster = try await Cluster(nodes: 2, redis: redis.url)
        let authority = try TestAuthority()
        let identity = try authority.issue("IP:127.0.0.1")
        let port = try LoopbackPort.free()
        let chain = try authority.chain([identity.certificate, identity.key])
        var settings = try text("haproxy.cfg").replacing("maxconn 50000", with: "maxconn 500")
            .replacing("bind :443 ssl crt /etc/haproxy/rendezvous.pem", with: "bind 127.0.0.1:\(port) ssl crt \(chain)")
        for node in 0..<2 {
            settings = settings.replacing("10.0.0.1\(node + 1):8080", with: "127.0.0.1:\(try cluster.url(node).port)")
        }
        let program = try ChildProcess(
            program: Programs.haproxy(), arguments: ["-db", "-f", try write(settings, to: "haproxy.cfg")])
        defer { program.end(grace: .seconds(0)) }
        try await judge("https://127.0.0.1:\(port)", trusting: authority.own.certificate, cluster)
    }

    @Test func `Caddy passes everything on to the nodes that live`() async throws {
        let redis = try await RedisServer()
        let cluster = try await Cluster(nodes: 2, redis: redis.url)
        let port = try LoopbackPort.free()
        // Its own authority instead of one on the internet.
        let options = "{\n admin off\n skip_install_trust\n auto_https disable_redirects\n default_bind 127.0.0.1\n}\n"
        let nodes = try "127.0.0.1:\(cluster.url(0).port) 127.0.0.1:\(cluster.url(1).port)"
        let settings = try text("Caddyfile").replacing("node1:8080 node2:8080", with: nodes)
            .replacing("{$ALCOVE_NAME}", with: "https://localhost:\(port)")
        let file = try write(options + settings, to: "Caddyfile")
        let home = folder.path
        let program = try ChildProcess(
            program: URL(filePath: "/usr/bin/env"),
            arguments: [
                "HOME=\(home)", "XDG_DATA_HOME=\(home)", "XDG_CONFIG_HOME=\(home)", try Programs.caddy().path, "run",
                "--adapter", "caddyfile", "--config", file,
            ])
        defer { program.end(grace: .seconds(0)) }
        let root = "\(home)/caddy/pki/authorities/local/root.crt"
        while !FileManager.default.fileExists(atPath: root) { try await Task.sleep(for: .milliseconds(50)) }
        try await judge("https://localhost:\(port)", trusting: root, cluster)
    }

    /// Stands for `docker compose`: runs here what would run in the container of Redis.
    private static let docker = #"""
        #!/bin/sh
        set -eu
        settings=$ROOT/secrets/redis.conf
        for verb do case $verb in exec | stop | run | up) break ;; esac done
        for last do :; done
        case $verb in
            exec | run)
                sh -c "$(printf '%s' "$last" | sed "s#/usr/local/etc/redis#$ROOT/secrets#g; s#/data#$ROOT/data#g
                    s#redis-cli#redis-cli -p $PORT#g; s#/tmp/log#$ROOT/log#g")" ;;
            stop) REDISCLI_AUTH=$(sed -n "s/^requirepass //p" "$settings") redis-cli -p "$PORT" shutdown ;;
            up) redis-server "$settings" --daemonize yes > /dev/null ;;
        esac
        """#

    @Test func `rooms are copied out of Redis and put back`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let port = try LoopbackPort.free()
        let root = folder.path
        for name in ["data", "bin"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        let docker = try write(Self.docker, to: "bin/docker")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: docker)
        let start = "export ROOT='\(root)' PORT=\(port) PATH='\(root)/bin':$PATH; cd '\(root)'; "
        func run(_ line: String) async throws -> String {
            let done = try await Shell(start + "{ \(line); } 2>&1")
            #expect(done.code == 0, "\(line): \(done.output)")
            return done.output
        }
        _ = try await run("./make-secrets rendezvous.example")
        let settings = try text("secrets/redis.conf").replacing("dir /data", with: "dir \(root)/data")
        _ = try write(settings + "port \(port)\nbind 127.0.0.1\n", to: "secrets/redis.conf")
        let ask = "REDISCLI_AUTH=$(cat secrets/redis.secret) redis-cli -p \(port)"
        let waits = "until \(ask) ping 2> /dev/null | grep -q PONG; do sleep 0.05; done"
        _ = try await run("docker compose up; \(waits); \(ask) set a kept; ./backup '\(root)/copy'")
        _ = try await run("\(ask) set a changed; \(ask) set b new; ./restore '\(root)/copy'; \(waits)")
        #expect(try await run("\(ask) get a") == "kept\n")
        #expect(try await run("\(ask) exists b") == "0\n")
        // What was restored is in the append-only file, too.
        _ = try await run("docker compose stop; docker compose up; \(waits)")
        #expect(try await run("\(ask) get a") == "kept\n")
        let files = try FileManager.default.attributesOfItem(atPath: root + "/copy")
        #expect(files[.posixPermissions] as? Int == 0o600)
        #expect(try await Shell(start + "./restore ./make-secrets").code == 65)
        _ = try await run("docker compose stop")
    }
}
