internal import Cryptography
internal import Wire

/// The encrypted part of a sealed message: an authentication code and the content, under a key that only the owner of the
/// one-time key and the sender of this message can derive.
enum SealedPayload {
    /// The code is HMAC-SHA256 cut to 16 bytes (RFC 2104, section 5).
    static let codeByteCount = 16

    /// Sender, receiver, and the key that both share for this direction.
    struct Authentication {
        let key: SecretBytes
        let sender: IdentityKey
        let receiver: IdentityKey

        /// Proves that the sender wrote exactly this content under exactly this header, to this receiver.
        func code(header: some Collection<UInt8>, content: some Collection<UInt8>) -> [UInt8] {
            var message = Array("alcove sealed 1".utf8)
            message.reserveCapacity(message.count + 2 * IdentityKey.byteCount + header.count + content.count)
            message += sender.bytes
            message += receiver.bytes
            message += header
            message += content
            return Array(HMAC.code(message, key: key).prefix(codeByteCount))
        }
    }

    /// The payload of NanoTDF: length, IV, ciphertext, tag.
    static func seal(
        _ content: [UInt8], header: [UInt8], secret: SecretBytes, _ authentication: Authentication
    ) throws(CryptographyError) -> [UInt8] {
        let code = authentication.code(header: header, content: content)
        let sealed = try AESGCM.seal(code + content, key: key(from: secret), nonce: nonce, context: [])
        let length = SealedHeader.ivByteCount + sealed.count
        return [UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)] + SealedHeader.iv + sealed
    }

    /// The ciphertext with its tag. Any bytes give a result or an error.
    static func ciphertext(_ reader: inout ByteReader) throws(WireError) -> ArraySlice<UInt8> {
        let length = try reader.readSlice(SealedHeader.lengthByteCount).reduce(0) { $0 << 8 | Int($1) }
        guard length == reader.remaining, try reader.readBytes(SealedHeader.ivByteCount) == SealedHeader.iv,
            reader.remaining >= codeByteCount + SealedHeader.tagByteCount
        else { throw WireError(.malformed, "the payload of the sealed message is not whole") }
        return reader.readRemaining()
    }

    /// The content, if it was sealed to this secret by this sender.
    static func open(
        _ ciphertext: ArraySlice<UInt8>, header: ArraySlice<UInt8>, secret: SecretBytes,
        _ authentication: Authentication
    ) throws(CryptographyError) -> [UInt8] {
        let plaintext = try AESGCM.open(ciphertext, key: key(from: secret), nonce: nonce, context: [])
        let content = Array(plaintext.dropFirst(codeByteCount))
        let expected = authentication.code(header: header, content: content)
        guard ConstantTime.areEqual(expected, Array(plaintext.prefix(codeByteCount))) else {
            throw CryptographyError(.authenticationFailed, "the message was not written by the one it names")
        }
        return content
    }

    private static let nonce = [UInt8](repeating: 0, count: 9) + SealedHeader.iv
    private static let salt = HashFunction.sha256.digest(SealedHeader.magic)

    private static func key(from secret: SecretBytes) throws(CryptographyError) -> SecretBytes {
        try HKDF.derive(secret, salt: salt, info: [], count: 32)
    }
}
