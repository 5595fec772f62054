import Cryptography
import NanoTDF
import Testing

@Suite("NanoTDF: files of other programs")
struct NanoTDFVectorTests {
    @Test("Every step of opening gives the expected result", arguments: NanoTDFVector.all)
    func steps(vector: NanoTDFVector) throws {
        let file = try NanoTDF(vector.bytes)
        #expect(file.bytes == vector.bytes)
        #expect(file.header.bytes.count == vector.headerByteCount)
        #expect(try NanoTDF.Header(vector.bytes.prefix(vector.headerByteCount)) == file.header)
        let key = try vector.privateKey
        let ephemeral = try EllipticCurve.PublicKey(file.header.curve, encoded: file.header.ephemeralKey)
        #expect(try key.sharedSecret(with: ephemeral) == SecretBytes(copying: hex(vector.secret)))
        let payloadKey = SecretBytes(copying: hex(vector.payloadKey))
        #expect(try file.header.payloadKey(with: key) == payloadKey)
        let opened = try file.open(with: key)
        #expect(String(decoding: opened.plaintext, as: UTF8.self) == vector.plaintext)
        #expect(opened.nonceRule == vector.nonceRule)
        #expect(opened.keyDerivation == .deployed)
        #expect(try file.open(payloadKey: payloadKey).plaintext == opened.plaintext)
    }

    @Test("Bindings, signatures and policies are reported")
    func findings() throws {
        let signed = try open(.signed)
        #expect(signed.binding == .ecdsa)
        let signer = hex("02d5cfb97f5524c5903f627362059336aa71a4c2ee16d05b78340397e2ae071d2e")
        #expect(signed.signature == .valid(try EllipticCurve.PublicKey(.p256, encoded: signer)))
        #expect(signed.policy == .remote(try ResourceLocator(url: "https://kas.virtru.com/policy")))

        let unsigned = try open(.unsigned)
        #expect(unsigned.binding == .ecdsa && unsigned.signature == .absent)

        let plain = try open(.plainPolicy)
        #expect(plain.binding == .digest)
        #expect(plain.policy == .plain(Array(NanoTDFVector.deployedPolicy.utf8)))

        let encrypted = try open(.encryptedPolicy)
        #expect(encrypted.binding == .digest)
        #expect(encrypted.policy == .decrypted(Array(NanoTDFVector.deployedPolicy.utf8)))
    }

    @Test("With the same keys and vectors, we write the same bytes as others do")
    func reproduction() throws {
        let policy = Array(NanoTDFVector.deployedPolicy.utf8)
        let cases: [(NanoTDFVector, NanoTDFSealer.Policy, NanoTDF.Cipher, String, [UInt8])] = [
            (
                .plainPolicy, .plain(policy), .aes256GCM128,
                "dd09dbe258e9a93eb1a1f5f34912c4e9ef7ed6ec7a4539fc4e531617364fc9a9", [0, 0, 0x2a]
            ),
            (
                .encryptedPolicy, .encrypted(policy), .aes256GCM96,
                "921b001339f3fc7c03611283bebd11ffa1575679baafae35f8a46efc996c6072", [0, 0, 1]
            ),
        ]
        for (vector, policy, cipher, scalar, initialization) in cases {
            let kas = try ResourceLocator(url: "https://kas.example.com", identifier: "e1")
            let sealer = try NanoTDFSealer(kas: kas, policy: policy, cipher: cipher)
            let ephemeral = try EllipticCurve.PrivateKey(.p256, scalar: SecretBytes(copying: hex(scalar)))
            let file = try sealer.seal(
                vector.plaintext.utf8, to: vector.privateKey.publicKey, ephemeral: ephemeral, vector: initialization)
            #expect(file.bytes == vector.bytes)
        }
    }

    @Test("Every changed bit is noticed, except in unprotected fields", arguments: NanoTDFVector.all)
    func tampering(vector: NanoTDFVector) throws {
        let (key, original) = (try vector.privateKey, vector.bytes)
        // Addresses, key identifiers and unused bits; and the sign of the ephemeral key, because agreement looks at x only.
        let fields = NanoTDF.inspect(original).fields
        let policy = try #require(fields.first { $0.name == "policy kind" }).offset
        let ephemeral = try #require(fields.first { $0.name == "ephemeral key" }).offset
        for index in original.indices {
            var bytes = original
            bytes[index] ^= 1 << UInt8(index % 8)
            guard let file = try? NanoTDF(bytes), let opened = try? file.open(with: key) else { continue }
            #expect(file.bytes == bytes)
            #expect((index < policy || index == ephemeral) && opened.signature == .absent)
            #expect(String(decoding: opened.plaintext, as: UTF8.self) == vector.plaintext)
        }
    }

    @Test("A truncated or prolonged file is refused", arguments: NanoTDFVector.all)
    func lengths(vector: NanoTDFVector) throws {
        for count in 0..<vector.bytes.count {
            #expect(throws: NanoTDFError.self) { try NanoTDF(vector.bytes.prefix(count)) }
        }
        let error = #expect(throws: NanoTDFError.self) { try NanoTDF(vector.bytes + [0]) }
        #expect(error?.code == .trailingBytes && error?.offset == vector.bytes.count)
    }

    @Test("Other magics are refused at once", arguments: ["4c4c01", "0a314c", "4c314b", "504b03"])
    func magic(digits: String) {
        let error = #expect(throws: NanoTDFError.self) {
            try NanoTDF(hex(digits) + NanoTDFVector.signed.bytes.dropFirst(3))
        }
        #expect(error?.code == .badMagic && error?.offset == 0)
    }

    private func open(_ vector: NanoTDFVector) throws -> NanoTDF.Opened {
        try NanoTDF(vector.bytes).open(with: vector.privateKey)
    }
}
