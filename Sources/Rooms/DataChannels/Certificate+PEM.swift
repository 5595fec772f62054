internal import COpenSSL

extension Certificate {
    /// Reads a certificate and a private key (PKCS #8 or traditional) in PEM.
    public init(certificatePEM: String, privateKeyPEM: String) throws {
        let certificate = try OpenSSLCertificate(pem: certificatePEM)
        let key = try OpenSSLKey(pem: privateKeyPEM)
        try self.init(certificateDER: certificate.der(), privateKeyDER: key.der())
    }

    /// The certificate in PEM.
    public var certificatePEM: String {
        get throws {
            let certificate = try OpenSSLCertificate(der: certificateDER)
            return try withMemoryBIO { PEM_write_bio_X509($0, certificate.pointer) == 1 }.text
        }
    }

    /// The private key in PKCS #8 PEM. A secret.
    public var privateKeyPEM: String {
        get throws {
            let key = try OpenSSLKey(der: privateKeyDER)
            return try withMemoryBIO {
                PEM_write_bio_PKCS8PrivateKey($0, key.pointer, nil, nil, 0, nil, nil) == 1
            }.text
        }
    }
}

/// The bytes that `write` writes.
func withMemoryBIO(_ write: (OpaquePointer) -> Bool) throws(PeerConnectionError) -> [UInt8] {
    guard let bio = BIO_new(BIO_s_mem()) else { throw outOfMemory }
    defer { BIO_free(bio) }
    guard write(bio) else { throw PeerConnectionError(.invalidCertificate, "OpenSSL could not encode the value") }
    let count = Int(BIO_ctrl_pending(bio))
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled = max(0, Int(BIO_read(bio, buffer.baseAddress, Int32(count))))
    }
}

extension [UInt8] {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}

let outOfMemory = PeerConnectionError(.limit, "out of memory in a C library")
