public import Cryptography

extension NanoTDF {
    /// How the payload key is derived from the shared secret.
    public enum KeyDerivation: String, Hashable, Sendable, CaseIterable {
        /// HKDF with the SHA-256 of the magic as salt and empty info: OpenTDF, and Arkavo since September 2025.
        case deployed
        /// HKDF with the magic as salt and `encryption` as info: Arkavo from May to September 2025, and its app's client.
        case early
    }

    /// How the three bytes of a payload's vector become a nonce. Nothing in the file says which; a wrong one fails at the tag.
    public enum NonceRule: String, Hashable, Sendable, CaseIterable {
        /// Nine zeros before it: every deployed SDK.
        case zerosBefore = "zeros_before"
        /// The three bytes themselves: the specification's examples and the first SDKs.
        case bare
        /// Nine zeros after it: OpenTDFKit.
        case zerosAfter = "zeros_after"

        func nonce(_ vector: [UInt8]) -> [UInt8] {
            let zeros = [UInt8](repeating: 0, count: AESGCM.nonceByteCount - vector.count)
            return switch self {
            case .zerosBefore: zeros + vector
            case .bare: vector
            case .zerosAfter: vector + zeros
            }
        }
    }
}

extension NanoTDF.Version {
    private static let salts = [Self.l1l, .l1m].map { HashFunction.sha256.digest($0.magic) }

    /// The key of the payload, or of a policy with a key access of its own, 32 bytes.
    func key(
        from secret: SecretBytes, by derivation: NanoTDF.KeyDerivation, forPolicy: Bool = false
    ) throws(CryptographyError) -> SecretBytes {
        switch derivation {
        case .deployed: return try HKDF.derive(secret, salt: Self.salts[self == .l1l ? 0 : 1], info: [], count: 32)
        case .early:
            let info = forPolicy ? "policy_encryption" : "encryption"
            return try HKDF.derive(secret, salt: magic, info: Array(info.utf8), count: 32)
        }
    }
}

extension NanoTDF.Header {
    /// The key of the payload, 32 bytes, derived with the private key that the file was sealed to.
    public func payloadKey(
        with privateKey: EllipticCurve.PrivateKey, by derivation: NanoTDF.KeyDerivation = .deployed
    ) throws(NanoTDFError) -> SecretBytes {
        let secret = try sharedSecret(with: privateKey)
        do {
            return try version.key(from: secret, by: derivation)
        } catch {
            throw NanoTDFError(error)
        }
    }

    /// The secret that the sender and the owner of `privateKey` share.
    func sharedSecret(with privateKey: EllipticCurve.PrivateKey) throws(NanoTDFError) -> SecretBytes {
        guard privateKey.curve == curve else {
            throw NanoTDFError(
                .wrongKey,
                "this was sealed to a key on \(curve.name), and the private key is on \(privateKey.curve.name)")
        }
        if let readerKey, readerKey.compressed != privateKey.publicKey.compressed {
            throw NanoTDFError(.wrongKey, "this was sealed to another key, which it names")
        }
        do {
            return try privateKey.sharedSecret(with: EllipticCurve.PublicKey(curve, encoded: ephemeralKey))
        } catch {
            throw NanoTDFError(.altered, "the ephemeral key is not a point on \(curve.name)")
        }
    }
}
