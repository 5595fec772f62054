import Foundation
import Peers
import Testing

/// The password of Redis, which nobody else on the machine may see.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct StorePasswordTests {
    /// The command lines of servers that use this Redis, as `ps` shows them.
    private func commandLines(_ port: UInt16) -> [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { process in
            let bytes = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
            let words = bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
            return words.contains("--store") && words.contains("127.0.0.1:\(port)") ? words : nil
        }
    }

    @Test(arguments: [true, false])
    func `it is in no list of processes and in no log`(inAddress: Bool) async throws {
        let redis = try await RedisServer(["--requirepass", "hunter22"])
        let folder = FileManager.default.temporaryDirectory.appending(path: "password-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("hunter22\n".utf8).write(to: folder.appending(path: "password"))
        try Data("the secret of all the nodes of this test".utf8).write(to: folder.appending(path: "secret"))
        let store =
            inAddress
            ? ["--store", "redis://:hunter22@127.0.0.1:\(redis.port)"]
            : ["--store", redis.url, "--store-password-file", "\(folder.path)/password"]
        let server = try AlcoveProcess(
            ["serve", "--listen", "127.0.0.1:0", "--secret-file", "\(folder.path)/secret", "--json"] + store)
        defer { server.signal(SIGKILL) }
        try await server.expect("\"url\"")
        let lines = commandLines(redis.port)
        #expect(!lines.isEmpty && lines.allSatisfy { !$0.contains("hunter22") }, "\(lines)")
        #expect(!server.lines.joined().contains("hunter22"))
    }

    @Test func `a wrong one, and files that do not fit, are refused without it`() async throws {
        let redis = try await RedisServer(["--requirepass", "swordfish"])
        let secret = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID().uuidString)").path
        try Data("the secret of all the nodes of this test".utf8).write(to: URL(filePath: secret))
        defer { try? FileManager.default.removeItem(atPath: secret) }
        let address = "redis://:hunter22@127.0.0.1:\(redis.port)"
        for (options, code, words) in [
            (["--store", address], 73, "does not accept this user and password"),
            (["--store", address, "--store-ca", secret], 64, "certificates go with rediss://"),
            (["--store", address, "--store-cert", secret], 64, "--store-cert and --store-key go together"),
            (["--store", address, "--store-password-file", secret], 64, "there are two passwords"),
            (["--store", "redis+sentinel://:hunter22@h"], 64, "names no master"),
        ] as [([String], Int32, String)] {
            let server = try AlcoveProcess(["serve", "--listen", "127.0.0.1:0", "--secret-file", secret] + options)
            #expect(try await server.exitCode() == code, "\(server.lines)")
            let text = server.lines.joined()
            #expect(text.contains(words) && !text.contains("hunter22"), "\(text)")
        }
    }
}
