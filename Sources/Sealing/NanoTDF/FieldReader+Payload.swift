internal import Cryptography

extension FieldReader {
    /// The length of a payload: vector, ciphertext and tag.
    mutating func payloadByteCount(cipher: NanoTDF.Cipher) throws(NanoTDFError) -> Int {
        let count = try number(3, "payload length")
        guard count >= NanoTDF.Payload.vectorByteCount + cipher.tagByteCount else {
            throw invalid(3, "a payload of \(count) bytes has no room for a tag of \(cipher.tagByteCount)")
        }
        explain("\(count) bytes")
        return count
    }

    /// Reads a payload for its fields only.
    mutating func skipPayload(cipher: NanoTDF.Cipher) throws(NanoTDFError) {
        _ = try payload(cipher: cipher)
    }

    mutating func payload(cipher: NanoTDF.Cipher) throws(NanoTDFError) -> NanoTDF.Payload {
        let count = try payloadByteCount(cipher: cipher)
        guard remaining >= count else {
            throw NanoTDFError(.truncated, "payload: \(count) bytes are needed and \(remaining) are left", at: offset)
        }
        let vector = try bytes(NanoTDF.Payload.vectorByteCount, "initialization vector")
        explain("\(vector.reduce(0) { $0 << 8 | Int($1) })")
        let ciphertext = try bytes(count - vector.count - cipher.tagByteCount, "ciphertext")
        explain("\(ciphertext.count) bytes")
        let tag = try bytes(cipher.tagByteCount, "tag")
        explain("\(tag.count * 8) bits")
        return NanoTDF.Payload(vector: vector, sealed: ciphertext + tag)
    }

    mutating func signature(of header: NanoTDF.Header) throws(NanoTDFError) -> NanoTDF.Signature? {
        guard let curve = header.signatureCurve else { return nil }
        let signer = try key(on: curve, "signer's key")
        let value = try bytes(curve.signatureByteCount, "signature")
        explain("ECDSA with SHA-256 over all bytes before the signer's key")
        return NanoTDF.Signature(signer: signer, value: value)
    }
}
