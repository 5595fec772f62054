import Cryptography
import Testing

@Suite("AES-GCM with other lengths")
struct AESGCMLengthTests {
    private let key = SecretBytes(copying: Array(0..<32))

    @Test("A short tag is the beginning of the long one, and is checked", arguments: AESGCM.tagByteCounts)
    func tags(count: Int) throws {
        let nonce = [UInt8](0..<12)
        let long = try AESGCM.seal([1, 2, 3], key: key, nonce: nonce, context: [9])
        let short = try AESGCM.seal([1, 2, 3], key: key, nonce: nonce, context: [9], tagByteCount: count)
        #expect(short == Array(long.prefix(3 + count)))
        #expect(try AESGCM.open(short, key: key, nonce: nonce, context: [9], tagByteCount: count) == [1, 2, 3])
        for index in short.indices {
            var altered = short
            altered[index] ^= 0x80
            #expect(throws: CryptographyError.self) {
                try AESGCM.open(altered, key: key, nonce: nonce, context: [9], tagByteCount: count)
            }
        }
    }

    @Test("Test case 5 of the GCM specification: a nonce of 8 bytes")
    func shortNonce() throws {
        let sealed = try AESGCM.seal(
            hex(
                """
                d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
                """),
            key: SecretBytes(copying: hex("feffe9928665731c6d6a8f9467308308")),
            nonce: hex("cafebabefacedbad"),
            context: hex("feedfacedeadbeeffeedfacedeadbeefabaddad2"),
            tagByteCount: 16)
        let expected = hex(
            """
            61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c7423
            73806900e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598
            3612d2e79e3b0785561be14aaca2fccb
            """)
        #expect(sealed == expected)
    }

    @Test("Nonces of three bytes, and a message without a tag")
    func threeBytes() throws {
        let sealed = try AESGCM.seal([1, 2, 3], key: key, nonce: [7, 8, 9], context: [], tagByteCount: 8)
        #expect(try AESGCM.open(sealed, key: key, nonce: [7, 8, 9], context: [], tagByteCount: 8) == [1, 2, 3])
        #expect(try AESGCM.decryptUnauthenticated(sealed.prefix(3), key: key, nonce: [7, 8, 9]) == [1, 2, 3])
    }

    @Test("Unsupported lengths are refused", arguments: [(0, 16), (17, 16), (12, 3), (12, 17), (12, -1)])
    func lengths(nonce: Int, tag: Int) {
        let nonce = [UInt8](repeating: 0, count: nonce)
        #expect(throws: CryptographyError.self) {
            try AESGCM.seal([1], key: key, nonce: nonce, context: [], tagByteCount: tag)
        }
        #expect(throws: CryptographyError.self) {
            try AESGCM.open([1], key: key, nonce: nonce, context: [], tagByteCount: tag)
        }
    }
}
