import Cryptography
import NanoTDF
import Testing

@Suite("NanoTDF: dialects")
struct NanoTDFDialectTests {
    private let reader: EllipticCurve.PrivateKey

    init() throws {
        reader = try EllipticCurve.PrivateKey(.p256)
    }

    @Test("Every nonce rule is found", arguments: NanoTDF.NonceRule.allCases)
    func nonces(rule: NanoTDF.NonceRule) throws {
        var file = ForeignFile()
        let zeros = [UInt8](repeating: 0, count: 9)
        file.nonce = { rule == .bare ? $0 : rule == .zerosBefore ? zeros + $0 : $0 + zeros }
        let opened = try open(file)
        #expect(opened.plaintext == Array("hello".utf8) && opened.nonceRule == rule)
    }

    @Test("L1M and the early derivations are read")
    func derivations() throws {
        let magic = Array("L1M".utf8)
        var file = ForeignFile(magic: magic, salt: HashFunction.sha256.digest(magic), namesReader: true)
        #expect(try open(file).keyDerivation == .deployed)
        file.salt = magic
        file.info = Array("encryption".utf8)
        #expect(try open(file).keyDerivation == .early)
        let client = ForeignFile(salt: Array("L1L".utf8), info: Array("encryption".utf8))
        #expect(try open(client).keyDerivation == .early)
        // It names its reader, so that others know that it is not for them.
        let other = try EllipticCurve.PrivateKey(.p256)
        let error = #expect(throws: NanoTDFError.self) {
            try NanoTDF(file.bytes(to: reader.publicKey)).open(with: other)
        }
        #expect(error?.code == .wrongKey)
    }

    @Test(
        "Every form of binding is reported",
        arguments: zip(
            [ForeignFile.Binding.digest, .tag, .tagOfContent, .fixed, .prefixed],
            [NanoTDF.BindingCheck.digest, .tag, .tag, .ecdsa, .ecdsa]))
    func bindings(form: ForeignFile.Binding, expected: NanoTDF.BindingCheck) throws {
        // Often enough that halves with leading zeros, and so shorter ones, come up.
        for _ in 0..<(form == .prefixed ? 300 : 1) {
            #expect(try open(ForeignFile(binding: form)).binding == expected)
        }
    }

    @Test(
        "A changed policy is refused, unless the reader wants it",
        arguments: [ForeignFile.Binding.digest, .tag, .fixed])
    func wrongBinding(form: ForeignFile.Binding) throws {
        var bytes = try ForeignFile(binding: form).bytes(to: reader.publicKey)
        let place = try #require(bytes.firstRange(of: Array("who".utf8))).lowerBound
        bytes[place] ^= 1
        let file = try NanoTDF(bytes)
        let error = #expect(throws: NanoTDFError.self) { try file.open(with: reader) }
        #expect(error?.code == .wrongBinding)
        let opened = try file.open(with: reader, allowing: .wrongBinding)
        #expect(opened.binding == .wrong && opened.plaintext == Array("hello".utf8))
    }

    @Test("A signature from before the flag is recognized, and not accepted by default")
    func signatures() throws {
        let signer = try EllipticCurve.PrivateKey(.p256)
        #expect(try open(ForeignFile(signer: (signer, false))).signature == .valid(signer.publicKey))
        let early = try NanoTDF(ForeignFile(signer: (signer, true)).bytes(to: reader.publicKey))
        #expect(early.checkSignature() == .beforeFlag(signer.publicKey))
        let error = #expect(throws: NanoTDFError.self) { try early.open(with: reader) }
        #expect(error?.code == .signedBeforeFlag)
        let opened = try early.open(with: reader, allowing: .signatureBeforeFlag)
        #expect(opened.signature == .beforeFlag(signer.publicKey))
        var bytes = early.bytes
        bytes[bytes.count - 1] ^= 1
        let wrong = try NanoTDF(bytes)
        let refused = #expect(throws: NanoTDFError.self) {
            try wrong.open(with: reader, allowing: .signatureBeforeFlag)
        }
        #expect(refused?.code == .wrongSignature)
        #expect(try wrong.open(with: reader, allowing: .wrongSignature).signature == .wrong)
    }

    @Test("A policy that was encrypted without a tag is decrypted on request only")
    func policyWithoutTag() throws {
        let file = try NanoTDF(ForeignFile(policyKind: 2).bytes(to: reader.publicKey))
        #expect(try file.open(with: reader).policy == .unreadable)
        let opened = try file.open(with: reader, allowing: .policyWithoutTag)
        guard case .unauthenticated(let bytes) = opened.policy else {
            Issue.record("the policy was not decrypted")
            return
        }
        let nonce = [UInt8](repeating: 0, count: 12)
        let key = try file.header.payloadKey(with: reader)
        #expect(try AESGCM.seal(bytes, key: key, nonce: nonce, context: []).prefix(3) == Array("who".utf8)[...])
    }

    @Test(
        "A policy with a key access of its own opens with the same private key only",
        arguments: ["", "policy_encryption"])
    func policyKeyAccess(info: String) throws {
        let (service, ephemeral) = (try EllipticCurve.PrivateKey(.p256), try EllipticCurve.PrivateKey(.p256))
        let magic = Array("L1L".utf8)
        let salt = info.isEmpty ? HashFunction.sha256.digest(magic) : magic
        for owner in [reader, service] {
            let secret = try ephemeral.sharedSecret(with: owner.publicKey)
            let key = try HKDF.derive(secret, salt: salt, info: Array(info.utf8), count: 32)
            let nonce = [UInt8](repeating: 0, count: 12)
            let policy = try AESGCM.seal(Array("who".utf8), key: key, nonce: nonce, context: [])
            let access = [1, 1, 0x6b] + ephemeral.publicKey.compressed
            let opened = try open(ForeignFile(policyKind: 3, policy: policy, afterPolicy: access))
            guard owner === service else {
                #expect(opened.policy == .decrypted(Array("who".utf8)))
                continue
            }
            guard case .elsewhere(let access) = opened.policy else {
                Issue.record("a policy of another service was read")
                return
            }
            #expect(access.locator.url == "https://k" && access.publicKey == ephemeral.publicKey.compressed)
        }
    }

    @Test("A wrong key, changed bytes, and what could be either")
    func failures() throws {
        let other = try EllipticCurve.PrivateKey(.p256)
        let plain = try NanoTDF(ForeignFile().bytes(to: reader.publicKey))
        #expect(code { try plain.open(with: other) } == .cannotOpen)
        #expect(code { try plain.open(with: EllipticCurve.PrivateKey(.p384)) } == .wrongKey)
        #expect(code { try plain.open(payloadKey: .random(count: 16)) } == .wrongKey)
        let signed = try NanoTDF(ForeignFile(signer: (other, false)).bytes(to: reader.publicKey))
        #expect(code { try signed.open(with: other) } == .wrongKey)
        var tagged = try ForeignFile(binding: .tag).bytes(to: reader.publicKey)
        tagged[tagged.count - 1] ^= 1
        #expect(code { try NanoTDF(tagged).open(with: reader) } == .altered)
        var offCurve = plain.bytes
        let place = try #require(NanoTDF.inspect(offCurve).fields.first { $0.name == "ephemeral key" }).offset
        offCurve.replaceSubrange(place + 1..<place + 33, with: [UInt8](repeating: 0xff, count: 32))
        #expect(code { try NanoTDF(offCurve).open(with: reader) } == .altered)
    }

    @Test("Unused bits, unusual protocols and filled-up identifiers survive")
    func roundTrips() throws {
        let signer = try EllipticCurve.PrivateKey(.p256)
        let files = [
            ForeignFile(), ForeignFile(binding: .prefixed), ForeignFile(binding: .fixed, configuration: 0x75),
            ForeignFile(signer: (signer, false)),
        ]
        for file in files {
            var bytes = try file.bytes(to: reader.publicKey)
            for kind: UInt8 in [0x10, 0x11, 0x12, 0x13, 0x1f] {
                bytes[3] = kind
                for unused: UInt8 in [0x00, 0x08, 0x78] {
                    bytes[10] = bytes[10] & 0x87 | unused
                    #expect(try NanoTDF(bytes).bytes == bytes)
                    let fields = NanoTDF.inspect(bytes).fields
                    #expect(fields.flatMap(\.bytes) == bytes)
                    #expect(fields.allSatisfy { Array(bytes[$0.offset..<$0.offset + $0.count]) == $0.bytes })
                }
            }
        }
    }

    @Test(
        "Unknown codes are refused with their position",
        arguments: [(3, 0x14), (3, 0x41), (4, 0), (10, 4), (11, 6), (11, 0xc5), (12, 4)])
    func invalid(offset: Int, value: UInt8) throws {
        var bytes = try ForeignFile().bytes(to: reader.publicKey)
        bytes[offset] = value
        let error = #expect(throws: NanoTDFError.self) { try NanoTDF(bytes) }
        #expect(error?.code == .invalidField && error?.offset == offset)
        let (fields, problem) = NanoTDF.inspect(bytes)
        #expect(problem == error && fields.last?.offset == offset)
    }

    private func open(_ file: ForeignFile) throws -> NanoTDF.Opened {
        let bytes = try file.bytes(to: reader.publicKey)
        let parsed = try NanoTDF(bytes)
        #expect(parsed.bytes == bytes)
        return try parsed.open(with: reader)
    }

    private func code(_ body: () throws -> NanoTDF.Opened) -> NanoTDFError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? NanoTDFError)?.code
        }
    }
}
