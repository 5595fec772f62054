public import Cryptography

// Bindings tie the policy to the header. Three different codes are called GMAC; only one of them is in use.

extension NanoTDF {
    /// The result of checking a policy binding.
    public enum BindingCheck: String, Hashable, Sendable, CaseIterable {
        /// The last eight bytes of the policy's SHA-256: in every deployed SDK. An attacker who changes the policy can
        /// compute it again.
        case digest
        /// Eight bytes of an AES-GCM tag under the payload key: OpenTDFKit since June 2026.
        case tag
        /// The ephemeral key's ECDSA signature. An attacker who changes the policy can change the ephemeral key, but
        /// then the payload does not open.
        case ecdsa
        /// None of these: the policy or the binding was changed.
        case wrong
    }

    /// The last eight bytes of the policy's SHA-256.
    static func digestBinding(of policy: Policy) -> [UInt8] {
        HashFunction.sha256.digest(policy.content).suffix(Binding.codeByteCount)
    }
}

extension NanoTDF.Header {
    /// Whether the policy belongs to this header.
    ///
    /// - Parameter payloadKey: needed for OpenTDFKit's bindings only.
    public func checkBinding(payloadKey: SecretBytes? = nil) -> NanoTDF.BindingCheck {
        switch binding {
        case .signature, .prefixedSignature: isBindingSignatureValid ? .ecdsa : .wrong
        case .code(let code):
            if ConstantTime.areEqual(code, NanoTDF.digestBinding(of: policy)) {
                .digest
            } else if let payloadKey, isTag(code, key: payloadKey) {
                .tag
            } else {
                .wrong
            }
        }
    }

    /// Whether the binding is the ephemeral key's signature of the policy.
    var isBindingSignatureValid: Bool {
        let signature: [UInt8]
        switch binding {
        case .code: return false
        case .signature(let bytes): signature = bytes
        case .prefixedSignature(let bytes): signature = fixed(bytes)
        }
        guard let key = try? EllipticCurve.PublicKey(curve, encoded: ephemeralKey) else { return false }
        return key.isSignature(signature, of: policy.content)
    }

    /// Converts r and s with their lengths to r and s of full width, padded with zeros on the left. The parser has
    /// checked the lengths.
    private func fixed(_ bytes: [UInt8]) -> [UInt8] {
        let r = bytes.dropFirst().prefix(Int(bytes.first ?? 0))
        let s = bytes[r.endIndex...].dropFirst()
        return [r, s].flatMap { [UInt8](repeating: 0, count: max(0, curve.coordinateByteCount - $0.count)) + $0 }
    }

    /// Whether `code` is the beginning of the tag of an empty message with the policy as associated data. OpenTDFKit
    /// includes the policy's length in single files, but not in collections.
    private func isTag(_ code: [UInt8], key: SecretBytes) -> Bool {
        let nonce = [UInt8](repeating: 0, count: AESGCM.nonceByteCount)
        return [policy.body, policy.content].contains { context in
            let tag = try? AESGCM.seal([], key: key, nonce: nonce, context: context, tagByteCount: code.count)
            return tag.map { ConstantTime.areEqual($0, code) } ?? false
        }
    }
}
