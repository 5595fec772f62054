import Cryptography
import Testing

@Suite("SPAKE2")
struct SPAKE2Tests {
    private let cheap: Scrypt.Cost
    private let identities = SPAKE2Exchange.Identities(a: Array("one".utf8), b: Array("two".utf8))

    init() throws {
        cheap = try Scrypt.Cost(logN: 10, r: 1, p: 1)
    }

    @Test("The vectors of RFC 9382, appendix B", arguments: SPAKE2Vector.all)
    func vectors(vector: SPAKE2Vector) throws {
        let identities = SPAKE2Exchange.Identities(a: Array(vector.identityA.utf8), b: Array(vector.identityB.utf8))
        let w = try scalar(vector.w)
        let a = try SPAKE2Exchange(side: .a, password: w, identities: identities, secret: scalar(vector.x))
        let b = try SPAKE2Exchange(side: .b, password: w, identities: identities, secret: scalar(vector.y))
        #expect(a.share == hex(vector.shareA))
        #expect(b.share == hex(vector.shareB))

        let agreedA = try a.agree(with: b.share)
        let agreedB = try b.agree(with: a.share)
        #expect(agreedA.sessionKey == SecretBytes(copying: hex(vector.sessionKey)))
        #expect(agreedB.sessionKey == agreedA.sessionKey)

        let confirmationA = try agreedA.confirmation(binding: [])
        let confirmationB = try agreedB.confirmation(binding: [])
        #expect(confirmationA.local == hex(vector.confirmationA))
        #expect(confirmationB.local == hex(vector.confirmationB))
        #expect(confirmationA.isConfirmed(by: confirmationB.local))
        #expect(confirmationB.isConfirmed(by: confirmationA.local))
    }

    @Test("Different passwords, identities or contexts are not confirmed")
    func differences() throws {
        let right = try password("maple-otter")
        let other = SPAKE2Exchange.Identities(a: Array("one".utf8), b: Array("six".utf8))
        #expect(try confirmed(right, right, identities, [1], [1]))
        #expect(try !confirmed(right, password("maple-otters"), identities, [1], [1]))
        #expect(try !confirmed(right, right, other, [1], [1]))
        #expect(try !confirmed(right, right, identities, [1], [2]))
    }

    @Test("A share that is sent back to its sender confirms nothing")
    func reflection() throws {
        let exchange = try SPAKE2Exchange(side: .a, password: password("x"), identities: identities)
        let confirmation = try exchange.agree(with: exchange.share).confirmation(binding: [])
        #expect(!confirmation.isConfirmed(by: confirmation.local))
    }

    @Test("Shares that are not points, or that cancel the mask, are refused")
    func badShares() throws {
        let w = try password("x")
        let exchange = try SPAKE2Exchange(side: .a, password: w, identities: identities)
        let blinding = try P256.Point(
            encoded: hex("03d8bbd6c639c62937b04d997f38c3770719c629d7014d49a24b4f98baa1292b49")
        )
        let cancelling = try blinding.multiplied(by: w).encoded()
        for share in [[], [0], [UInt8](repeating: 4, count: 65), cancelling] {
            let error = #expect(throws: CryptographyError.self) { try exchange.agree(with: share) }
            #expect(error?.code == .invalidPoint)
        }
    }

    @Test("One password gives one number, and its salt matters")
    func passwordScalar() throws {
        #expect(try password("a").bytes == password("a").bytes)
        #expect(try password("a").bytes != password("b").bytes)
        let salted = try SPAKE2Exchange.passwordScalar(SecretBytes(copying: "a".utf8), salt: [9], cost: cheap)
        #expect(try salted.bytes != password("a").bytes)
    }

    private func password(_ text: String) throws -> P256.Scalar {
        try SPAKE2Exchange.passwordScalar(SecretBytes(copying: text.utf8), salt: [1, 2], cost: cheap)
    }

    private func scalar(_ digits: String) throws -> P256.Scalar {
        try P256.Scalar(bytes: SecretBytes(copying: hex(digits)))
    }

    /// Whether both sides of an exchange confirm each other.
    private func confirmed(
        _ passwordA: P256.Scalar,
        _ passwordB: P256.Scalar,
        _ identitiesB: SPAKE2Exchange.Identities,
        _ contextA: [UInt8],
        _ contextB: [UInt8]
    ) throws -> Bool {
        let a = try SPAKE2Exchange(side: .a, password: passwordA, identities: identities)
        let b = try SPAKE2Exchange(side: .b, password: passwordB, identities: identitiesB)
        let first = try a.agree(with: b.share).confirmation(binding: contextA)
        let second = try b.agree(with: a.share).confirmation(binding: contextB)
        let (forth, back) = (second.isConfirmed(by: first.local), first.isConfirmed(by: second.local))
        #expect(forth == back)
        return forth && back
    }
}
