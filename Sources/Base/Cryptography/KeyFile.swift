internal import COpenSSL

// Keys as other programs write them to files: PEM or DER, PKCS#8, SEC 1, SubjectPublicKeyInfo, X.509 certificates.

extension EllipticCurve.PrivateKey {
    /// Reads a private key from a file's bytes: PEM or DER, PKCS#8 or SEC 1 ("EC PRIVATE KEY"), at most 64 KiB.
    ///
    /// Throws ``CryptographyErrorCode/encryptedKey`` if a passphrase is needed; it never asks for one.
    public convenience init(file: SecretBytes) throws(CryptographyError) {
        for block in try KeyFileBlock.blocks(of: file) {
            guard block.label?.hasSuffix("PRIVATE KEY") ?? true else { continue }
            guard !block.isEncrypted else {
                throw CryptographyError(
                    .encryptedKey,
                    "the private key is protected by a passphrase; `openssl pkey -in KEY -out NEW` takes it off")
            }
            let found =
                block.parse { d2i_AutoPrivateKey(nil, $0, $1) }
                ?? block.parse { d2i_PrivateKey(EVP_PKEY_EC, nil, $0, $1) }
            guard let found else { continue }
            let key = LibraryKey(taking: found)
            let curve = try key.curve
            try self.init(taking: key.privateNumber(), on: curve)
            // A file that names another public key is damaged or a trick: people would be told the wrong one.
            guard try publicKey == EllipticCurve.PublicKey(curve, encoded: key.publicPoint()) else {
                throw CryptographyError(
                    .invalidKey, "the private and the public key in the file do not belong together")
            }
            return
        }
        throw CryptographyError(.invalidKey, "the file holds no private key in PEM or DER (PKCS#8 or SEC 1)")
    }

    /// The key as a PKCS#8 file in PEM.
    public var pem: SecretBytes {
        get throws(CryptographyError) {
            let key = try libraryKey
            return try written(to: BIO_s_secmem()) {
                PEM_write_bio_PKCS8PrivateKey($0, key.pointer, nil, nil, 0, nil, nil)
            }
        }
    }
}

extension EllipticCurve.PublicKey {
    /// Reads a public key from a file's bytes: PEM or DER, SubjectPublicKeyInfo ("PUBLIC KEY") or an X.509 certificate,
    /// whose signature and dates are not looked at; at most 64 KiB.
    public convenience init(file: some Collection<UInt8>) throws(CryptographyError) {
        for block in try KeyFileBlock.blocks(of: SecretBytes(copying: file)) {
            if block.label?.hasSuffix("PRIVATE KEY") == true {
                throw CryptographyError(
                    .invalidKey, "this is a private key; `openssl pkey -in KEY -pubout` prints its public key")
            }
            guard let key = Self.subject(of: block) ?? Self.certified(by: block) else { continue }
            try self.init(key.curve, encoded: key.publicPoint())
            return
        }
        throw CryptographyError(.invalidKey, "the file holds no public key or certificate in PEM or DER")
    }

    /// The key as a SubjectPublicKeyInfo file in PEM.
    public var pem: String {
        get throws(CryptographyError) {
            let key = try libraryKey
            let text = try written(to: BIO_s_mem()) { PEM_write_bio_PUBKEY($0, key.pointer) }
            return text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    private static func subject(of block: KeyFileBlock) -> LibraryKey? {
        guard block.label == nil || block.label == "PUBLIC KEY" else { return nil }
        return block.parse { d2i_PUBKEY(nil, $0, $1) }.map(LibraryKey.init(taking:))
    }

    private static func certified(by block: KeyFileBlock) -> LibraryKey? {
        guard block.label == nil || block.label == "CERTIFICATE",
            let certificate = block.parse(with: { d2i_X509(nil, $0, $1) })
        else { return nil }
        defer { X509_free(certificate) }
        return X509_get_pubkey(certificate).map(LibraryKey.init(taking:))
    }
}

/// What `write` writes to a buffer of the given kind.
private func written(
    to kind: OpaquePointer?, by write: (OpaquePointer) -> Int32
) throws(CryptographyError) -> SecretBytes {
    guard let buffer = BIO_new(kind) else { throw EllipticCurve.libraryFailure }
    defer { BIO_free(buffer) }
    var start: UnsafeMutableRawPointer?
    guard write(buffer) == 1 else { throw EllipticCurve.libraryFailure }
    let count = BIO_ctrl(buffer, BIO_CTRL_INFO, 0, &start)
    guard count > 0, let start else { throw EllipticCurve.libraryFailure }
    return SecretBytes(copying: UnsafeRawBufferPointer(start: start, count: count))
}
