import Cryptography
import Testing

@Suite("Elliptic curves")
struct EllipticCurveTests {
    private let message = Array("alcove".utf8)

    @Test("Another program's keys, secrets and signatures", arguments: CurveVector.all)
    func foreign(vector: CurveVector) throws {
        let key = try EllipticCurve.PrivateKey(vector.curve, scalar: SecretBytes(copying: hex(vector.scalar)))
        #expect(key.publicKey.compressed == hex(vector.compressed))
        #expect(key.scalar == SecretBytes(copying: hex(vector.scalar)))
        let peer = try EllipticCurve.PublicKey(vector.curve, encoded: hex(vector.peer))
        #expect(try key.sharedSecret(with: peer) == SecretBytes(copying: hex(vector.secret)))
        #expect(key.publicKey.isSignature(hex(vector.signature), of: message))
        #expect(!peer.isSignature(hex(vector.signature), of: message))
    }

    @Test("The first ECC CDH vector of NIST's CAVP for P-256")
    func agreement() throws {
        let scalar = hex("7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534")
        let peer = hex(
            """
            04 700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287
            db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac
            """)
        let key = try EllipticCurve.PrivateKey(.p256, scalar: SecretBytes(copying: scalar))
        let expected = SecretBytes(copying: hex("46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"))
        #expect(try key.sharedSecret(with: .init(.p256, encoded: peer)) == expected)
    }

    @Test("Both sides agree, and encodings are read back", arguments: EllipticCurve.allCases)
    func symmetry(curve: EllipticCurve) throws {
        let (first, second) = (try EllipticCurve.PrivateKey(curve), try EllipticCurve.PrivateKey(curve))
        let secret = try first.sharedSecret(with: second.publicKey)
        #expect(secret.count == curve.coordinateByteCount)
        #expect(try secret == second.sharedSecret(with: first.publicKey))
        let (compressed, uncompressed) = (first.publicKey.compressed, first.publicKey.uncompressed)
        #expect(compressed.count == curve.compressedByteCount && uncompressed.count == curve.uncompressedByteCount)
        #expect(try EllipticCurve.PublicKey(curve, encoded: compressed) == first.publicKey)
        #expect(try EllipticCurve.PublicKey(curve, encoded: uncompressed) == first.publicKey)
        #expect(first.publicKey != second.publicKey)
    }

    @Test("A signature is valid for its message only; other bytes are refused", arguments: EllipticCurve.allCases)
    func signatures(curve: EllipticCurve) throws {
        let key = try EllipticCurve.PrivateKey(curve)
        let signature = try key.sign(message)
        #expect(signature.count == curve.signatureByteCount)
        #expect(key.publicKey.isSignature(signature, of: message))
        #expect(!key.publicKey.isSignature(signature, of: message + [0]))
        for index in stride(from: 0, to: signature.count, by: 7) {
            var altered = signature
            altered[index] ^= 1
            #expect(!key.publicKey.isSignature(altered, of: message))
        }
        let none: [[UInt8]] = [
            [], [0], signature.dropLast(), signature + [0], signature.map { _ in 0 }, signature.map { _ in 255 },
        ]
        for other in none {
            #expect(!key.publicKey.isSignature(other, of: message))
        }
    }

    @Test("Bytes that are not a public key are refused", arguments: EllipticCurve.allCases)
    func invalidPoints(curve: EllipticCurve) throws {
        let good = try EllipticCurve.PrivateKey(curve).publicKey
        var offCurve = good.uncompressed
        offCurve[offCurve.count - 1] ^= 1
        var hybrid = good.uncompressed
        hybrid[0] = 6 + (hybrid[hybrid.count - 1] & 1)
        let beyondField = [2] + [UInt8](repeating: 0xff, count: curve.coordinateByteCount)
        let none: [[UInt8]] = [
            [], [0], [4], good.compressed.dropLast(), good.compressed + [0], offCurve, hybrid, beyondField,
        ]
        for bytes in none {
            let error = #expect(throws: CryptographyError.self) { try EllipticCurve.PublicKey(curve, encoded: bytes) }
            #expect(error?.code == .invalidPoint)
        }
    }

    @Test("Scalars lie between zero and the order", arguments: EllipticCurve.allCases)
    func scalars(curve: EllipticCurve) {
        let count = curve.coordinateByteCount
        for bytes in [[UInt8](repeating: 0, count: count), [UInt8](repeating: 0xff, count: count), [1], []] {
            #expect(throws: CryptographyError.self) {
                try EllipticCurve.PrivateKey(curve, scalar: SecretBytes(copying: bytes))
            }
        }
        #expect(throws: CryptographyError.self) {
            try EllipticCurve.PrivateKey(.p256, scalar: SecretBytes(copying: P256.order))
        }
    }

    @Test("Keys of two curves do not agree")
    func curvesDiffer() throws {
        let (one, other) = (try EllipticCurve.PrivateKey(.p256), try EllipticCurve.PrivateKey(.secp256k1))
        #expect(throws: CryptographyError.self) { try one.sharedSecret(with: other.publicKey) }
    }

    @Test("A private key does not print itself")
    func description() throws {
        let key = try EllipticCurve.PrivateKey(.p256)
        #expect("\(key)" == "EllipticCurve.PrivateKey(secp256r1)")
        #expect(String(reflecting: key) == "EllipticCurve.PrivateKey(secp256r1)")
    }

    @Test("One key signs and agrees on many threads at once")
    func concurrency() async throws {
        let (key, peer) = (try EllipticCurve.PrivateKey(.p256), try EllipticCurve.PrivateKey(.p256))
        let secret = try key.sharedSecret(with: peer.publicKey)
        let good = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let message = [UInt8(number)]
                    guard let signature = try? key.sign(message) else { return false }
                    return key.publicKey.isSignature(signature, of: message)
                        && (try? key.sharedSecret(with: peer.publicKey)) == secret
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(good == 64)
    }
}
