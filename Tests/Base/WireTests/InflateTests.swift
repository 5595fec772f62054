import Testing

@testable import Wire

@Suite("Inflate")
struct InflateTests {
    /// Made with Python's zlib: the content, and what it is compressed.
    private static let samples: [(content: [UInt8], compressed: [UInt8])] = [
        (Array("".utf8), bytes("0300")),  // nothing
        (Array("not compressed".utf8), bytes("010e00f1ff6e6f7420636f6d70726573736564")),  // stored
        (Array("abcabcabcabc".utf8), bytes("4b4c4a4e842100")),  // fixed
        ([UInt8](repeating: 97, count: 300) + Array("bbb".utf8), bytes("4b4c1c05c482a4a42400")),
        (
            (0..<400).map { UInt8($0 * $0 % 251) },
            bytes(
                """
                636064e11490543174084ca99cb0f2c8435635cfbca9fb5e4a7b55af7b2c1f31f98248e88cbb9a457bf9e3d6b3c76c16 \
                cc39a9dbf731fa90c16cde9ab7a9b7c2cefb9f09b818792feb73b3e812abb3e9cc736c6ed62a1f2b90395aaa7eadc7e5 \
                e7d662e30f5baa9c782e2f2c74167f716056598889d8d7db87d7ce6c2fcf8c0df67675b4b77774f50e8ecd2c6f9fb9f6 \
                f0edaf62262165b30ebc10772e5c7899c7a96acb07e3e2ad3f5d7aaea9971e952938a65c7bd3660e73fa59ab25a2cd9f \
                b3ee455e0c38e37f3eec56eadb1aded90687a23ff6e99ecc11dc1cc3be3e8e7f6f91e6dd19a122172647c83f5e57ed25 \
                fd72dfd43c4f35d68747564ea84c097430549114e0646164188c5e0700
                """)
        ),
    ]

    @Test("What others compressed comes out as it was", arguments: samples)
    func raw(content: [UInt8], compressed: [UInt8]) throws {
        #expect(try Inflate.raw(compressed, atMost: content.count) == content)
    }

    @Test("No more comes out than is allowed", arguments: samples.dropFirst())
    func limit(content: [UInt8], compressed: [UInt8]) {
        let error = #expect(throws: WireError.self) { try Inflate.raw(compressed, atMost: content.count - 1) }
        #expect(error?.code == .limitExceeded)
    }

    @Test("Cut off anywhere, and with a byte more, a stream is refused", arguments: samples)
    func cut(content: [UInt8], compressed: [UInt8]) {
        for count in compressed.indices {
            #expect(throws: WireError.self) { try Inflate.raw(Array(compressed.prefix(count)), atMost: 1000) }
        }
        #expect(throws: WireError.self) { try Inflate.raw(compressed + [0], atMost: 1000) }
    }

    @Test(
        "gzip, bare and with a name",
        arguments: [
            "1f8b0800000000000203cb48cdc9c957c84090008088f9e511000000",
            "1f8b08080100000002ff6e616d652e74787400cb48cdc9c957c84090008088f9e511000000",
        ])
    func gzip(digits: String) throws {
        let packed = bytes(digits)
        #expect(try Inflate.gzip(packed, atMost: 100) == Array("hello hello hello".utf8))
        for place in [0, 1, 2, packed.count - 1, packed.count - 8] {
            var altered = packed
            altered[place] ^= 1
            #expect(throws: WireError.self) { try Inflate.gzip(altered, atMost: 100) }
        }
        for count in packed.indices {
            #expect(throws: WireError.self) { try Inflate.gzip(Array(packed.prefix(count)), atMost: 100) }
        }
    }

    @Test(
        "Streams that make no sense are refused",
        arguments: ["07", "00ffffff", "010000", "0101000000", "edfd01", "05e081", "4b04", "4bffff", "63a010"])
    func malformed(digits: String) {
        #expect(throws: WireError.self) { try Inflate.raw(bytes(digits), atMost: 100_000) }
    }
}

private func bytes(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count - 1, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
}
