import Cryptography
import Testing

@Suite("Hashes, and functions built on them")
struct HashTests {
    @Test("SHA-256, SHA-384 and SHA-512 of \"abc\" (FIPS 180-4)")
    func vectors() {
        #expect(
            HashFunction.sha256.digest("abc".utf8)
                == hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        )
        #expect(
            HashFunction.sha384.digest("abc".utf8)
                == hex(
                    """
                    cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed
                    8086072ba1e7cc2358baeca134c825a7
                    """
                )
        )
        #expect(
            HashFunction.sha512.digest("abc".utf8)
                == hex(
                    """
                    ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
                    2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
                    """
                )
        )
    }

    @Test("Copies of a hash do not affect each other")
    func copies() {
        var first = IncrementalHash(.sha256)
        first.update(Array("ab".utf8))
        var second = first
        first.update(Array("c".utf8))
        second.update(Array("d".utf8))
        #expect(first.finalize() == HashFunction.sha256.digest("abc".utf8))
        #expect(second.finalize() == HashFunction.sha256.digest("abd".utf8))
        first.update(Array("d".utf8))
        #expect(first.finalize() == HashFunction.sha256.digest("abcd".utf8))
    }

    @Test("HMAC-SHA-1, test cases 2 and 6 of RFC 2202")
    func hmacOfSHA1() {
        #expect(
            HMAC.code("what do ya want for nothing?".utf8, key: SecretBytes(copying: "Jefe".utf8), function: .sha1)
                == hex("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"))
        #expect(
            HMAC.code(
                "Test Using Larger Than Block-Size Key - Hash Key First".utf8,
                key: SecretBytes(copying: [UInt8](repeating: 0xaa, count: 80)), function: .sha1)
                == hex("aa4ae5e15272d00e95705637ce8a3b55ed402112"))
    }

    @Test("HMAC-SHA-256 and -512, test case 2 of RFC 4231")
    func hmac() {
        let key = SecretBytes(copying: "Jefe".utf8)
        let message = "what do ya want for nothing?".utf8
        #expect(
            HMAC.code(message, key: key)
                == hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        )
        #expect(
            HMAC.code(message, key: key, function: .sha512)
                == hex(
                    """
                    164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554
                    9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737
                    """
                )
        )
        #expect(HMAC.code([], key: SecretBytes(copying: [])).count == 32)
    }

    @Test("HMAC with a key longer than a block, test case 6 of RFC 4231")
    func hmacLongKey() {
        let key = SecretBytes(copying: [UInt8](repeating: 0xaa, count: 131))
        let message = "Test Using Larger Than Block-Size Key - Hash Key First".utf8
        #expect(
            HMAC.code(message, key: key) == hex("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"))
        #expect(
            HMAC.code(message, key: key, function: .sha512)
                == hex(
                    """
                    80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352
                    6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598
                    """
                )
        )
    }

    @Test(
        "HKDF, test cases 1 to 3 of RFC 5869",
        arguments: [
            (
                String(repeating: "0b", count: 22), "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
            ),
            (
                (0x00...0x4f).map(byte).joined(), (0x60...0xaf).map(byte).joined(), (0xb0...0xff).map(byte).joined(),
                """
                b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c
                59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71
                cc30c58179ec3e87c14c01d5c1f3434f1d87
                """
            ),
            (
                String(repeating: "0b", count: 22), "", "",
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
            ),
        ]
    )
    func hkdf(secret: String, salt: String, info: String, output: String) throws {
        let expected = hex(output)
        let key = try HKDF.derive(
            SecretBytes(copying: hex(secret)),
            salt: hex(salt),
            info: hex(info),
            count: expected.count
        )
        #expect(key == SecretBytes(copying: expected))
    }

    @Test("HKDF refuses lengths beyond its limit")
    func hkdfLimits() {
        let secret = SecretBytes.random(count: 32)
        for count in [0, -1, 255 * 32 + 1] {
            #expect(throws: CryptographyError.self) { try HKDF.derive(secret, info: [], count: count) }
        }
    }

    @Test("scrypt, the third vector of RFC 7914")
    func scrypt() throws {
        let key = try Scrypt.derive(
            SecretBytes(copying: "pleaseletmein".utf8),
            salt: Array("SodiumChloride".utf8),
            cost: try Scrypt.Cost(logN: 14, r: 8, p: 1),
            count: 64
        )
        let expected = hex(
            """
            7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2
            d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
            """
        )
        #expect(key == SecretBytes(copying: expected))
    }

    @Test(
        "Foreign costs give the keys of RFC 7914, section 12",
        arguments: [
            (
                "", "", 4, 1, 1,
                "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
            ),
            (
                "password", "NaCl", 10, 8, 16,
                "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
            ),
        ] as [(String, String, UInt8, UInt8, UInt8, String)])
    func foreignScrypt(passphrase: String, salt: String, logN: UInt8, r: UInt8, p: UInt8, key: String) throws {
        let derived = try Scrypt.derive(
            SecretBytes(copying: passphrase.utf8), salt: Array(salt.utf8), cost: .foreign(logN: logN, r: r, p: p),
            count: 64
        )
        #expect(derived.withUnsafeBytes { $0.map(Self.byte).joined() } == key)
    }

    @Test(
        "Foreign costs are bounded",
        arguments: [(0, 8, 1), (16, 1, 1), (21, 8, 1), (10, 0, 1), (20, 16, 1), (10, 64, 64), (20, 8, 5)])
    func foreignScryptBounds(logN: UInt8, r: UInt8, p: UInt8) {
        #expect(throws: CryptographyError.self) { try Scrypt.Cost.foreign(logN: logN, r: r, p: p) }
    }

    @Test(
        "A scrypt cost from outside is bounded",
        arguments: [(9, 8, 1), (21, 8, 1), (16, 0, 1), (16, 8, 5), (20, 16, 1)]
    )
    func scryptBounds(logN: UInt8, r: UInt8, p: UInt8) {
        #expect(throws: CryptographyError.self) { try Scrypt.Cost(logN: logN, r: r, p: p) }
    }

    private static func byte(_ value: some BinaryInteger) -> String {
        let digits = String(value, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
}
