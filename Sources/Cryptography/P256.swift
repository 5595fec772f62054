internal import COpenSSL

/// The curve NIST P-256 (SEC 2, secp256r1). Its cofactor is 1: every point but the one at infinity has prime order.
public enum P256 {
    // Built once. Safe to share: an EC_GROUP is not changed by the operations that are called here, all of which
    // take it as const, and it is never freed.
    nonisolated(unsafe) static let group: OpaquePointer = {
        guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else {
            preconditionFailure("this OpenSSL has no P-256")
        }
        return group
    }()

    /// The order of the group, big-endian.
    public static let order: [UInt8] = {
        var bytes = [UInt8](repeating: 0, count: 32)
        BN_bn2binpad(EC_GROUP_get0_order(group), &bytes, 32)
        return bytes
    }()

    /// Scratch space for one operation; wiped when it is freed.
    static func withScratch<Result: ~Copyable>(
        _ body: (OpaquePointer) throws(CryptographyError) -> Result
    ) throws(CryptographyError) -> Result {
        guard let scratch = BN_CTX_secure_new() else { throw libraryFailure }
        defer { BN_CTX_free(scratch) }
        return try body(scratch)
    }

    static var libraryFailure: CryptographyError {
        CryptographyError(.libraryFailure, "OpenSSL could not compute on P-256")
    }
}
