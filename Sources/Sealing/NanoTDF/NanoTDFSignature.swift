public import Cryptography

extension NanoTDF {
    /// What a signature turned out to be. The key is in the file: it means nothing until the reader knows whose it is.
    public enum SignatureCheck: Hashable, Sendable {
        /// There is none.
        case absent
        /// The signature is this key's. Whether the key is anybody's is for the reader to know.
        case valid(EllipticCurve.PublicKey)
        /// It fits the bytes with the signature flag cleared, which is what OpenTDFKit signs.
        case beforeFlag(EllipticCurve.PublicKey)
        /// The signature does not fit the bytes.
        case wrong
    }

    /// Checks the signature over header and payload as they stand on the wire.
    public func checkSignature() -> SignatureCheck {
        guard let signature, let curve = header.signatureCurve else { return .absent }
        guard let signer = try? EllipticCurve.PublicKey(curve, encoded: signature.signer) else { return .wrong }
        if signer.isSignature(signature.value, of: signedBytes) { return .valid(signer) }
        let before = header.unsigned(configuration: curve.nanoTDFCode << 4).bytes + payload.bytes
        return signer.isSignature(signature.value, of: before) ? .beforeFlag(signer) : .wrong
    }
}

extension NanoTDF.Header {
    /// The same without the flag of a signature, whose curve stays.
    fileprivate func unsigned(configuration: UInt8) -> Self {
        NanoTDF.Header(
            version: version, kas: kas, readerKey: readerKey, curve: curve, cipher: cipher, signatureCurve: nil,
            policy: policy, binding: binding, ephemeralKey: ephemeralKey, unused: (unused.modes, configuration))
    }
}
