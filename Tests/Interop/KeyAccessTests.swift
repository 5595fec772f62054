import Cryptography
import Foundation
import KeyAccess
import NanoTDF
import Peers
import Testing

/// otdf-python as a client of our key access service. It speaks Connect with protobuf and gzip, signs with RSA, and wants keys
/// wrapped for RSA.
@Suite(.timeLimit(.minutes(5)))
struct KeyAccessTests {
    private static let attribute = "https://example.com/attr/place/value/home"

    @Test func `otdf-python fetches our key, seals to it, and opens what it and we sealed`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kas-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = folder.appending(path: "dpop.pem")
        try await run("/usr/bin/openssl", ["genrsa", "-out", key.path, "2048"])
        let publicKey = try await run("/usr/bin/openssl", ["rsa", "-in", key.path, "-pubout"])
        try await withService(signedBy: String(decoding: publicKey, as: UTF8.self)) { url, keys in
            let theirs = try await peer(["seal", url, Self.attribute], input: Array("from them".utf8))
            let ours = try sealed(Array("from us".utf8), at: url, to: keys.keys[0])
            #expect(try NanoTDF(theirs).open(with: keys.keys[0].privateKey).plaintext == Array("from them".utf8))
            #expect(try await peer(["open", key.path, "letmein"], input: theirs) == Array("from them".utf8))
            #expect(try await peer(["open", key.path, "letmein"], input: ours) == Array("from us".utf8))
            #expect(try await peer(["open", key.path, "letmeout"], input: ours).isEmpty)
        }
    }

    /// A service with one caller, whose token is `letmein` and who signs with this key.
    private func withService(
        signedBy publicKey: String, _ body: (String, ServiceKeys) async throws -> Void
    ) async throws {
        let digest = HashFunction.sha256.digest("letmein".utf8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let caller: [String: [String]] = [
            "attributes": [Self.attribute], "keys": [publicKey], "tokens": ["sha256:" + digest.joined()],
        ]
        let policy = try JSONEncoder().encode(["callers": ["python": caller]])
        let keys = try ServiceKeys([.init(id: "e1", privateKey: .init(.p256))])
        let server = try KeyAccessServer(KeyAccessConfiguration(keys: keys, policy: AccessPolicy(file: Array(policy))))
        let port = try await server.start()
        do {
            try await body("http://127.0.0.1:\(port)", keys)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func sealed(_ plaintext: [UInt8], at url: String, to key: ServiceKeys.Key) throws -> [UInt8] {
        let policy = #"{"uuid":"1","body":{"dataAttributes":[{"attribute":"\#(Self.attribute)"}],"dissem":["python"]}}"#
        let sealer = try NanoTDFSealer(
            kas: ResourceLocator(url: url, identifier: key.id), policy: .encrypted(Array(policy.utf8)))
        return try sealer.seal(plaintext, to: key.privateKey.publicKey).bytes
    }

    private func peer(_ words: [String], input: [UInt8]) async throws -> [UInt8] {
        try await run(Programs.python().path, [Programs.script("kas_peer.py")] + words, input: input)
    }

    /// Runs a program to its end and returns what it printed.
    @discardableResult
    private func run(_ program: String, _ words: [String], input: [UInt8] = []) async throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kas-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, target) = (folder.appending(path: "in"), folder.appending(path: "out"))
        try Data(input).write(to: source)
        try Data().write(to: target)
        let process = try ChildProcess(
            program: URL(filePath: program), arguments: words,
            input: FileHandle(forReadingFrom: source), output: FileHandle(forWritingTo: target))
        await process.ended(grace: .seconds(60))
        return Array(try Data(contentsOf: target))
    }
}
