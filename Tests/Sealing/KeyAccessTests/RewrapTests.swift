import Cryptography
import NanoTDF
import Networking
import Testing
import Wire

@testable import KeyAccess

@Suite("Rewraps over loopback", .timeLimit(.minutes(5)))
struct RewrapTests {
    @Test("Every curve and every cipher", arguments: [EllipticCurve.p256, .p384, .p521])
    func curves(curve: EllipticCurve) async throws {
        try await LiveService.run { service in
            let published = try await service.client().publicKey(on: curve)
            #expect(try published.publicKey == service.keys.key(id: nil, on: curve).privateKey.publicKey)
            #expect(published.id == "key-\(curve.name)")
            let files = try NanoTDF.Cipher.allCases.map { try service.seal("for \($0)", on: curve, cipher: $0) }
            let keys = try await service.client().payloadKeys(of: files.map(\.header))
            for (file, key) in zip(files, keys) {
                let opened = try file.open(payloadKey: key.get())
                #expect(String(decoding: opened.plaintext, as: UTF8.self) == "for \(file.header.cipher)")
            }
        }
    }

    @Test("Both bindings, plain and encrypted policies", arguments: NanoTDFSealer.Binding.allCases, [true, false])
    func policies(binding: NanoTDFSealer.Binding, isPlain: Bool) async throws {
        try await LiveService.run { service in
            let policy: NanoTDFSealer.Policy =
                isPlain ? .plain(LiveService.openPolicy) : .encrypted(LiveService.openPolicy)
            let file = try service.seal(policy: policy, binding: binding)
            let key = try await service.client().payloadKey(of: file.header)
            #expect(try file.open(payloadKey: key).plaintext == Array("text".utf8))
            let line = try #require(service.audit.first)
            #expect(line["decision"] == "permit")
            #expect(line["caller"] == "anonymous")
            #expect(line["policy"] == "open")
            #expect(line["key"] == "key-secp256r1")
            #expect(line["binding"] == (binding == .digest ? "digest" : "ecdsa"))
        }
    }

    @Test("OpenTDFKit's binding, a tag under the payload key, is checked too")
    func tagBinding() async throws {
        try await LiveService.run { service in
            let file = try service.seal()
            let key = try await service.client().payloadKey(of: file.header)
            let tag = try AESGCM.seal(
                [], key: key, nonce: [UInt8](repeating: 0, count: 12),
                context: Array(file.header.policy.bytes.dropFirst()), tagByteCount: 8)
            let rebound = try NanoTDF(replaced(file, binding: tag))
            #expect(try await service.client().payloadKey(of: rebound.header) == key)
            #expect(service.audit.last?["binding"] == "tag")
        }
    }

    @Test("A changed policy or binding is refused")
    func wrongBinding() async throws {
        try await LiveService.run { service in
            let files = try [
                NanoTDF(replaced(service.seal(), binding: [UInt8](repeating: 1, count: 8))),
                NanoTDF(replaced(service.seal(binding: .ecdsa), binding: [UInt8](repeating: 1, count: 64))),
            ]
            for result in try await service.client().payloadKeys(of: files.map(\.header)) {
                let error = #expect(throws: KeyAccessError.self) { try result.get() }
                #expect(error?.code == .permissionDenied)
                #expect(error?.message.contains("binding") == true)
            }
            #expect(service.audit.map { $0["decision"] } == ["deny", "deny"])
            #expect(service.audit.map { $0["binding"] } == ["wrong", "wrong"])
        }
    }

    @Test("Digests without a key are refused if the policy file says so, unless the policy is encrypted")
    func soundBindings() async throws {
        let policy = try AccessPolicy(file: Array(#"{"callers":{"anonymous":{}},"refusesDigestBindings":true}"#.utf8))
        try await LiveService.run(policy: policy) { service in
            let files = try [
                service.seal(), service.seal(binding: .ecdsa), service.seal(policy: .encrypted(LiveService.openPolicy)),
            ]
            let results = try await service.client().payloadKeys(of: files.map(\.header))
            #expect(results.map { (try? $0.get()) != nil } == [false, true, true])
        }
    }

    @Test("Remote policies and policies in another format are refused, file by file")
    func otherPolicies() async throws {
        try await LiveService.run { service in
            let files = try [
                service.seal(policy: .remote(ResourceLocator(url: "https://example.com/policy"))),
                service.seal(policy: .plain(Array("Metadata".utf8))), service.seal(),
                service.seal(policy: .plain(LiveService.policy(attributes: ["https://example.com/attr/a/value/b"]))),
                service.seal(policy: .plain(LiveService.policy(readers: ["anna"]))),
            ]
            let results = try await service.client().payloadKeys(of: files.map(\.header))
            #expect(results.map { (try? $0.get()) != nil } == [false, false, true, false, false])
            let line = try #require(service.audit.first { $0["attributes"] != nil })
            #expect(line["attributes"] == ["https://example.com/attr/a/value/b"])
        }
    }

    @Test("Keys that the service does not have, or has on another curve")
    func otherKeys() async throws {
        try await LiveService.run { service in
            let files = try [
                service.seal(key: "other"), service.seal(key: "key-secp384r1"), service.seal(key: ""),
            ]
            let results = try await service.client().payloadKeys(of: files.map(\.header))
            #expect(results.map { (try? $0.get()) != nil } == [false, false, true])
            await #expect(throws: KeyAccessError.self) { try await service.client().publicKey(on: .secp256k1) }
        }
    }

    @Test("A service that cannot write its audit log gives out no key")
    func auditFails() async throws {
        try await LiveService.run(audits: false) { service in
            let file = try service.seal()
            let error = await #expect(throws: KeyAccessError.self) {
                try await service.client().payloadKey(of: file.header)
            }
            #expect(error?.code == .unavailable)
        }
    }

    @Test("A service that listens beyond this machine needs authentication")
    func openToAll() throws {
        let keys = try ServiceKeys([.init(id: "k1", privateKey: .init(.p256))])
        for host in ["0.0.0.0", "::", "192.0.2.1"] {
            var configuration = KeyAccessConfiguration(keys: keys)
            configuration.host = host
            let error = #expect(throws: KeyAccessError.self) { try KeyAccessServer(configuration) }
            #expect(error?.code == .invalidConfiguration)
        }
    }

    /// The file's bytes with another binding of the same length.
    private func replaced(_ file: NanoTDF, binding: [UInt8]) throws -> [UInt8] {
        var bytes = file.bytes
        let end = file.header.bytes.count - file.header.ephemeralKey.count
        try #require(file.header.binding.bytes.count == binding.count)
        bytes.replaceSubrange(end - binding.count..<end, with: binding)
        return bytes
    }
}
