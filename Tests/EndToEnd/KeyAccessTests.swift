import Foundation
import Platform
import Testing

/// `alcove kas serve`, and `alcove tdf` as its client.
@Suite(.timeLimit(.minutes(10)))
struct KeyAccessTests {
    @Test func `a file is opened by who may, and every decision is written down`() async throws {
        try await withService { service in
            let allowed = try await service.seal(#"{"uuid":"1","body":{"dataAttributes":[],"dissem":["anna"]}}"#)
            let denied = try await service.seal(#"{"uuid":"2","body":{"dataAttributes":[],"dissem":["ben"]}}"#)
            let dataset = try await service.seal(
                #"{"uuid":"3","body":{"dataAttributes":[],"dissem":[]}}"#,
                ["--dataset", "--public-key", service.publicKey, "--kid", "e1"])
            for file in [allowed, dataset] {
                let anna = try service.open(file, token: "letmein")
                try await anna.expect("the letter")
                #expect(try await anna.exitCode() == 0)
            }
            let refused = try service.open(denied, token: "letmein")
            try await refused.expect("names its readers")
            #expect(try await refused.exitCode() == 77)
            let stranger = try service.open(allowed, token: "letmeout")
            try await stranger.expect("does not know the access token")
            #expect(try await stranger.exitCode() == 77)
            let log = try String(contentsOf: service.folder.appending(path: "audit.jsonl"), encoding: .utf8)
            let decisions = log.split(separator: "\n").map { $0.contains(#""decision":"permit""#) }
            #expect(decisions == [true, true, false, false])
            #expect(!log.contains("letmein") && !log.contains("PRIVATE"))
        }
    }

    @Test func `it makes a key once, which nobody else may read`() async throws {
        try await withService { service in
            let path = service.folder.appending(path: "keys/e1.pem").path
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            let before = try Data(contentsOf: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            let words = [
                "kas", "serve", "--listen", "127.0.0.1:0", "--keys", service.folder.appending(path: "keys").path,
            ]
            let second = try AlcoveProcess(words)
            try await second.expect("chmod 600")
            #expect(try await second.exitCode() == 77)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            let third = try AlcoveProcess(words)
            defer { third.signal(SIGKILL) }
            try await third.expect("key access service: http://127.0.0.1:")
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
        }
    }

    @Test func `it does not open itself to a network by mistake, nor ask one`() async throws {
        try await withService { service in
            let keys = service.folder.appending(path: "keys").path
            let open = try AlcoveProcess("kas", "serve", "--listen", "0.0.0.0:0", "--keys", keys)
            try await open.expect("anybody on the network")
            #expect(try await open.exitCode() == 78)
            for address in ["http://kas.example.com", "https://10.0.0.1", "https://169.254.169.254"] {
                #expect(try await AlcoveProcess("tdf", "open", "--kas", address, "file").exitCode() == 64)
            }
        }
    }

    /// A running service with a key of its own and a caller, anna, whose token is `letmein`.
    private struct Service {
        let folder: URL
        let url: String

        var publicKey: String { folder.appending(path: "public.pem").path }

        /// Seals to the key that the service tells, unless the options say otherwise.
        func seal(_ policy: String, _ options: [String] = []) async throws -> String {
            let path = { (name: String) in folder.appending(path: name).path }
            let (file, policyFile) = (path(UUID().uuidString), path("policy-of-the-letter"))
            try Data(policy.utf8).write(to: URL(filePath: policyFile))
            try Data("the letter\n".utf8).write(to: URL(filePath: path("letter")))
            let words = ["tdf", "seal", "--kas", url]
            let process = try AlcoveProcess(
                words + ["--policy", policyFile] + options + [path("letter"), "--output", file])
            #expect(try await process.exitCode() == 0)
            return file
        }

        func open(_ file: String, token: String) throws -> AlcoveProcess {
            let path = folder.appending(path: "token-\(token)")
            try Data((token + "\n").utf8).write(to: path)
            return try AlcoveProcess("tdf", "open", "--kas", url, "--token", path.path, file)
        }
    }

    private func withService(_ body: (Service) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "alcove-kas-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // printf %s letmein | sha256sum
        let digest = "1c8bfe8f801d79745c4631d09fff36c82aa37fc4cce4fc946683d7b336b63032"
        let policy = #"{"callers": {"anna": {"tokens": ["sha256:\#(digest)"]}}}"#
        try Data(policy.utf8).write(to: folder.appending(path: "policy.json"))
        let path = { (name: String) in folder.appending(path: name).path }
        let server = try AlcoveProcess(
            "kas", "serve", "--listen", "127.0.0.1:0", "--keys", path("keys"), "--policy", path("policy.json"),
            "--audit", path("audit.jsonl"), "--json")
        defer { server.signal(SIGKILL) }
        let line = try await server.expect(#""url":"#)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let keys = try #require(report["keys"] as? [[String: String]])
        try #require(keys.first?["public_key"]).write(
            to: folder.appending(path: "public.pem"), atomically: true, encoding: .utf8)
        try await body(Service(folder: folder, url: try #require(report["url"] as? String)))
        server.signal(SIGTERM)
        #expect(try await server.exitCode() == 0)
    }
}
