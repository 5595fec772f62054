internal import COpenSSL

/// A DTLS identity: an ECDSA P-256 key and a certificate signed with it (RFC 8827 section 6.5).
///
/// Peers recognise each other by the ``fingerprint``. Keep the certificate (``privateKeyDER`` belongs in a vault) to
/// stay recognisable, or make a fresh one for each connection to stay unlinkable.
public struct Certificate: Sendable {
    /// The certificate in DER.
    public let certificateDER: [UInt8]
    /// The private key in PKCS #8 DER. A secret: keep it wrapped, never log it.
    public let privateKeyDER: [UInt8]
    /// The SHA-256 hash of ``certificateDER``.
    public let fingerprint: Fingerprint

    /// Restores a stored identity. The key must belong to the certificate.
    public init(certificateDER: [UInt8], privateKeyDER: [UInt8]) throws {
        let certificate = try OpenSSLCertificate(der: certificateDER)
        let key = try OpenSSLKey(der: privateKeyDER)
        guard X509_check_private_key(certificate.pointer, key.pointer) == 1 else {
            throw PeerConnectionError(.invalidCertificate, "the private key does not belong to the certificate")
        }
        self.certificateDER = certificateDER
        self.privateKeyDER = privateKeyDER
        self.fingerprint = Fingerprint(checked: .sha256, try certificate.digest(.sha256))
    }

    /// Makes a key and a self-signed certificate, valid from yesterday for the given number of days.
    public static func generate(validDays: Int = 365) throws -> Certificate {
        guard (1...36_500).contains(validDays) else {
            throw PeerConnectionError(.invalidConfiguration, "a certificate is valid for 1 to 36500 days")
        }
        let key = try OpenSSLKey.generateP256()
        let certificate = try OpenSSLCertificate(selfSignedBy: key, validDays: validDays)
        return try Certificate(certificateDER: certificate.der(), privateKeyDER: key.der())
    }
}

extension Certificate: Hashable, CustomStringConvertible {
    public static func == (left: Certificate, right: Certificate) -> Bool {
        left.certificateDER == right.certificateDER
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(certificateDER) }

    /// The fingerprint only.
    public var description: String { "Certificate(\(fingerprint))" }
}
