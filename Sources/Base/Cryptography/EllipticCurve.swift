internal import COpenSSL

/// The elliptic curves of keys that agree on secrets and sign. Each has cofactor 1: every point but the one at infinity
/// has prime order, so a point on the curve is a good public key.
///
/// SPAKE2 uses ``P256`` instead, because it adds points and reduces scalars, which keys should not be able to do.
public enum EllipticCurve: Hashable, Sendable, CaseIterable {
    case p256
    case p384
    case p521
    case secp256k1

    /// The name in SEC 2: "secp256r1", "secp384r1", "secp521r1", "secp256k1".
    public var name: String {
        switch self {
        case .p256: "secp256r1"
        case .p384: "secp384r1"
        case .p521: "secp521r1"
        case .secp256k1: "secp256k1"
        }
    }

    /// The length in bytes of a coordinate, of a shared secret and of a private scalar.
    public var coordinateByteCount: Int {
        switch self {
        case .p256, .secp256k1: 32
        case .p384: 48
        case .p521: 66
        }
    }

    /// The length in bytes of a compressed public key (SEC 1, section 2.3.3).
    public var compressedByteCount: Int { 1 + coordinateByteCount }

    /// The length in bytes of an uncompressed public key.
    public var uncompressedByteCount: Int { 1 + 2 * coordinateByteCount }

    /// The length in bytes of a signature, r and s one after the other.
    public var signatureByteCount: Int { 2 * coordinateByteCount }

    /// What OpenSSL calls the curve.
    var libraryName: String { self == .p256 ? "prime256v1" : name }

    var group: OpaquePointer {
        switch self {
        case .p256: Self.groups.p256
        case .p384: Self.groups.p384
        case .p521: Self.groups.p521
        case .secp256k1: Self.groups.secp256k1
        }
    }

    // Built once. Safe to share: an EC_GROUP is not changed by the operations that are called here, all of which
    // take it as const, and it is never freed.
    nonisolated(unsafe) private static let groups = (
        p256: load(NID_X9_62_prime256v1), p384: load(NID_secp384r1), p521: load(NID_secp521r1),
        secp256k1: load(NID_secp256k1)
    )

    private static func load(_ identifier: Int32) -> OpaquePointer {
        guard let group = EC_GROUP_new_by_curve_name(identifier) else {
            preconditionFailure("this OpenSSL lacks an elliptic curve")
        }
        return group
    }

    /// Scratch space for one operation; wiped when it is freed.
    static func withScratch<Result: ~Copyable>(
        _ body: (OpaquePointer) throws(CryptographyError) -> Result
    ) throws(CryptographyError) -> Result {
        guard let scratch = BN_CTX_secure_new() else { throw libraryFailure }
        defer { BN_CTX_free(scratch) }
        return try body(scratch)
    }

    /// Returns the error that OpenSSL failed. It also clears the thread's error queue, where DTLS would find the entry.
    static var libraryFailure: CryptographyError {
        ERR_clear_error()
        return CryptographyError(.libraryFailure, "OpenSSL could not compute on an elliptic curve")
    }
}
