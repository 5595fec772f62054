internal import Cryptography

extension PayloadOpener {
    /// The policy in clear, if it can be decrypted.
    func policy(allowing leniency: NanoTDF.Leniency) -> NanoTDF.OpenedPolicy {
        switch header.policy {
        case .remote(let locator): return .remote(locator)
        case .plain(let bytes): return .plain(bytes)
        case .encryptedWithKeyAccess(_, let access):
            return decryptedPolicy.map(NanoTDF.OpenedPolicy.decrypted) ?? .elsewhere(access)
        case .encrypted(let sealed):
            if let plaintext = decryptedPolicy { return .decrypted(plaintext) }
            guard leniency.contains(.policyWithoutTag),
                let plaintext = try? AESGCM.decryptUnauthenticated(sealed, key: key, nonce: policyNonce(nonceRule))
            else { return .unreadable }
            return .unauthenticated(plaintext)
        }
    }

    /// An encrypted policy in clear, if its tag is right.
    var decryptedPolicy: [UInt8]? {
        switch header.policy {
        case .remote, .plain: nil
        case .encrypted(let sealed): decrypt(policy: sealed, with: [key])
        case .encryptedWithKeyAccess(let sealed, _):
            decrypt(
                policy: sealed,
                with: NanoTDF.KeyDerivation.allCases.compactMap { derivation in
                    policySecret.flatMap { try? header.version.key(from: $0, by: derivation, forPolicy: true) }
                })
        }
    }

    private func decrypt(policy sealed: [UInt8], with keys: [SecretBytes]) -> [UInt8]? {
        for key in keys {
            for rule in [NanoTDF.NonceRule.zerosBefore, .bare] {
                let plaintext = try? AESGCM.open(
                    sealed, key: key, nonce: policyNonce(rule), context: [],
                    tagByteCount: header.cipher.tagByteCount)
                if let plaintext { return plaintext }
            }
        }
        return nil
    }

    /// The vector 000000 belongs to the policy, so payloads may not use it.
    private func policyNonce(_ rule: NanoTDF.NonceRule) -> [UInt8] { rule.nonce(NanoTDF.policyVector) }
}

extension NanoTDF.Header {
    /// The secret of the policy's own key access, if its service's private key is this one.
    func policySecret(with privateKey: EllipticCurve.PrivateKey) -> SecretBytes? {
        guard case .encryptedWithKeyAccess(_, let access) = policy,
            let publicKey = try? EllipticCurve.PublicKey(curve, encoded: access.publicKey)
        else { return nil }
        return try? privateKey.sharedSecret(with: publicKey)
    }
}

extension NanoTDF {
    /// A policy, as far as the reader can decrypt it.
    public enum OpenedPolicy: Hashable, Sendable {
        /// The policy is at this address.
        case remote(ResourceLocator)
        /// The policy was not encrypted.
        case plain([UInt8])
        /// The policy was encrypted, and its tag is right.
        case decrypted([UInt8])
        /// Decrypted without a tag, as OpenTDFKit writes it, so it may have been changed. Only
        /// ``Leniency/policyWithoutTag`` allows this.
        case unauthenticated([UInt8])
        /// It was encrypted with a key that is not this file's, or without a tag.
        case unreadable
        /// Another service holds its key.
        case elsewhere(KeyAccess)
    }

    static let policyVector: [UInt8] = [0, 0, 0]
}
