internal import COpenSSL

/// An owned `X509`.
struct OpenSSLCertificate: ~Copyable {
    let pointer: OpaquePointer

    deinit { X509_free(pointer) }

    /// Takes over a reference.
    private init(owning pointer: OpaquePointer?) throws(PeerConnectionError) {
        guard let pointer else {
            throw PeerConnectionError(.invalidCertificate, "the certificate could not be read")
        }
        self.pointer = pointer
    }

    init(der: [UInt8]) throws(PeerConnectionError) {
        let parsed: OpaquePointer? = der.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            let certificate = d2i_X509(nil, &cursor, bytes.count)
            guard cursor == bytes.baseAddress.map({ $0 + bytes.count }) else {
                X509_free(certificate)
                return nil
            }
            return certificate
        }
        try self.init(owning: parsed)
    }

    init(pem: String) throws(PeerConnectionError) {
        try self.init(owning: withReadBIO(pem) { PEM_read_bio_X509($0, nil, nil, nil) })
    }

    init(selfSignedBy key: borrowing OpenSSLKey, validDays: Int) throws(PeerConnectionError) {
        try self.init(owning: Self.selfSigned(by: key, validDays: validDays))
    }

    private static func selfSigned(by key: borrowing OpenSSLKey, validDays: Int) -> OpaquePointer? {
        let pointer = X509_new()
        let serial = UInt64.random(in: 1...UInt64(Int64.max))
        let name = X509_NAME_new()
        defer { X509_NAME_free(name) }
        let day = 24 * 60 * 60
        guard
            X509_set_version(pointer, 2) == 1,
            ASN1_INTEGER_set_uint64(X509_get_serialNumber(pointer), serial) == 1,
            X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, "WebRTC", -1, -1, 0) == 1,
            X509_set_subject_name(pointer, name) == 1,
            X509_set_issuer_name(pointer, name) == 1,
            X509_gmtime_adj(X509_getm_notBefore(pointer), -day) != nil,
            X509_gmtime_adj(X509_getm_notAfter(pointer), day * validDays) != nil,
            X509_set_pubkey(pointer, key.pointer) == 1,
            X509_sign(pointer, key.pointer, EVP_sha256()) > 0
        else {
            X509_free(pointer)
            return nil
        }
        return pointer
    }

    func der() throws(PeerConnectionError) -> [UInt8] {
        let certificate = pointer
        return try withMemoryBIO { i2d_X509_bio($0, certificate) == 1 }
    }

    func digest(_ algorithm: Fingerprint.Algorithm) throws(PeerConnectionError) -> [UInt8] {
        try certificateDigest(pointer, algorithm)
    }
}

/// An owned private key.
struct OpenSSLKey: ~Copyable {
    let pointer: OpaquePointer

    deinit { EVP_PKEY_free(pointer) }

    private init(owning pointer: OpaquePointer?) throws(PeerConnectionError) {
        guard let pointer else {
            throw PeerConnectionError(.invalidCertificate, "the private key could not be read or made")
        }
        self.pointer = pointer
    }

    init(der: [UInt8]) throws(PeerConnectionError) {
        try self.init(
            owning: der.withUnsafeBufferPointer { bytes in
                var cursor = bytes.baseAddress
                return d2i_AutoPrivateKey(nil, &cursor, bytes.count)
            }
        )
    }

    /// The empty password callback keeps OpenSSL from asking on the terminal when the key is encrypted.
    init(pem: String) throws(PeerConnectionError) {
        try self.init(owning: withReadBIO(pem) { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) })
    }

    static func generateP256() throws(PeerConnectionError) -> OpenSSLKey {
        var key: OpaquePointer?
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
            EVP_PKEY_generate(context, &key) == 1
        else { return try OpenSSLKey(owning: nil) }
        return try OpenSSLKey(owning: key)
    }

    /// PKCS #8.
    func der() throws(PeerConnectionError) -> [UInt8] {
        let key = pointer
        return try withMemoryBIO { i2d_PKCS8PrivateKey_bio($0, key, nil, nil, 0, nil, nil) == 1 }
    }
}

/// The hash of a certificate's DER form.
func certificateDigest(
    _ certificate: OpaquePointer,
    _ algorithm: Fingerprint.Algorithm
) throws(PeerConnectionError) -> [UInt8] {
    let function =
        switch algorithm {
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        }
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard X509_digest(certificate, function, &digest, &count) == 1, Int(count) == algorithm.byteCount else {
        throw PeerConnectionError(.invalidCertificate, "OpenSSL could not hash the certificate")
    }
    return Array(digest.prefix(Int(count)))
}

private func withReadBIO(_ text: String, _ read: (OpaquePointer?) -> OpaquePointer?) -> OpaquePointer? {
    let bytes = Array(text.utf8)
    guard bytes.count <= 1 << 20 else { return nil }
    return bytes.withUnsafeBytes { buffer in
        guard let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else { return nil }
        defer { BIO_free(bio) }
        return read(bio)
    }
}
