internal import Cryptography

/// The two ways in which a key travels from the service to the client.
enum KeyWrapping {
    /// HKDF's salt: the SHA-256 of NanoTDF's first three bytes.
    private static let salt = HashFunction.sha256.digest("L1L".utf8)

    /// Nonce (12 bytes), ciphertext (32), tag (16).
    static let byteCount = 60

    /// The key that wraps, of which only the client and the service know the secret.
    static func wrappingKey(
        _ own: EllipticCurve.PrivateKey, _ other: EllipticCurve.PublicKey
    ) throws(CryptographyError) -> SecretBytes {
        try HKDF.derive(own.sharedSecret(with: other), salt: salt, info: [], count: 32)
    }

    static func wrap(_ key: SecretBytes, with wrappingKey: SecretBytes) throws(CryptographyError) -> [UInt8] {
        try AESGCM.seal(key, key: wrappingKey, context: [])
    }

    static func unwrap(_ wrapped: [UInt8], with wrappingKey: SecretBytes) throws(CryptographyError) -> SecretBytes {
        guard wrapped.count == byteCount else {
            throw CryptographyError(.invalidLength, "a wrapped key has \(byteCount) bytes")
        }
        return try AESGCM.openSecret(wrapped, key: wrappingKey, context: [])
    }
}
