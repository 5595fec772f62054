// AES-GCM with the tag and nonce lengths of formats that others defined. New formats use 16 and 12 bytes: a short tag
// is easier to guess, and enough guesses reveal the authentication key (SP 800-38D, appendix C).

extension AESGCM {
    /// The lengths of tags in bytes.
    public static let tagByteCounts = 4...16
    /// The lengths of nonces in bytes. The standard also allows longer ones, which no format here uses.
    public static let nonceByteCounts = 1...16

    /// Encrypts under a nonce that the caller must never use twice with this key. Returns ciphertext and the first
    /// `tagByteCount` bytes of the tag.
    public static func seal(
        _ plaintext: some Collection<UInt8>, key: SecretBytes, nonce: [UInt8], context: [UInt8], tagByteCount: Int
    ) throws(CryptographyError) -> [UInt8] {
        try check(nonce, tagByteCount)
        let cipher = try GCMContext(key: key, nonce: nonce, direction: .encrypt)
        try cipher.authenticate(context)
        let ciphertext = try cipher.update(Array(plaintext))
        return ciphertext + (try cipher.finishSealing(tagByteCount: tagByteCount))
    }

    /// Decrypts ciphertext and a tag of `tagByteCount` bytes. Returns no plaintext unless the tag is right.
    public static func open(
        _ sealed: some Collection<UInt8>, key: SecretBytes, nonce: [UInt8], context: [UInt8], tagByteCount: Int
    ) throws(CryptographyError) -> [UInt8] {
        try check(nonce, tagByteCount)
        guard sealed.count >= tagByteCount else { throw tooShort }
        let cipher = try GCMContext(key: key, nonce: nonce, direction: .decrypt)
        try cipher.authenticate(context)
        var plaintext = try cipher.update(Array(sealed.dropLast(tagByteCount)))
        do {
            try cipher.finishOpening(tag: Array(sealed.suffix(tagByteCount)))
        } catch {
            wipe(&plaintext)
            throw error
        }
        return plaintext
    }

    /// Decrypts ciphertext that has no tag, so changes to it are not noticed. Use it to show what other programs wrote,
    /// never to act on it.
    public static func decryptUnauthenticated(
        _ ciphertext: some Collection<UInt8>, key: SecretBytes, nonce: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        try check(nonce, tagByteCount)
        return try GCMContext(key: key, nonce: nonce, direction: .decrypt).update(Array(ciphertext))
    }

    private static func check(_ nonce: [UInt8], _ tagByteCount: Int) throws(CryptographyError) {
        guard nonceByteCounts.contains(nonce.count), tagByteCounts.contains(tagByteCount) else {
            throw CryptographyError(.invalidLength, "AES-GCM has no such nonce or tag length")
        }
    }
}
