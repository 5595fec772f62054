internal import COpenSSL

/// The group of the curve NIST P-256, to compute with: SPAKE2 adds points. Keys are ``EllipticCurve``'s matter.
public enum P256 {
    static var group: OpaquePointer { EllipticCurve.p256.group }

    /// The order of the group, big-endian.
    public static let order: [UInt8] = {
        var bytes = [UInt8](repeating: 0, count: 32)
        BN_bn2binpad(EC_GROUP_get0_order(group), &bytes, 32)
        return bytes
    }()
}
