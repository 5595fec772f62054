internal import COpenSSL

/// The hash functions that Alcove uses.
public enum HashFunction: Hashable, Sendable {
    /// SHA-1, broken for signatures: only inside an HMAC, for protocols that demand it.
    case sha1
    case sha256
    case sha384
    case sha512

    /// The length of a digest in bytes.
    public var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The digest of `bytes`.
    public func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
        if let digest = bytes.withContiguousStorageIfAvailable({ digest(UnsafeRawBufferPointer($0)) }) { return digest }
        return Array(bytes).withUnsafeBytes { digest($0) }
    }

    private func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { output, initialized in
            let result = EVP_Digest(bytes.baseAddress, bytes.count, output.baseAddress, nil, algorithm, nil)
            precondition(result == 1, "OpenSSL could not compute a digest")
            initialized = byteCount
        }
    }

    /// The digest of a secret, as a secret.
    public func digest(_ secret: SecretBytes) -> SecretBytes {
        SecretBytes(count: byteCount) { output in
            let result = secret.withUnsafeBytes {
                EVP_Digest(
                    $0.baseAddress,
                    $0.count,
                    output.bindMemory(to: UInt8.self).baseAddress,
                    nil,
                    algorithm,
                    nil
                )
            }
            precondition(result == 1, "OpenSSL could not compute a digest")
        }
    }

    /// How many bytes are hashed at a time.
    var blockByteCount: Int {
        switch self {
        case .sha1, .sha256: 64
        case .sha384, .sha512: 128
        }
    }

    /// OpenSSL's implementation.
    var algorithm: OpaquePointer {
        switch self {
        case .sha1: Self.fetchedSHA1
        case .sha256: Self.fetchedSHA256
        case .sha384: Self.fetchedSHA384
        case .sha512: Self.fetchedSHA512
        }
    }

    // Fetched once, because looking one up for each digest costs more than a short digest itself. Safe to share: a
    // fetched EVP_MD is never changed and is never freed here.
    nonisolated(unsafe) private static let fetchedSHA1 = fetch("SHA1")
    nonisolated(unsafe) private static let fetchedSHA256 = fetch("SHA2-256")
    nonisolated(unsafe) private static let fetchedSHA384 = fetch("SHA2-384")
    nonisolated(unsafe) private static let fetchedSHA512 = fetch("SHA2-512")

    private static func fetch(_ name: String) -> OpaquePointer {
        guard let algorithm = EVP_MD_fetch(nil, name, nil) else {
            preconditionFailure("this OpenSSL has no \(name)")
        }
        return algorithm
    }
}
