public import Cryptography

extension NanoTDF {
    /// The result of checking a signature. The key is in the file, so the signature proves nothing until the reader
    /// knows whose key it is.
    public enum SignatureCheck: Hashable, Sendable {
        /// There is none.
        case absent
        /// The signature is this key's. The reader has to know whose key it is.
        case valid(EllipticCurve.PublicKey)
        /// It matches the bytes with the signature flag cleared, which is what OpenTDFKit signs.
        case beforeFlag(EllipticCurve.PublicKey)
        /// The signature does not match the bytes.
        case wrong
    }

    /// Checks the signature over the bytes of header and payload.
    public func checkSignature() -> SignatureCheck {
        guard let signature, let curve = header.signatureCurve else { return .absent }
        guard let signer = try? EllipticCurve.PublicKey(curve, encoded: signature.signer) else { return .wrong }
        if signer.isSignature(signature.value, of: signedBytes) { return .valid(signer) }
        let before = header.unsigned(configuration: curve.nanoTDFCode << 4).bytes + payload.bytes
        return signer.isSignature(signature.value, of: before) ? .beforeFlag(signer) : .wrong
    }
}

extension NanoTDF.Header {
    /// The same without the flag of a signature. The bits of its curve are kept.
    fileprivate func unsigned(configuration: UInt8) -> Self {
        NanoTDF.Header(
            version: version, kas: kas, readerKey: readerKey, curve: curve, cipher: cipher, signatureCurve: nil,
            policy: policy, binding: binding, ephemeralKey: ephemeralKey, unused: (unused.modes, configuration))
    }
}
