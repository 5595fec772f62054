import Cryptography
import NanoTDF
import Testing

@Suite("NanoTDF: sealing")
struct NanoTDFSealerTests {
    private static let policies: [NanoTDFSealer.Policy] = {
        let locator = try? ResourceLocator(url: "https://example.com/policy")
        return [.plain([]), .plain(Array("who".utf8)), .encrypted([]), .encrypted(Array("who".utf8))]
            + (locator.map { [.remote($0)] } ?? [])
    }()
    private static let curves: [EllipticCurve] = [.p256, .p384, .p521]

    @Test("Every curve, cipher, binding and policy opens again", arguments: curves, NanoTDF.Cipher.allCases)
    func combinations(curve: EllipticCurve, cipher: NanoTDF.Cipher) throws {
        let (reader, signer) = (try EllipticCurve.PrivateKey(curve), try EllipticCurve.PrivateKey(.p384))
        let kas = try kas
        for policy in Self.policies {
            for (binding, signer) in [(NanoTDFSealer.Binding.digest, nil), (.ecdsa, nil), (.digest, signer)] {
                let sealer = try NanoTDFSealer(
                    kas: kas, policy: policy, binding: binding, cipher: cipher, signer: signer)
                let bytes = try sealer.seal("hello".utf8, to: reader.publicKey).bytes
                let file = try NanoTDF(bytes)
                #expect(file.bytes == bytes)
                #expect(file.header.cipher == cipher && file.header.curve == curve && file.header.kas == kas)
                let opened = try file.open(with: reader)
                #expect(opened.plaintext == Array("hello".utf8))
                #expect(opened.binding == (binding == .digest ? .digest : .ecdsa))
                #expect(opened.signature == (signer.map { .valid($0.publicKey) } ?? .absent))
                #expect(opened.policy == expected(policy))
                #expect(opened.nonceRule == .zerosBefore)
            }
        }
    }

    @Test("The largest policies and payloads fit, and larger ones do not")
    func limits() throws {
        let reader = try EllipticCurve.PrivateKey(.p256)
        let policy = [UInt8](repeating: 7, count: 65_535 - 16)
        let sealer = try NanoTDFSealer(kas: kas, policy: .encrypted(policy))
        #expect(sealer.plaintextByteLimit == 16_777_215 - 3 - 16)
        let plaintext = [UInt8](repeating: 9, count: sealer.plaintextByteLimit)
        let file = try NanoTDF(sealer.seal(plaintext, to: reader.publicKey).bytes)
        let opened = try file.open(with: reader)
        #expect(opened.plaintext == plaintext && opened.policy == .decrypted(policy))
        let tooMuch = #expect(throws: NanoTDFError.self) { try sealer.seal(plaintext + [0], to: reader.publicKey) }
        #expect(tooMuch?.code == .limitExceeded)
        let tooLong = #expect(throws: NanoTDFError.self) {
            try NanoTDFSealer(kas: kas, policy: .encrypted(policy + [0]))
        }
        #expect(tooLong?.code == .limitExceeded)
        #expect(throws: Never.self) { try NanoTDFSealer(kas: kas, policy: .plain(policy + [UInt8](0..<16))) }
    }

    @Test("Two files have no key and no vector in common, and no vector is the policy's")
    func freshness() throws {
        let reader = try EllipticCurve.PrivateKey(.p256)
        let sealer = try NanoTDFSealer(kas: kas, policy: .plain([]))
        let files = try (0..<200).map { _ in try sealer.seal([1], to: reader.publicKey) }
        #expect(Set(files.map(\.header.ephemeralKey)).count == files.count)
        #expect(!files.contains { $0.payload.vector == [0, 0, 0] })
    }

    @Test("secp256k1 is read and not written")
    func koblitz() throws {
        let reader = try EllipticCurve.PrivateKey(.secp256k1)
        let sealer = try NanoTDFSealer(kas: kas, policy: .plain([]))
        let error = #expect(throws: NanoTDFError.self) { try sealer.seal([1], to: reader.publicKey) }
        #expect(error?.code == .unsupported)
        let file = try sealer.seal(
            [1, 2], to: reader.publicKey, ephemeral: EllipticCurve.PrivateKey(.secp256k1), vector: [0, 0, 1])
        #expect(try NanoTDF(file.bytes).open(with: reader).plaintext == [1, 2])
    }

    @Test("Addresses are parsed and written", arguments: ResourceLocator.Transport.allCases)
    func locators(transport: ResourceLocator.Transport) throws {
        let url = transport.scheme + "://kas.example.com/path"
        let locator = try ResourceLocator(url: url)
        #expect(locator.transport == transport && locator.url == url && locator.identifier == [])
        for (identifier, room) in [("", 0), ("e", 2), ("e1", 2), ("key", 8), ("key-nine!", 32)] {
            let locator = try ResourceLocator(url: url, identifier: identifier)
            #expect(locator.identifier.count == room)
            #expect(locator.identifierText == (identifier.isEmpty ? nil : identifier))
        }
        let body = String(repeating: "a", count: 256)
        for wrong in ["", "kas.example.com", "ftp://a", transport.scheme + "://", transport.scheme + "://" + body] {
            #expect(throws: NanoTDFError.self) { try ResourceLocator(url: wrong) }
        }
        #expect(throws: NanoTDFError.self) { try ResourceLocator(url: url, identifier: body) }
    }

    private var kas: ResourceLocator {
        get throws { try ResourceLocator(url: "https://kas.example.com", identifier: "e1") }
    }

    private func expected(_ policy: NanoTDFSealer.Policy) -> NanoTDF.OpenedPolicy {
        switch policy {
        case .remote(let locator): .remote(locator)
        case .plain(let bytes): .plain(bytes)
        case .encrypted(let bytes): .decrypted(bytes)
        }
    }
}
