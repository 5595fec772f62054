internal import COpenSSL

/// Arithmetic in the group of the curve NIST P-256, for SPAKE2. For keys use ``EllipticCurve``.
package enum P256 {
    static var group: OpaquePointer { EllipticCurve.p256.group }

    /// The order of the group, big-endian.
    package static let order: [UInt8] = {
        var bytes = [UInt8](repeating: 0, count: 32)
        BN_bn2binpad(EC_GROUP_get0_order(group), &bytes, 32)
        return bytes
    }()
}

extension P256 {
    /// A secret number from 1 to the group order − 1. Wiped when the last owner lets go.
    package final class Scalar: @unchecked Sendable, CustomStringConvertible {
        // Sendable holds because the number is never changed after `init`.
        let number: OpaquePointer

        /// Takes over `number`, also when it throws.
        private init(taking number: OpaquePointer) throws(CryptographyError) {
            self.number = number
            BN_set_flags(number, BN_FLG_CONSTTIME)
            guard BN_is_zero(number) == 0, BN_cmp(number, EC_GROUP_get0_order(P256.group)) < 0 else {
                throw CryptographyError(.invalidScalar, "the number is zero or not below the group order")
            }
        }

        deinit { BN_clear_free(number) }

        /// A random number; all are equally likely.
        package static func random() throws(CryptographyError) -> Scalar {
            guard let number = BN_secure_new() else { throw EllipticCurve.libraryFailure }
            // Zero comes up with probability 2^-256; then `init` throws.
            guard BN_priv_rand_range(number, EC_GROUP_get0_order(P256.group)) == 1 else {
                BN_clear_free(number)
                throw EllipticCurve.libraryFailure
            }
            return try Scalar(taking: number)
        }

        /// The number that 32 big-endian bytes stand for; throws if it is zero or not below the order.
        package convenience init(bytes: SecretBytes) throws(CryptographyError) {
            guard bytes.count == 32 else { throw CryptographyError(.invalidLength, "a P-256 scalar has 32 bytes") }
            try self.init(taking: Self.number(from: bytes))
        }

        /// The number that big-endian bytes stand for, modulo the order. With 40 bytes or more of input the bias of the
        /// result is below 2⁻⁶⁴ (RFC 9382, section 3.2).
        package convenience init(reducing bytes: SecretBytes) throws(CryptographyError) {
            guard (40...128).contains(bytes.count) else {
                throw CryptographyError(.invalidLength, "40 to 128 bytes are needed for a number without bias")
            }
            let wide = try Self.number(from: bytes)
            defer { BN_clear_free(wide) }
            guard let reduced = BN_secure_new() else { throw EllipticCurve.libraryFailure }
            do {
                try EllipticCurve.withScratch { (scratch) throws(CryptographyError) in
                    BN_set_flags(wide, BN_FLG_CONSTTIME)
                    guard BN_nnmod(reduced, wide, EC_GROUP_get0_order(P256.group), scratch) == 1 else {
                        throw EllipticCurve.libraryFailure
                    }
                }
            } catch {
                BN_clear_free(reduced)
                throw error
            }
            try self.init(taking: reduced)
        }

        /// The 32 big-endian bytes.
        package var bytes: SecretBytes {
            SecretBytes(count: 32) { BN_bn2binpad(number, $0.bindMemory(to: UInt8.self).baseAddress, 32) }
        }

        package var description: String { "P256.Scalar" }

        private static func number(from bytes: SecretBytes) throws(CryptographyError) -> OpaquePointer {
            guard let number = BN_secure_new() else { throw EllipticCurve.libraryFailure }
            let result = bytes.withUnsafeBytes {
                BN_bin2bn($0.bindMemory(to: UInt8.self).baseAddress, Int32($0.count), number)
            }
            guard result != nil else {
                BN_clear_free(number)
                throw EllipticCurve.libraryFailure
            }
            return number
        }
    }
}
