import Testing

@testable import DataChannels

@Suite("Certificates")
struct CertificateTests {
    @Test("a kept identity comes back as the same one")
    func keep() throws {
        let made = try Certificate.generate()
        let der = try Certificate(certificateDER: made.certificateDER, privateKeyDER: made.privateKeyDER)
        #expect(der.fingerprint == made.fingerprint)
        let pem = try Certificate(certificatePEM: made.certificatePEM, privateKeyPEM: made.privateKeyPEM)
        #expect(pem == made)
        #expect(pem.privateKeyDER == made.privateKeyDER)
    }

    @Test("two identities differ")
    func distinct() throws {
        #expect(try Certificate.generate().fingerprint != Certificate.generate().fingerprint)
    }

    @Test("a foreign key and broken bytes are refused")
    func refused() throws {
        let one = try Certificate.generate()
        let two = try Certificate.generate()
        #expect(throws: PeerConnectionError.self) {
            try Certificate(certificateDER: one.certificateDER, privateKeyDER: two.privateKeyDER)
        }
        for count in stride(from: 0, to: one.certificateDER.count, by: 7) {
            #expect(throws: PeerConnectionError.self) {
                try Certificate(
                    certificateDER: Array(one.certificateDER.prefix(count)), privateKeyDER: one.privateKeyDER)
            }
        }
        #expect(throws: PeerConnectionError.self) { try Certificate(certificatePEM: "", privateKeyPEM: "") }
        #expect(throws: PeerConnectionError.self) { try Certificate.generate(validDays: 0) }
    }

    @Test("the private key stays out of descriptions")
    func secret() throws {
        let certificate = try Certificate.generate()
        #expect("\(certificate)".contains("sha-256"))
        #expect("\(certificate)".count < 140)
    }
}
