import Testing
import Wire

struct Base32Tests {
    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "my"), ("fo", "mzxq"), ("foo", "mzxw6"), ("foob", "mzxw6yq"), ("fooba", "mzxw6ytb"),
        ("foobar", "mzxw6ytboi"),
    ])
    func vectors(plain: String, text: String) {
        #expect(Base32.encode(Array(plain.utf8)) == text)
    }
}
