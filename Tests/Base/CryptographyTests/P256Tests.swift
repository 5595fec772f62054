import Cryptography
import Testing

@Suite("P-256")
struct P256Tests {
    @Test("Addition, subtraction and compressed points fit together")
    func arithmetic() throws {
        let a = try point()
        let b = try point()
        #expect(try a.adding(b).subtracting(b).encoded() == a.encoded())
        #expect(try a.adding(a).subtracting(a).encoded() == a.encoded())
        let encoded = try a.encoded()
        let compressed = [2 + (encoded[64] & 1)] + encoded[1..<33]
        #expect(try P256.Point(encoded: compressed).encoded() == encoded)
    }

    @Test("No operation returns the point at infinity")
    func infinity() throws {
        let some = try point()
        let error = #expect(throws: CryptographyError.self) { try some.subtracting(some) }
        #expect(error?.code == .invalidPoint)
    }

    @Test("Bytes that are not a point are refused")
    func invalidPoints() throws {
        var offCurve = try point().encoded()
        offCurve[64] ^= 1
        var hybrid = try point().encoded()
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

    private func point() throws -> P256.Point {
        try P256.Point(multiplyingBaseBy: .random())
    }
}
