internal import Cryptography

/// Opens payloads after one header. The first payload shows the writer's dialect; the others must have the same.
struct PayloadOpener {
    let header: NanoTDF.Header
    /// The input of other key derivations; nil if the key itself was given.
    private let secret: SecretBytes?
    private(set) var key: SecretBytes
    private(set) var keyDerivation: NanoTDF.KeyDerivation?
    private(set) var nonceRule = NanoTDF.NonceRule.zerosBefore
    private var isSettled = false

    /// The secret of a policy with a key access of its own, if that is with the same private key.
    let policySecret: SecretBytes?

    init(header: NanoTDF.Header, privateKey: EllipticCurve.PrivateKey) throws(NanoTDFError) {
        let secret = try header.sharedSecret(with: privateKey)
        self.header = header
        self.secret = secret
        policySecret = header.policySecret(with: privateKey)
        keyDerivation = .deployed
        do {
            key = try header.version.key(from: secret, by: .deployed)
        } catch {
            throw NanoTDFError(error)
        }
    }

    init(header: NanoTDF.Header, payloadKey: SecretBytes) throws(NanoTDFError) {
        guard payloadKey.count == 32 else {
            throw NanoTDFError(.wrongKey, "a payload key has 32 bytes, this one \(payloadKey.count)")
        }
        self.header = header
        (secret, policySecret) = (nil, nil)
        key = payloadKey
    }

    mutating func open(_ payload: NanoTDF.Payload) throws(NanoTDFError) -> [UInt8] {
        if let plaintext = decrypt(payload, key, nonceRule) {
            isSettled = true
            return plaintext
        }
        guard !isSettled else { throw NanoTDFError(.altered, "a payload was changed: others open with this key") }
        for derivation in secret == nil ? [nil] : NanoTDF.KeyDerivation.allCases.map(Optional.some) {
            let key = try derived(by: derivation)
            for rule in NanoTDF.NonceRule.allCases {
                guard let plaintext = decrypt(payload, key, rule) else { continue }
                (self.key, keyDerivation, nonceRule, isSettled) = (key, derivation, rule, true)
                return plaintext
            }
        }
        throw failure
    }

    private func derived(by derivation: NanoTDF.KeyDerivation?) throws(NanoTDFError) -> SecretBytes {
        guard let secret, let derivation else { return key }
        do {
            return try header.version.key(from: secret, by: derivation)
        } catch {
            throw NanoTDFError(error)
        }
    }

    private func decrypt(
        _ payload: NanoTDF.Payload, _ key: SecretBytes, _ rule: NanoTDF.NonceRule
    ) -> [UInt8]? {
        try? AESGCM.open(
            payload.sealed, key: key, nonce: rule.nonce(payload.vector), context: [],
            tagByteCount: header.cipher.tagByteCount)
    }

    /// The most exact reason why a payload does not open.
    private var failure: NanoTDFError {
        if header.checkBinding(payloadKey: key) == .tag || decryptedPolicy != nil {
            return NanoTDFError(.altered, "the payload was changed: the key is right")
        }
        if header.checkBinding() == .wrong {
            return NanoTDFError(
                .altered, "the file was changed: its payload does not open, and its policy does not belong to it")
        }
        return NanoTDFError(.cannotOpen, "the key is not the one this was sealed to, or the bytes were changed")
    }
}

extension PayloadOpener {
    /// Checks the binding with the key that was found.
    func binding(allowing leniency: NanoTDF.Leniency) throws(NanoTDFError) -> NanoTDF.BindingCheck {
        let check = header.checkBinding(payloadKey: key)
        guard check != .wrong || leniency.contains(.wrongBinding) else {
            throw NanoTDFError(.wrongBinding, "the policy does not belong to this file: it or its binding was changed")
        }
        return check
    }
}
