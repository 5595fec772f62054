import Cryptography
import Testing

@Suite("P-256")
struct P256Tests {
    @Test("Diffie-Hellman, the first ECC CDH vector of NIST's CAVP for P-256")
    func agreement() throws {
        let pair = try P256.KeyPair(
            privateKey: P256.Scalar(
                bytes: SecretBytes(copying: hex("7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534"))
            )
        )
        #expect(
            try pair.publicKey.encoded()
                == hex(
                    """
                    04 ead218590119e8876b29146ff89ca61770c4edbbf97d38ce385ed281d8a6b230
                    28af61281fd35e2fa7002523acc85a429cb06ee6648325389f59edfce1405141
                    """
                )
        )
        let peer = try P256.Point(
            encoded: hex(
                """
                04 700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287
                db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac
                """
            )
        )
        let expected = SecretBytes(copying: hex("46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"))
        #expect(try pair.sharedSecret(with: peer) == expected)
    }

    @Test("Both sides agree")
    func symmetry() throws {
        let (first, second) = (try P256.KeyPair(), try P256.KeyPair())
        #expect(try first.sharedSecret(with: second.publicKey) == second.sharedSecret(with: first.publicKey))
    }

    @Test("Addition, subtraction and compressed points fit together")
    func arithmetic() throws {
        let a = try P256.KeyPair().publicKey
        let b = try P256.KeyPair().publicKey
        #expect(try a.adding(b).subtracting(b).encoded() == a.encoded())
        #expect(try a.adding(a).subtracting(a).encoded() == a.encoded())
        let encoded = try a.encoded()
        let compressed = [2 + (encoded[64] & 1)] + encoded[1..<33]
        #expect(try P256.Point(encoded: compressed).encoded() == encoded)
    }

    @Test("The point at infinity does not come out")
    func infinity() throws {
        let point = try P256.KeyPair().publicKey
        let error = #expect(throws: CryptographyError.self) { try point.subtracting(point) }
        #expect(error?.code == .invalidPoint)
    }

    @Test("What is no point is refused")
    func invalidPoints() throws {
        var offCurve = try P256.KeyPair().publicKey.encoded()
        offCurve[64] ^= 1
        var hybrid = try P256.KeyPair().publicKey.encoded()
        hybrid[0] = 6 + (hybrid[64] & 1)
        let beyondField = [4] + [UInt8](repeating: 0xff, count: 64)
        let cases = [[], [0], [4], [2] + [UInt8](repeating: 0xff, count: 32), offCurve, hybrid, beyondField]
        for bytes in cases {
            #expect(throws: CryptographyError.self) { try P256.Point(encoded: bytes) }
        }
    }

    @Test("Scalars lie between zero and the order")
    func scalars() throws {
        let zero = SecretBytes(copying: [UInt8](repeating: 0, count: 32))
        #expect(throws: CryptographyError.self) { try P256.Scalar(bytes: zero) }
        #expect(throws: CryptographyError.self) { try P256.Scalar(bytes: SecretBytes(copying: P256.order)) }
        #expect(throws: CryptographyError.self) { try P256.Scalar(bytes: .random(count: 31)) }
        var wide = [UInt8](repeating: 0, count: 8) + P256.order
        wide[39] += 5
        let five = try P256.Scalar(reducing: SecretBytes(copying: wide))
        #expect(five.bytes == SecretBytes(copying: [UInt8](repeating: 0, count: 31) + [5]))
        #expect(throws: CryptographyError.self) { try P256.Scalar(reducing: .random(count: 32)) }
    }
}
