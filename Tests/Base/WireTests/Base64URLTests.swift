import Testing
import Wire

@Suite("base64url and identifiers")
struct Base64URLTests {
    @Test(
        "The vectors of RFC 4648, section 10, without padding",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ]
    )
    func vectors(plain: String, encoded: String) throws {
        #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
        #expect(try Base64URL.decode(encoded) == Array(plain.utf8))
    }

    @Test("The two characters that differ from plain base64")
    func alphabet() throws {
        #expect(Base64URL.encode([0xfb, 0xff, 0xfe]) == "-__-")
        #expect(try Base64URL.decode("-__-") == [0xfb, 0xff, 0xfe])
    }

    @Test("Every length round-trips", arguments: 0..<70)
    func lengths(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 3) }
        #expect(try Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }

    @Test(
        "Other spellings are refused",
        arguments: ["Zg==", "Zh", "Z", "Zm9v!", "Zm 9v", "Zm+v", "Zm/v", "Zé", "Zm9vY"]
    )
    func refused(text: String) {
        let error = #expect(throws: WireError.self) { try Base64URL.decode(text) }
        #expect(error?.code == .malformed)
    }

    @Test("An identifier is 16 bytes and 22 characters")
    func identifiers() throws {
        let id = CompactID.random()
        #expect(id.bytes.count == 16)
        #expect(id.description.count == 22)
        #expect(try CompactID(id.description) == id)
        #expect(try CompactID(bytes: id.bytes) == id)
        #expect(CompactID.random() != id)
        #expect(throws: WireError.self) { try CompactID(bytes: [1, 2, 3]) }
        #expect(throws: WireError.self) { try CompactID("short") }
        #expect(throws: WireError.self) { try CompactID(id.description.dropLast() + "_") }
    }
}
