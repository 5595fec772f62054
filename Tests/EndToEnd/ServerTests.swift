import Foundation
import Peers
import Platform
import ProgramRunner
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The rendezvous server as a process of its own.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ServerTests {
    @Test func `people meet through a server with TLS, and only if they know its authority`() async throws {
        let fixture = try await RoomFixture()
        let (certificate, key) = try makeCertificate(in: fixture.folder)
        let server = try AlcoveProcess(
            "serve", "--listen", "127.0.0.1:0", "--tls-cert", certificate, "--tls-key", key, "--json")
        defer { server.signal(SIGKILL) }
        let line = try await server.expect("https://")
        let url = line.split(separator: "\"").map(String.init).first { $0.hasPrefix("https") } ?? ""
        let trusting = ["--server", url, "--tls-ca", certificate]
        let ada = try fixture.chat("ada", trusting + ["--create"])
        let code = try await RoomFixture.code(from: ada)
        let ben = try fixture.chat("ben", trusting + [code])
        for process in [ada, ben] { try await process.expect("Connected, verified") }
        let port = url.split(separator: ":").last.map(String.init) ?? ""
        let wrong: [(options: [String], sentence: String)] = [
            (["--server", url], "The certificate of \(url) is not from an authority"),
            (["--server", "https://localhost:\(port)", "--tls-ca", certificate], "is for another name"),
            (["--server", url, "--tls-ca", "/nowhere/ca.pem"], "cannot be read from /nowhere/ca.pem"),
            (["--server", "http://127.0.0.1:\(port)"], "If it has TLS, write https://"),
            (["--server", "https:" + fixture.url.dropFirst("http:".count)], "No TLS could be agreed on with"),
        ]
        for (options, sentence) in wrong {
            let eve = try fixture.chat("eve", options + ["--create"])
            try await eve.expect(sentence)
            #expect(try await eve.exitCode() == 69)
        }
    }

    @Test func `each way not to reach a server has a sentence with the address`() async throws {
        let fixture = try await RoomFixture()
        let port = Int(try LoopbackPort.free())
        let wrong = [
            ("http://127.0.0.1:\(port)", "No server answers at http://127.0.0.1:\(port)."),
            ("http://no-such-machine.invalid", "The name in http://no-such-machine.invalid has no address."),
            (fixture.url + "/elsewhere", "What answers at \(fixture.url)/elsewhere is no rendezvous server."),
        ]
        for (server, sentence) in wrong {
            for words in [["--create"], ["482913-maple-otter"]] {
                let eve = try fixture.chat("eve", ["--server", server] + words)
                eve.endInput()
                try await eve.expect(sentence)
                #expect(try await eve.exitCode() == 69, "\(server) \(words)")
            }
        }
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `it ends when it is asked to`(signal: Int32) async throws {
        let server = try AlcoveProcess("serve", "--listen", "127.0.0.1:0")
        defer { server.signal(SIGKILL) }
        try await server.expect("rendezvous server: http://127.0.0.1:")
        server.signal(signal)
        #expect(try await server.exitCode() == 0)
    }

    @Test(arguments: [([], 200), (["--no-metrics"], 404)] as [([String], Int)])
    func `who runs it decides whether everybody sees how much it is used`(options: [String], status: Int) async throws {
        let server = try AlcoveProcess(["serve", "--listen", "127.0.0.1:0"] + options)
        defer { server.signal(SIGKILL) }
        let line = try await server.expect("http://127.0.0.1:")
        let address = try #require(line.split(separator: " ").first { $0.hasPrefix("http:") })
        let (_, response) = try await URLSession.shared.data(from: try #require(URL(string: address + "/metrics")))
        #expect((response as? HTTPURLResponse)?.statusCode == status)
    }

    #if os(Linux)
    @Test func `a client that asks and never reads does not make it grow`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("greedy-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Self.greedyClient.write(toFile: folder + "/greedy.py", atomically: true, encoding: .utf8)
        let result = try await Shell("python3 \(folder)/greedy.py \(AlcoveProcess.program)")
        #expect(result.code == 0)
        let grown = try #require(Int(result.output.split(separator: "\n").last ?? ""))
        #expect(grown < 64, "the server grew by \(grown) MiB")
    }

    /// Starts a server, sends it requests until it takes no more of them, and prints by how many MiB it has grown.
    private static let greedyClient = """
        import re, socket, subprocess, sys

        server = subprocess.Popen([sys.argv[1], "serve", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
        try:
            port = int(re.search(r"http://127.0.0.1:([0-9]+)", server.stdout.readline()).group(1))

            def size():
                with open(f"/proc/{server.pid}/status") as status:
                    return int(re.search(r"VmRSS:\\s+([0-9]+)", status.read()).group(1)) // 1024

            before = size()
            client = socket.create_connection(("127.0.0.1", port))
            client.settimeout(2)
            sent = 0
            try:
                while sent < 64 << 20:
                    client.sendall(b"GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n" * 2000)
                    sent += 56000
            except OSError:
                pass
            print(size() - before)
        finally:
            server.terminate()
            server.wait()
        """
    #endif

    @Test func `an address that is taken is named`() async throws {
        let fixture = try await RoomFixture()
        let second = try AlcoveProcess("serve", "--listen", String(fixture.url.dropFirst("http://".count)))
        #expect(try await second.exitCode() == 69)
        #expect(second.lines.joined().contains("alcove: "))
    }

    /// A certificate for 127.0.0.1 that is its own authority, made by the `openssl` program.
    private func makeCertificate(in folder: String) throws -> (certificate: String, key: String) {
        let (certificate, key) = (folder + "/certificate.pem", folder + "/key.pem")
        let openssl = try Program.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-keyout", key, "-out", certificate, "-subj", "/CN=alcove test", "-addext",
            "subjectAltName=IP:127.0.0.1",
        ])
        try #require(openssl.status == 0, "openssl is missing; install it with: make test-deps\n\(openssl.output)")
        return (certificate, key)
    }
}
