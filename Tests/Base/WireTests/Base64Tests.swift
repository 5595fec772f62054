import Testing
import Wire

@Suite("Base64")
struct Base64Tests {
    @Test(
        "The examples of RFC 4648, section 10, and both special characters",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"), ("~~~???", "fn5+Pz8/"),
        ])
    func examples(text: String, encoded: String) throws {
        #expect(Base64.encode(text.utf8) == encoded)
        #expect(try Base64.decode(encoded) == Array(text.utf8))
    }

    @Test(
        "Everything else is refused",
        arguments: ["Z", "Zg", "Zg=", "Zg===", "====", "Zh==", "Z=g=", "Zm9v\n", "fn5-Pz8_", "Zm9=Zm9v", "ä==="])
    func refused(text: String) {
        #expect(throws: WireError.self) { try Base64.decode(text) }
    }
}
