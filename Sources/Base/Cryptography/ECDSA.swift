internal import COpenSSL

// ECDSA on every curve (FIPS 186-4), with SHA-256 unless told otherwise. Signatures are r and s, each as long as a coordinate, as JOSE and
// NanoTDF write them; OpenSSL's own form is DER.

extension EllipticCurve.PrivateKey {
    /// The signature of `message`: r and s, big-endian, `curve.signatureByteCount` bytes.
    public func sign(
        _ message: some Collection<UInt8>, function: HashFunction = .sha256
    ) throws(CryptographyError) -> [UInt8] {
        let digest = function.digest(message)
        let key = try libraryKey
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else {
            throw EllipticCurve.libraryFailure
        }
        defer { EVP_PKEY_CTX_free(context) }
        var count = 0
        guard EVP_PKEY_sign_init(context) == 1, EVP_PKEY_sign(context, nil, &count, digest, digest.count) == 1 else {
            throw EllipticCurve.libraryFailure
        }
        var der = [UInt8](repeating: 0, count: count)
        guard EVP_PKEY_sign(context, &der, &count, digest, digest.count) == 1 else {
            throw EllipticCurve.libraryFailure
        }
        return try Self.fixed(der.prefix(count), byteCount: curve.coordinateByteCount)
    }

    private static func fixed(_ der: ArraySlice<UInt8>, byteCount: Int) throws(CryptographyError) -> [UInt8] {
        let signature = der.withUnsafeBufferPointer { der in
            var position = der.baseAddress
            return d2i_ECDSA_SIG(nil, &position, der.count)
        }
        guard let signature else { throw EllipticCurve.libraryFailure }
        defer { ECDSA_SIG_free(signature) }
        var (r, s) = ([UInt8](repeating: 0, count: byteCount), [UInt8](repeating: 0, count: byteCount))
        guard BN_bn2binpad(ECDSA_SIG_get0_r(signature), &r, Int32(byteCount)) == byteCount,
            BN_bn2binpad(ECDSA_SIG_get0_s(signature), &s, Int32(byteCount)) == byteCount
        else { throw EllipticCurve.libraryFailure }
        return r + s
    }
}

extension EllipticCurve.PublicKey {
    /// Whether `signature` (r and s as ``EllipticCurve/PrivateKey/sign(_:function:)`` gives them) is this key's signature
    /// of `message`. Any other bytes are simply no signature.
    public func isSignature(
        _ signature: some Collection<UInt8>, of message: some Collection<UInt8>, function: HashFunction = .sha256
    ) -> Bool {
        let bytes = Array(signature)
        guard bytes.count == curve.signatureByteCount, let der = Self.der(bytes), let key = try? libraryKey,
            let context = EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil)
        else { return false }
        defer {
            EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        let digest = function.digest(message)
        return EVP_PKEY_verify_init(context) == 1
            && EVP_PKEY_verify(context, der, der.count, digest, digest.count) == 1
    }

    private static func der(_ bytes: [UInt8]) -> [UInt8]? {
        let half = bytes.count / 2
        guard let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        let numbers = bytes.withUnsafeBufferPointer { bytes in
            (
                BN_bin2bn(bytes.baseAddress, Int32(half), nil),
                BN_bin2bn(bytes.baseAddress?.advanced(by: half), Int32(half), nil)
            )
        }
        guard let r = numbers.0, let s = numbers.1, ECDSA_SIG_set0(signature, r, s) == 1 else {
            BN_free(numbers.0)
            BN_free(numbers.1)
            return nil
        }
        let count = Int(i2d_ECDSA_SIG(signature, nil))
        guard count > 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var position = buffer.baseAddress
            initialized = Int(max(0, i2d_ECDSA_SIG(signature, &position)))
        }
    }
}
