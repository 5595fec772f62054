package import Cryptography

/// The private keys of a service by their identifiers, and the default for files that name no key.
package struct ServiceKeys: Sendable {
    package struct Key: Sendable {
        /// 1 to 32 bytes, as NanoTDF carries it.
        package let id: String
        package let privateKey: EllipticCurve.PrivateKey

        package init(id: String, privateKey: EllipticCurve.PrivateKey) {
            self.id = id
            self.privateKey = privateKey
        }
    }

    package let keys: [Key]

    /// - Parameter keys: on P-256, P-384 or P-521. The first on each curve is the default for files that name no key.
    package init(_ keys: [Key]) throws(KeyAccessError) {
        guard !keys.isEmpty else { throw KeyAccessError(.invalidConfiguration, "there is no key to serve") }
        guard Set(keys.map(\.id)).count == keys.count else {
            throw KeyAccessError(.invalidConfiguration, "two keys have the same identifier")
        }
        for key in keys {
            guard (1...32).contains(key.id.utf8.count), !key.id.contains("\0") else {
                throw KeyAccessError(.invalidConfiguration, "the identifier of a key has 1 to 32 bytes")
            }
            guard key.privateKey.curve != .secp256k1 else {
                throw KeyAccessError(
                    .invalidConfiguration, "the key \(key.id) is on secp256k1; use P-256, P-384 or P-521")
            }
        }
        self.keys = keys
    }

    /// The key that a file was sealed to.
    func key(id: String?, on curve: EllipticCurve) throws(KeyAccessError) -> Key {
        guard let id else {
            guard let key = keys.first(where: { $0.privateKey.curve == curve }) else {
                throw KeyAccessError(.notFound, "this service has no key on \(curve.name)")
            }
            return key
        }
        guard let key = keys.first(where: { $0.id == id }) else {
            throw KeyAccessError(.notFound, "this service has no key with the identifier in the file")
        }
        guard key.privateKey.curve == curve else {
            throw KeyAccessError(.notFound, "the key that the file names is on \(key.privateKey.curve.name)")
        }
        return key
    }

    /// The key for an algorithm such as `ec:secp256r1`; without one, the first key.
    func key(algorithm: String) throws(KeyAccessError) -> Key {
        guard !algorithm.isEmpty else { return keys[0] }
        guard let key = keys.first(where: { $0.algorithm == algorithm }) else {
            throw KeyAccessError(.notFound, "this service has keys for \(algorithms.joined(separator: ", "))")
        }
        return key
    }

    var algorithms: [String] {
        var seen: Set<String> = []
        return keys.map(\.algorithm).filter { seen.insert($0).inserted }
    }
}

extension ServiceKeys.Key {
    var algorithm: String { "ec:\(privateKey.curve.name)" }
}

/// The two ways in which a key travels from the service to the client.
enum KeyWrapping {
    /// HKDF's salt: the SHA-256 of NanoTDF's first three bytes.
    private static let salt = HashFunction.sha256.digest("L1L".utf8)

    /// Nonce (12 bytes), ciphertext (32), tag (16).
    static let byteCount = 60

    /// The key that wraps. It is derived from a secret that only the client and the service know.
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
