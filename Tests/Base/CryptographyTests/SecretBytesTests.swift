import Cryptography
import Testing

@Suite("Secrets and random bytes")
struct SecretBytesTests {
    @Test("A secret prints as a placeholder, however it is printed")
    func redaction() {
        let secret = SecretBytes(copying: "maple-otter".utf8)
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), String(describing: Optional(secret)), dumped] {
            #expect(!text.contains("maple") && !text.contains("109"))
        }
    }

    @Test("Comparison looks at every byte and at the length")
    func comparison() {
        let secret = SecretBytes(copying: [1, 2, 3])
        #expect(secret == SecretBytes(copying: [1, 2, 3]))
        #expect(secret != SecretBytes(copying: [1, 2, 4]))
        #expect(secret != SecretBytes(copying: [1, 2]))
        #expect(SecretBytes(copying: []) == SecretBytes(copying: []))
        #expect(ConstantTime.areEqual([5], [5]) && !ConstantTime.areEqual([5], [6]))
    }

    @Test("Parts and joins")
    func parts() throws {
        let secret = SecretBytes(copying: [1, 2, 3, 4])
        #expect(try secret.slice(1..<3) == SecretBytes(copying: [2, 3]))
        #expect(throws: CryptographyError.self) { try secret.slice(2..<5) }
        let joined = SecretBytes(joining: [secret, SecretBytes(copying: []), SecretBytes(copying: [5])])
        #expect(joined == SecretBytes(copying: [1, 2, 3, 4, 5]))
    }

    @Test("Random bytes differ, and numbers stay below their bound")
    func random() {
        #expect(SecretBytes.random(count: 32) != SecretBytes.random(count: 32))
        #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
        #expect(SecureRandom.bytes(0).isEmpty)
        #expect((0..<200).allSatisfy { _ in SecureRandom.number(below: 3) < 3 })
    }
}
