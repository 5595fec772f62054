import Cryptography
import Foundation
import Testing

@Suite("Key files")
struct KeyFileTests {
    @Test("PKCS#8 and SEC 1, PEM and DER", arguments: CurveVector.all)
    func privateKeys(vector: CurveVector) throws {
        let forms = [
            pem("EC PRIVATE KEY", vector.sec1), pem("PRIVATE KEY", vector.pkcs8),
            Array("Comments may stand before it.\n".utf8) + pem("EC PRIVATE KEY", vector.sec1), bytes(vector.sec1),
            bytes(vector.pkcs8),
        ]
        for form in forms {
            let key = try EllipticCurve.PrivateKey(file: SecretBytes(copying: form))
            #expect(key.curve == vector.curve)
            #expect(key.scalar == SecretBytes(copying: hex(vector.scalar)))
        }
    }

    @Test("Public keys, PEM and DER", arguments: CurveVector.all)
    func publicKeys(vector: CurveVector) throws {
        for form in [pem("PUBLIC KEY", vector.spki), bytes(vector.spki)] {
            let key = try EllipticCurve.PublicKey(file: form)
            #expect(key.curve == vector.curve && key.compressed == hex(vector.compressed))
        }
        let key = try EllipticCurve.PublicKey(file: bytes(vector.spki))
        #expect(Array(try key.pem.utf8) == pem("PUBLIC KEY", vector.spki))
    }

    @Test("Written keys are read back", arguments: EllipticCurve.allCases)
    func roundTrip(curve: EllipticCurve) throws {
        let key = try EllipticCurve.PrivateKey(curve)
        #expect(try EllipticCurve.PrivateKey(file: key.pem).scalar == key.scalar)
        #expect(try EllipticCurve.PublicKey(file: key.publicKey.pem.utf8) == key.publicKey)
    }

    @Test("A certificate gives its subject's key")
    func certificate() throws {
        let key = try EllipticCurve.PublicKey(file: pem("CERTIFICATE", KeyFileVector.certificate))
        #expect(key.compressed == hex(KeyFileVector.certificateKey))
        #expect(try EllipticCurve.PublicKey(file: bytes(KeyFileVector.certificate)) == key)
    }

    @Test("Parameters before the key are skipped, and the public part may be missing")
    func variants() throws {
        let parameters = pem("EC PARAMETERS", "BggqhkjOPQMBBw==")
        let vector = CurveVector.all[0]
        let key = try EllipticCurve.PrivateKey(
            file: SecretBytes(copying: parameters + pem("EC PRIVATE KEY", vector.sec1)))
        #expect(key.publicKey.compressed == hex(vector.compressed))
        for form in [bytes(KeyFileVector.withoutPublicKey), pem("EC PRIVATE KEY", KeyFileVector.withoutPublicKey)] {
            #expect(try EllipticCurve.PrivateKey(file: SecretBytes(copying: form)).scalar == key.scalar)
        }
    }

    @Test("It never asks for a passphrase")
    func encrypted() throws {
        let files = [
            pem("ENCRYPTED PRIVATE KEY", KeyFileVector.encrypted), bytes(KeyFileVector.encrypted),
            Array(KeyFileVector.encryptedTraditional.utf8),
        ]
        for file in files {
            let error = #expect(throws: CryptographyError.self) {
                try EllipticCurve.PrivateKey(file: SecretBytes(copying: file))
            }
            #expect(error?.code == .encryptedKey)
        }
    }

    @Test("Bytes that are not a key, or are another kind of key, are refused with a reason")
    func refused() throws {
        let vector = CurveVector.all[0]
        let cases: [([UInt8], CryptographyError.Code)] = [
            ([], .invalidKey), (Array("no key".utf8), .invalidKey), ([0x30], .invalidKey),
            (pem("PUBLIC KEY", vector.spki), .invalidKey), (pem("PRIVATE KEY", "AAAA"), .invalidKey),
            ([UInt8](repeating: 0x30, count: 70_000), .invalidKey),
            (pem("PRIVATE KEY", KeyFileVector.ed25519), .unsupportedKey),
            (pem("PRIVATE KEY", KeyFileVector.brainpool), .unsupportedKey),
        ]
        for (file, code) in cases {
            let error = #expect(throws: CryptographyError.self) {
                try EllipticCurve.PrivateKey(file: SecretBytes(copying: file))
            }
            #expect(error?.code == code)
        }
        let error = #expect(throws: CryptographyError.self) {
            try EllipticCurve.PublicKey(file: pem("PRIVATE KEY", vector.pkcs8))
        }
        #expect(error?.message.contains("openssl pkey") == true)
    }

    @Test("A public key that does not belong to the private one is noticed")
    func mismatch() throws {
        var file = bytes(CurveVector.all[0].sec1)
        let other = try EllipticCurve.PrivateKey(.p256).publicKey.uncompressed
        file.replaceSubrange(file.count - other.count..<file.count, with: other)
        let error = #expect(throws: CryptographyError.self) {
            try EllipticCurve.PrivateKey(file: SecretBytes(copying: file))
        }
        #expect(error?.code == .invalidKey)
    }

    @Test("No prefix and no single flipped bit of a key file traps")
    func damage() {
        for file in [bytes(CurveVector.all[1].pkcs8), pem("EC PRIVATE KEY", CurveVector.all[0].sec1)] {
            for index in stride(from: 0, to: file.count, by: 5) {
                _ = try? EllipticCurve.PrivateKey(file: SecretBytes(copying: file.prefix(index)))
                var altered = file
                altered[index] ^= 0x10
                _ = try? EllipticCurve.PrivateKey(file: SecretBytes(copying: altered))
                _ = try? EllipticCurve.PublicKey(file: altered)
            }
        }
    }

    private func bytes(_ base64: String) -> [UInt8] {
        Array(Data(base64Encoded: base64.filter { !$0.isWhitespace }) ?? Data())
    }

    private func pem(_ label: String, _ base64: String) -> [UInt8] {
        let digits = Array(base64.filter { !$0.isWhitespace })
        let lines = stride(from: 0, to: digits.count, by: 64).map { String(digits[$0..<min($0 + 64, digits.count)]) }
        return Array("-----BEGIN \(label)-----\n\(lines.joined(separator: "\n"))\n-----END \(label)-----\n".utf8)
    }
}
