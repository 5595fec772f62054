internal import COpenSSL

/// One encryption or decryption with OpenSSL's AES-GCM.
final class GCMContext {
    enum Direction: Int32 {
        case decrypt = 0
        case encrypt = 1
    }

    private let context: OpaquePointer

    init(key: SecretBytes, nonce: [UInt8], direction: Direction) throws(CryptographyError) {
        let cipher: OpaquePointer
        switch key.count {
        case 16: cipher = Self.aes128
        case 32: cipher = Self.aes256
        default: throw CryptographyError(.invalidLength, "an AES-GCM key has 16 or 32 bytes")
        }
        guard let context = EVP_CIPHER_CTX_new() else { throw Self.failure }
        self.context = context
        // The length of the nonce comes before the nonce, and the cipher before both.
        guard
            nonce.count == AESGCM.nonceByteCount
                || (EVP_CipherInit_ex2(context, cipher, nil, nil, direction.rawValue, nil) == 1
                    && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1)
        else { throw Self.failure }
        let result = key.withUnsafeBytes { key in
            EVP_CipherInit_ex2(
                context,
                nonce.count == AESGCM.nonceByteCount ? cipher : nil,
                key.bindMemory(to: UInt8.self).baseAddress,
                nonce,
                direction.rawValue,
                nil
            )
        }
        guard result == 1 else { throw Self.failure }
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Binds bytes that are not encrypted.
    func authenticate(_ bytes: [UInt8]) throws(CryptographyError) {
        guard !bytes.isEmpty else { return }
        var length: Int32 = 0
        guard let count = Int32(exactly: bytes.count), EVP_CipherUpdate(context, nil, &length, bytes, count) == 1 else {
            throw Self.failure
        }
    }

    /// Encrypts or decrypts the whole message at once.
    func update(_ bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
        // Without an output buffer OpenSSL would take the bytes for associated data.
        guard !bytes.isEmpty else { return [] }
        guard let count = Int32(exactly: bytes.count) else {
            throw CryptographyError(.invalidLength, "a message of more than 2 GiB has to be cut into parts")
        }
        var result: Int32 = 0
        let output = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, initialized in
            var length: Int32 = 0
            result = EVP_CipherUpdate(context, buffer.baseAddress, &length, bytes, count)
            initialized = result == 1 ? Int(length) : 0
        }
        guard result == 1 else { throw Self.failure }
        return output
    }

    /// The first `count` bytes of the tag over everything.
    func finishSealing(tagByteCount count: Int = AESGCM.tagByteCount) throws(CryptographyError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: count)
        var length: Int32 = 0
        guard EVP_CipherFinal_ex(context, &tag, &length) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
        else { throw Self.failure }
        return tag
    }

    /// Throws unless `tag` is the right one, or the beginning of it.
    func finishOpening(tag: [UInt8]) throws(CryptographyError) {
        var expected = tag
        var rest = [UInt8](repeating: 0, count: AESGCM.tagByteCount)
        var length: Int32 = 0
        guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(expected.count), &expected) == 1,
            EVP_CipherFinal_ex(context, &rest, &length) == 1
        else {
            throw CryptographyError(
                .authenticationFailed,
                "the key or the context is wrong, or the message was altered"
            )
        }
    }

    private static var failure: CryptographyError {
        CryptographyError(.libraryFailure, "OpenSSL could not run AES-GCM")
    }

    // Fetched once. Safe to share: a fetched EVP_CIPHER is never changed and is never freed here.
    nonisolated(unsafe) private static let aes128 = fetch("AES-128-GCM")
    nonisolated(unsafe) private static let aes256 = fetch("AES-256-GCM")

    private static func fetch(_ name: String) -> OpaquePointer {
        guard let cipher = EVP_CIPHER_fetch(nil, name, nil) else { preconditionFailure("this OpenSSL has no \(name)") }
        return cipher
    }
}
