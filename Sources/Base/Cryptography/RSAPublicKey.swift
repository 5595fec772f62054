internal import COpenSSL

/// An RSA public key of 2048 to 8192 bits (RFC 8017), for clients that use RSA. It checks signatures and wraps keys.
/// Alcove has no RSA private keys.
package final class RSAPublicKey: @unchecked Sendable, CustomStringConvertible {
    // Sendable holds because an EVP_PKEY is not changed after `init`, and OpenSSL lets threads use one at the same time.
    private let key: OpaquePointer
    // OSSL_PKEY_PARAM_RSA_N and _RSA_E at addresses that stay: a builder keeps the pointers.
    private static let n: StaticString = "n"
    private static let e: StaticString = "e"
    /// Big-endian, without leading zeros.
    package let modulus: [UInt8]
    /// Big-endian, without leading zeros.
    package let exponent: [UInt8]

    /// Takes over `key`, also when it throws.
    private init(taking key: OpaquePointer) throws(CryptographyError) {
        do throws(CryptographyError) {
            (modulus, exponent) = (
                try Self.number(OSSL_PKEY_PARAM_RSA_N, of: key), try Self.number(OSSL_PKEY_PARAM_RSA_E, of: key)
            )
            try Self.check(modulus, exponent)
        } catch {
            EVP_PKEY_free(key)
            throw error
        }
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    /// The key of two big-endian numbers, as a JSON Web Key has them.
    package convenience init(modulus: [UInt8], exponent: [UInt8]) throws(CryptographyError) {
        // Larger numbers are refused before OpenSSL computes with them.
        guard modulus.count <= 1025, (1...4).contains(exponent.count),
            let n = BN_bin2bn(modulus, Int32(modulus.count), nil)
        else { throw CryptographyError(.invalidKey, "these numbers are no RSA key") }
        defer { BN_free(n) }
        guard let e = BN_bin2bn(exponent, Int32(exponent.count), nil) else { throw Self.libraryFailure }
        defer { BN_free(e) }
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil), let builder = OSSL_PARAM_BLD_new() else {
            throw Self.libraryFailure
        }
        defer {
            EVP_PKEY_CTX_free(context)
            OSSL_PARAM_BLD_free(builder)
        }
        guard OSSL_PARAM_BLD_push_BN(builder, Self.n.utf8Start, n) == 1,
            OSSL_PARAM_BLD_push_BN(builder, Self.e.utf8Start, e) == 1,
            let parameters = OSSL_PARAM_BLD_to_param(builder)
        else { throw Self.libraryFailure }
        defer { OSSL_PARAM_free(parameters) }
        var key: OpaquePointer?
        let selection = OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_PUBLIC_KEY
        guard EVP_PKEY_fromdata_init(context) == 1, EVP_PKEY_fromdata(context, &key, selection, parameters) == 1,
            let key
        else {
            ERR_clear_error()
            throw CryptographyError(.invalidKey, "these numbers are no RSA key")
        }
        try self.init(taking: key)
    }

    /// Reads a SubjectPublicKeyInfo, PEM ("PUBLIC KEY") or DER, of at most 64 KiB.
    package convenience init(file: some Collection<UInt8>) throws(CryptographyError) {
        for block in try KeyFileBlock.blocks(of: SecretBytes(copying: file)) {
            guard block.label == nil || block.label == "PUBLIC KEY",
                let key = block.parse(with: { d2i_PUBKEY(nil, $0, $1) })
            else { continue }
            guard EVP_PKEY_is_a(key, "RSA") == 1 else {
                EVP_PKEY_free(key)
                throw CryptographyError(.unsupportedKey, "the key is no RSA key")
            }
            try self.init(taking: key)
            return
        }
        throw CryptographyError(.invalidKey, "the file holds no public key in PEM or DER")
    }

    /// Whether `signature` is this key's RSASSA-PKCS1-v1_5 signature of `message` (RFC 8017, section 8.2).
    package func isSignature(
        _ signature: some Collection<UInt8>, of message: some Collection<UInt8>, function: HashFunction
    ) -> Bool {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return false }
        defer {
            EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        let (signature, digest) = (Array(signature), function.digest(message))
        return EVP_PKEY_verify_init(context) == 1
            && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
            && EVP_PKEY_CTX_set_signature_md(context, function.algorithm) == 1
            && EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
    }

    /// Encrypts a short secret with RSAES-OAEP (RFC 8017, section 7.1) and SHA-1, which is what TDF clients expect.
    /// OAEP does not need the collision resistance that SHA-1 has lost.
    package func wrap(_ secret: SecretBytes) throws(CryptographyError) -> [UInt8] {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { throw Self.libraryFailure }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_encrypt_init(context) == 1,
            EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
        else { throw Self.libraryFailure }
        var count = Int(EVP_PKEY_get_size(key))
        var wrapped = [UInt8](repeating: 0, count: count)
        let result = secret.withUnsafeBytes {
            EVP_PKEY_encrypt(context, &wrapped, &count, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)
        }
        guard result == 1 else { throw Self.libraryFailure }
        return Array(wrapped.prefix(count))
    }

    package var description: String { "RSAPublicKey(\(modulus.count * 8) bits)" }

    private static func check(_ modulus: [UInt8], _ exponent: [UInt8]) throws(CryptographyError) {
        guard (256...1024).contains(modulus.count), exponent.count <= 4, let last = exponent.last, last % 2 == 1,
            exponent != [1]
        else {
            throw CryptographyError(
                .unsupportedKey, "an RSA key has 2048 to 8192 bits and an odd exponent of at most 32 bits")
        }
    }

    private static func number(_ name: String, of key: OpaquePointer) throws(CryptographyError) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else { throw libraryFailure }
        defer { BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(number) + 7) / 8)
        BN_bn2bin(number, &bytes)
        return bytes
    }

    private static var libraryFailure: CryptographyError {
        ERR_clear_error()
        return CryptographyError(.libraryFailure, "OpenSSL could not compute with an RSA key")
    }
}
