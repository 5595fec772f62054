import Testing
import Wire

@Suite("gzip")
struct GzipTests {
    /// Made with Python's zlib: the content, and what it is compressed.
    private static let samples: [(content: [UInt8], compressed: [UInt8])] = [
        ([], bytes("1f8b080000000000020303000000000000000000")),  // nothing
        (
            Array("not compressed".utf8),
            bytes("1f8b0800000000000403010e00f1ff6e6f7420636f6d7072657373656431ba726a0e000000")
        ),
        (Array("abcabcabcabc".utf8), bytes("1f8b08000000000002034b4c4a4e842100342a6e5a0c000000")),  // fixed codes
        (
            [UInt8](repeating: 97, count: 300) + Array("bbb".utf8),
            bytes("1f8b08000000000002034b4c1c05c482a4a42400f45bdfba2f010000")
        ),
        (
            (0..<400).map { UInt8($0 * $0 % 251) },
            bytes(
                """
                1f8b0800000000000203636064e11490543174084ca99cb0f2c8435635cfbca9fb5e4a7b55af7b2c1f31f98248e88cbb9a457bf9e3d6 \
                b3c76c16cc39a9dbf731fa90c16cde9ab7a9b7c2cefb9f09b818792feb73b3e812abb3e9cc736c6ed62a1f2b90395aaa7eadc7e5e7d6 \
                62e30f5baa9c782e2f2c74167f716056598889d8d7db87d7ce6c2fcf8c0df67675b4b77774f50e8ecd2c6f9fb9f6f0edaf62262165b3 \
                0ebc10772e5c7899c7a96acb07e3e2ad3f5d7aaea9971e952938a65c7bd3660e73fa59ab25a2cd9fb3ee455e0c38e37f3eec56eadb1a \
                ded90687a23ff6e99ecc11dc1cc3be3e8e7f6f91e6dd19a122172647c83f5e57ed25fd72dfd43c4f35d68747564ea84c097430549114 \
                e0646164188c5e0700dada923790010000
                """)
        ),
        (
            (0..<10_000).map { $0 % 2 == 0 ? 97 : 98 },
            bytes("1f8b0800000000000203edc2010900000002a0adf57f443b02d134000000000000000000706f00bc587c10270000")
        ),
        (
            Array("hello hello hello".utf8),  // with a name
            bytes("1f8b08080100000002ff6e616d652e74787400cb48cdc9c957c84090008088f9e511000000")
        ),
    ]

    @Test("Foreign compressed bytes are decompressed", arguments: samples)
    func content(content: [UInt8], compressed: [UInt8]) throws {
        #expect(try Gzip.decompress(compressed, atMost: content.count) == content)
    }

    @Test("The output is bounded", arguments: samples.dropFirst())
    func limit(content: [UInt8], compressed: [UInt8]) {
        let error = #expect(throws: WireError.self) { try Gzip.decompress(compressed, atMost: content.count - 1) }
        #expect(error?.code == .limitExceeded)
    }

    @Test("A truncated, prolonged or damaged member is refused", arguments: samples)
    func damage(content: [UInt8], compressed: [UInt8]) {
        for count in compressed.indices {
            #expect(throws: WireError.self) { try Gzip.decompress(Array(compressed.prefix(count)), atMost: 20_000) }
        }
        let error = #expect(throws: WireError.self) { try Gzip.decompress(compressed + [0], atMost: 20_000) }
        #expect(error?.code == .trailingBytes)
        for place in [0, 1, 2, compressed.count - 1, compressed.count - 8] {
            var altered = compressed
            altered[place] ^= 1
            #expect(throws: WireError.self) { try Gzip.decompress(altered, atMost: 20_000) }
        }
    }

    @Test(
        "Invalid streams are refused",
        arguments: ["07", "00ffffff", "010000", "0101000000", "edfd01", "05e081", "4b04", "4bffff", "63a010"])
    func malformed(digits: String) {
        let member = bytes("1f8b0800000000000203" + digits + "0000000000000000")
        #expect(throws: WireError.self) { try Gzip.decompress(member, atMost: 100_000) }
    }
}

private func bytes(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count - 1, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
}
