import Cryptography
import Testing

@Suite("RSA public keys")
struct RSATests {
    @Test(
        "Foreign signatures verify, and altered ones do not",
        arguments: [
            (HashFunction.sha256, RSAVector.sha256), (.sha384, RSAVector.sha384), (.sha512, RSAVector.sha512),
        ])
    func signatures(function: HashFunction, signature: [UInt8]) throws {
        let key = try RSAPublicKey(modulus: RSAVector.modulus, exponent: RSAVector.exponent)
        #expect(key.isSignature(signature, of: RSAVector.message, function: function))
        #expect(!key.isSignature(signature, of: Array("alcovE".utf8), function: function))
        for other in [HashFunction.sha256, .sha384, .sha512] where other != function {
            #expect(!key.isSignature(signature, of: RSAVector.message, function: other))
        }
        var altered = signature
        altered[100] ^= 1
        #expect(!key.isSignature(altered, of: RSAVector.message, function: function))
        #expect(!key.isSignature([], of: RSAVector.message, function: function))
    }

    @Test("A file and two numbers give the same key")
    func file() throws {
        let key = try RSAPublicKey(file: RSAVector.pem.utf8)
        #expect(key.modulus == RSAVector.modulus)
        #expect(key.exponent == RSAVector.exponent)
    }

    @Test("Wrapping is randomised and as long as the modulus")
    func wrap() throws {
        let key = try RSAPublicKey(file: RSAVector.pem.utf8)
        let secret = SecretBytes.random(count: 32)
        let first = try key.wrap(secret)
        #expect(first.count == 256)
        #expect(try key.wrap(secret) != first)
        #expect(throws: CryptographyError.self) { try key.wrap(SecretBytes.random(count: 300)) }
    }

    @Test(
        "Keys that are too short, too long or even are refused",
        arguments: [
            (Array(RSAVector.modulus.prefix(128)), [1, 0, 1]), (RSAVector.modulus, [2]), (RSAVector.modulus, [1]),
            (RSAVector.modulus, []), ([], [1, 0, 1]), (RSAVector.modulus, [1, 0, 0, 0, 1]),
            ([UInt8](repeating: 0xff, count: 1025), [1, 0, 1]), ([UInt8](repeating: 0xff, count: 2000), [1, 0, 1]),
        ] as [([UInt8], [UInt8])])
    func refused(modulus: [UInt8], exponent: [UInt8]) {
        #expect(throws: CryptographyError.self) { try RSAPublicKey(modulus: modulus, exponent: exponent) }
    }

    @Test("A key on a curve is not an RSA key")
    func otherKind() throws {
        let pem = try EllipticCurve.PrivateKey(.p256).publicKey.pem
        let error = #expect(throws: CryptographyError.self) { try RSAPublicKey(file: pem.utf8) }
        #expect(error?.code == .unsupportedKey)
    }
}
