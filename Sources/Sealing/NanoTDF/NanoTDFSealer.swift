public import Cryptography

/// Seals payloads in the deployed dialect: version L1L, nonces with zeros before, a digest or a signature as binding.
///
/// It holds what many files share, so that sealing a file costs one key generation, one key agreement and one
/// encryption.
public struct NanoTDFSealer: Sendable {
    /// The policy to write.
    public enum Policy: Hashable, Sendable {
        /// The policy is at this address.
        case remote(ResourceLocator)
        /// The policy is in the file, readable by all: JSON as a rule, at most 65535 bytes.
        case plain([UInt8])
        /// The policy is encrypted with the key of the payload.
        case encrypted([UInt8])
    }

    /// How the policy is tied to the header.
    public enum Binding: Hashable, Sendable, CaseIterable {
        /// The last eight bytes of the policy's SHA-256, which other SDKs call GMAC. It detects accidents, not
        /// attacks.
        case digest
        /// The ephemeral key's signature.
        case ecdsa
    }

    /// Where the private key is: its address and the key's identifier there.
    public let kas: ResourceLocator
    /// The policy of all files that it seals.
    public let policy: Policy
    /// How the policy is tied to the header.
    public let binding: Binding
    /// The cipher, which decides the length of the tag.
    public let cipher: NanoTDF.Cipher
    /// Signs header and payload, if given.
    public let signer: EllipticCurve.PrivateKey?

    /// The most bytes of plaintext one payload can have.
    public var plaintextByteLimit: Int {
        NanoTDF.Payload.byteLimit - NanoTDF.Payload.vectorByteCount - cipher.tagByteCount
    }

    /// Throws if the policy does not fit its two bytes of length.
    public init(
        kas: ResourceLocator, policy: Policy, binding: Binding = .digest, cipher: NanoTDF.Cipher = .aes256GCM128,
        signer: EllipticCurve.PrivateKey? = nil
    ) throws(NanoTDFError) {
        let policyByteCount =
            switch policy {
            case .remote: 0
            case .plain(let bytes): bytes.count
            case .encrypted(let bytes): bytes.count + cipher.tagByteCount
            }
        guard policyByteCount <= NanoTDF.Policy.byteLimit else {
            throw NanoTDFError(
                .limitExceeded,
                "an embedded policy has at most \(NanoTDF.Policy.byteLimit) bytes, this one \(policyByteCount): keep it elsewhere"
            )
        }
        self.kas = kas
        self.policy = policy
        self.binding = binding
        self.cipher = cipher
        self.signer = signer
    }

    /// Seals a payload to the owner of a public key on P-256, P-384 or P-521, under an ephemeral key of its own.
    public func seal(
        _ plaintext: some Collection<UInt8>, to publicKey: EllipticCurve.PublicKey
    ) throws(NanoTDFError) -> NanoTDF {
        try seal(plaintext, to: publicKey, ephemeral: Self.ephemeralKey(for: publicKey), vector: Self.freshVector())
    }

    /// The same with everything chosen, for test vectors.
    package func seal(
        _ plaintext: some Collection<UInt8>, to publicKey: EllipticCurve.PublicKey,
        ephemeral: EllipticCurve.PrivateKey, vector: [UInt8]
    ) throws(NanoTDFError) -> NanoTDF {
        let (header, key) = try begin(to: publicKey, ephemeral: ephemeral)
        let payload = try payload(plaintext, key: key, vector: vector)
        guard let signer else { return NanoTDF(header: header, payload: payload, signature: nil) }
        do {
            let value = try signer.sign(header.bytes + payload.bytes)
            let signature = NanoTDF.Signature(signer: signer.publicKey.compressed, value: value)
            return NanoTDF(header: header, payload: payload, signature: signature)
        } catch {
            throw NanoTDFError(error)
        }
    }

    /// A fresh key on the reader's curve.
    static func ephemeralKey(
        for publicKey: EllipticCurve.PublicKey
    ) throws(NanoTDFError) -> EllipticCurve.PrivateKey {
        guard publicKey.curve != .secp256k1 else {
            throw NanoTDFError(.unsupported, "NanoTDF is written on P-256, P-384 and P-521, not on secp256k1")
        }
        do {
            return try EllipticCurve.PrivateKey(publicKey.curve)
        } catch {
            throw NanoTDFError(error)
        }
    }

    /// Three random bytes that are not the policy's.
    private static func freshVector() -> [UInt8] {
        while true {
            let vector = SecureRandom.bytes(NanoTDF.Payload.vectorByteCount)
            if vector != NanoTDF.policyVector { return vector }
        }
    }
}

// The steps, shared with datasets.
extension NanoTDFSealer {
    /// A header, and the key of the payloads after it.
    func begin(
        to publicKey: EllipticCurve.PublicKey, ephemeral: EllipticCurve.PrivateKey
    ) throws(NanoTDFError) -> (header: NanoTDF.Header, key: SecretBytes) {
        do {
            let secret = try ephemeral.sharedSecret(with: publicKey)
            let key = try NanoTDF.Version.l1l.key(from: secret, by: .deployed)
            let policy = try sealedPolicy(key: key)
            let header = NanoTDF.Header(
                kas: kas, curve: publicKey.curve, cipher: cipher, signatureCurve: signer?.curve, policy: policy,
                binding: try bind(policy, with: ephemeral), ephemeralKey: ephemeral.publicKey.compressed)
            return (header, key)
        } catch {
            throw NanoTDFError(error)
        }
    }

    private func bind(
        _ policy: NanoTDF.Policy, with ephemeral: EllipticCurve.PrivateKey
    ) throws(CryptographyError) -> NanoTDF.Binding {
        switch binding {
        case .digest: .code(NanoTDF.digestBinding(of: policy))
        case .ecdsa: .signature(try ephemeral.sign(policy.content))
        }
    }

    private func sealedPolicy(key: SecretBytes) throws(CryptographyError) -> NanoTDF.Policy {
        switch policy {
        case .remote(let locator): .remote(locator)
        case .plain(let bytes): .plain(bytes)
        case .encrypted(let bytes): .encrypted(try encrypt(bytes, key: key, vector: NanoTDF.policyVector))
        }
    }

    func payload(
        _ plaintext: some Collection<UInt8>, key: SecretBytes, vector: [UInt8]
    ) throws(NanoTDFError) -> NanoTDF.Payload {
        guard plaintext.count <= plaintextByteLimit else {
            throw NanoTDFError(
                .limitExceeded,
                "one payload holds at most \(plaintextByteLimit) bytes, not \(plaintext.count); a dataset holds more")
        }
        do {
            return NanoTDF.Payload(vector: vector, sealed: try encrypt(plaintext, key: key, vector: vector))
        } catch {
            throw NanoTDFError(error)
        }
    }

    private func encrypt(
        _ plaintext: some Collection<UInt8>, key: SecretBytes, vector: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        try AESGCM.seal(
            plaintext, key: key, nonce: NanoTDF.NonceRule.zerosBefore.nonce(vector), context: [],
            tagByteCount: cipher.tagByteCount)
    }
}
