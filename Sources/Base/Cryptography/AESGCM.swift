internal import COpenSSL

/// Authenticated encryption: AES in Galois/counter mode (NIST SP 800-38D) with 16-byte tags.
///
/// A nonce must never be used twice with one key. With random nonces, one key is good for 2³² messages.
public enum AESGCM {
    /// Bytes of a nonce.
    public static let nonceByteCount = 12
    /// Bytes of a whole tag.
    public static let tagByteCount = 16
    /// How many bytes longer a sealed message is than its plaintext when it contains the nonce.
    public static let overhead = nonceByteCount + tagByteCount

    /// Encrypts under a fresh random nonce.
    ///
    /// - Parameters:
    ///   - key: 16 or 32 bytes.
    ///   - context: authenticated but not encrypted and not part of the result.
    /// - Returns: nonce, ciphertext, tag.
    public static func seal(
        _ plaintext: some Collection<UInt8>,
        key: SecretBytes,
        context: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        let nonce = SecureRandom.bytes(nonceByteCount)
        return nonce + (try seal(plaintext, key: key, nonce: nonce, context: context))
    }

    /// Encrypts under a nonce of 12 bytes that the caller must never use twice with this key. Returns ciphertext and
    /// tag.
    public static func seal(
        _ plaintext: some Collection<UInt8>,
        key: SecretBytes,
        nonce: [UInt8],
        context: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        try check(nonce)
        return try seal(plaintext, key: key, nonce: nonce, context: context, tagByteCount: tagByteCount)
    }

    /// Decrypts what ``seal(_:key:context:)`` returned. Returns no plaintext unless the tag is right.
    public static func open(
        _ sealed: some Collection<UInt8>,
        key: SecretBytes,
        context: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        guard sealed.count >= overhead else { throw tooShort }
        return try open(
            sealed.dropFirst(nonceByteCount),
            key: key,
            nonce: Array(sealed.prefix(nonceByteCount)),
            context: context
        )
    }

    /// Decrypts ciphertext and tag under a nonce that was sent apart from them.
    public static func open(
        _ sealed: some Collection<UInt8>,
        key: SecretBytes,
        nonce: [UInt8],
        context: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        try check(nonce)
        return try open(sealed, key: key, nonce: nonce, context: context, tagByteCount: tagByteCount)
    }

    /// Encrypts a secret under a fresh random nonce. Returns nonce, ciphertext, tag.
    public static func seal(
        _ secret: SecretBytes, key: SecretBytes, context: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        var plaintext = secret.withUnsafeBytes { Array($0) }
        defer { wipe(&plaintext) }
        return try seal(plaintext, key: key, context: context)
    }

    /// Decrypts what ``seal(_:key:context:)-(SecretBytes,_,_)`` returned, into memory that is wiped after use.
    public static func openSecret(
        _ sealed: some Collection<UInt8>, key: SecretBytes, context: [UInt8]
    ) throws(CryptographyError) -> SecretBytes {
        var plaintext = try open(sealed, key: key, context: context)
        defer { wipe(&plaintext) }
        return SecretBytes(copying: plaintext)
    }

    private static func check(_ nonce: [UInt8]) throws(CryptographyError) {
        guard nonce.count == nonceByteCount else {
            throw CryptographyError(.invalidLength, "an AES-GCM nonce has \(nonceByteCount) bytes")
        }
    }

    static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
    }

    static var tooShort: CryptographyError {
        CryptographyError(.authenticationFailed, "the sealed message is too short to be whole")
    }
}
