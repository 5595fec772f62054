internal import COpenSSL

/// One block of a key file: what stands between two lines of PEM, or a whole DER file.
struct KeyFileBlock {
    /// "EC PRIVATE KEY", "PUBLIC KEY", "CERTIFICATE" …; nil for DER, which does not say.
    let label: String?
    /// Whether a passphrase is needed.
    let isEncrypted: Bool
    let der: SecretBytes

    /// Larger than any key or certificate chain that people use.
    static let byteLimit = 65_536
    /// Parameters and other certificates may precede the block that is looked for.
    private static let countLimit = 16

    /// The blocks of a file, PEM or DER.
    static func blocks(of file: SecretBytes) throws(CryptographyError) -> [KeyFileBlock] {
        guard file.count <= byteLimit else {
            throw CryptographyError(.invalidKey, "a key file has at most \(byteLimit) bytes")
        }
        let isDER = file.withUnsafeBytes { $0.first == 0x30 }
        guard !isDER else { return [KeyFileBlock(label: nil, isEncrypted: isEncrypted(file), der: file)] }
        guard let source = file.withUnsafeBytes({ BIO_new_mem_buf($0.baseAddress, Int32($0.count)) }) else {
            throw EllipticCurve.libraryFailure
        }
        // The buffer is a view of the file's memory.
        defer { withExtendedLifetime(file) { _ = BIO_free(source) } }
        var blocks: [KeyFileBlock] = []
        while blocks.count < countLimit, let block = next(from: source) { blocks.append(block) }
        // At the end OpenSSL reports that no further block begins.
        ERR_clear_error()
        return blocks
    }

    private static func next(from source: OpaquePointer) -> KeyFileBlock? {
        var (label, header): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard PEM_read_bio(source, &label, &header, &bytes, &count) == 1, let label, let header, let bytes else {
            return nil
        }
        defer {
            CRYPTO_free(label, #file, #line)
            CRYPTO_free(header, #file, #line)
            CRYPTO_clear_free(bytes, count, #file, #line)
        }
        let name = String(cString: label)
        return KeyFileBlock(
            label: name,
            isEncrypted: name == "ENCRYPTED PRIVATE KEY" || String(cString: header).contains("ENCRYPTED"),
            der: SecretBytes(copying: UnsafeBufferPointer(start: bytes, count: count)))
    }

    /// Whether DER is PKCS#8's EncryptedPrivateKeyInfo.
    private static func isEncrypted(_ der: SecretBytes) -> Bool {
        guard let found = parse(der, with: { d2i_X509_SIG(nil, $0, $1) }) else { return false }
        X509_SIG_free(found)
        return true
    }

    /// What one of OpenSSL's DER readers makes of all the bytes.
    func parse(with reader: Reader) -> OpaquePointer? { Self.parse(der, with: reader) }

    typealias Reader = (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?

    private static func parse(_ der: SecretBytes, with reader: Reader) -> OpaquePointer? {
        defer { ERR_clear_error() }
        return der.withUnsafeBytes { bytes in
            var position = bytes.bindMemory(to: UInt8.self).baseAddress
            return reader(&position, bytes.count)
        }
    }
}
