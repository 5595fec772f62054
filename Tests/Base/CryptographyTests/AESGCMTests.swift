import Cryptography
import Testing

@Suite("AES-GCM")
struct AESGCMTests {
    private let key = SecretBytes(copying: Array(0..<32))
    private let nonce = [UInt8](0..<12)

    @Test("Test case 4 of the GCM specification: AES-128 with associated data")
    func aes128() throws {
        let sealed = try AESGCM.seal(
            hex(
                """
                d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
                """
            ),
            key: SecretBytes(copying: hex("feffe9928665731c6d6a8f9467308308")),
            nonce: hex("cafebabefacedbaddecaf888"),
            context: hex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
        )
        let expected = hex(
            """
            42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e
            21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091
            5bc94fbc3221a5db94fae95ae7121a47
            """
        )
        #expect(sealed == expected)
    }

    @Test("A message that Python's cryptography sealed")
    func foreign() throws {
        let sealed = hex("2676a27aa68ee27af961f3eac68778dfa844b858372d1284003a558b797c")
        let plaintext = try AESGCM.open(sealed, key: key, nonce: nonce, context: Array("header".utf8))
        #expect(plaintext == Array("attack at dawn".utf8))
    }

    @Test("Every length round-trips under a random nonce", arguments: [0, 1, 15, 16, 17, 1000, 70_000])
    func roundTrip(count: Int) throws {
        let plaintext = SecureRandom.bytes(count)
        let sealed = try AESGCM.seal(plaintext, key: key, context: [1])
        #expect(sealed.count == count + AESGCM.overhead)
        #expect(try AESGCM.open(sealed, key: key, context: [1]) == plaintext)
        #expect(try AESGCM.seal(plaintext, key: key, context: [1]) != sealed)
    }

    @Test("Any change of a sealed message is noticed")
    func tampering() throws {
        let sealed = try AESGCM.seal([1, 2, 3], key: key, context: [9])
        for index in sealed.indices {
            var altered = sealed
            altered[index] ^= 1
            #expect(throws: CryptographyError.self) { try AESGCM.open(altered, key: key, context: [9]) }
            #expect(throws: CryptographyError.self) { try AESGCM.open(sealed.prefix(index), key: key, context: [9]) }
        }
        let error = #expect(throws: CryptographyError.self) { try AESGCM.open(sealed, key: key, context: [8]) }
        #expect(error?.code == .authenticationFailed)
        #expect(throws: CryptographyError.self) { try AESGCM.open(sealed, key: .random(count: 32), context: [9]) }
    }

    @Test("Keys and nonces of other lengths are refused")
    func lengths() {
        #expect(throws: CryptographyError.self) { try AESGCM.seal([1], key: .random(count: 24)) }
        #expect(throws: CryptographyError.self) { try AESGCM.seal([1], key: key, nonce: [1], context: []) }
    }
}
