internal import COpenSSL

extension P256 {
    /// A point on the curve, never the one at infinity. It may be secret, so it is wiped when the last owner lets go.
    package final class Point: @unchecked Sendable, CustomStringConvertible {
        // Sendable holds because the point is never changed after `init`.
        private let point: OpaquePointer

        /// Takes over `point`, also when it throws.
        private init(taking point: OpaquePointer) throws(CryptographyError) {
            self.point = point
            guard EC_POINT_is_at_infinity(P256.group, point) == 0 else {
                throw CryptographyError(.invalidPoint, "the point is the one at infinity")
            }
        }

        deinit { EC_POINT_clear_free(point) }

        /// Reads SEC 1 encoding, compressed (33 bytes) or uncompressed (65 bytes), and checks that it is on the curve.
        package convenience init(encoded bytes: some Collection<UInt8>) throws(CryptographyError) {
            let bytes = Array(bytes)
            // OpenSSL would also accept the hybrid form, whose first byte is 6 or 7.
            guard (bytes.count == 33 && (bytes[0] == 2 || bytes[0] == 3)) || (bytes.count == 65 && bytes[0] == 4) else {
                throw CryptographyError(.invalidPoint, "the bytes are not an encoded P-256 point")
            }
            try self.init(
                taking: Self.compute { point, scratch in
                    // This checks that the point is on the curve.
                    EC_POINT_oct2point(P256.group, point, bytes, bytes.count, scratch)
                }
            )
        }

        /// `scalar` times the base point.
        package convenience init(multiplyingBaseBy scalar: Scalar) throws(CryptographyError) {
            try self.init(
                taking: Self.compute { EC_POINT_mul(P256.group, $0, scalar.number, nil, nil, $1) }
            )
        }

        /// The point times `scalar`.
        package func multiplied(by scalar: Scalar) throws(CryptographyError) -> Point {
            try Point(taking: Self.compute { EC_POINT_mul(P256.group, $0, nil, point, scalar.number, $1) })
        }

        /// The sum; throws if it is the point at infinity.
        package func adding(_ other: Point) throws(CryptographyError) -> Point {
            try Point(taking: Self.compute { EC_POINT_add(P256.group, $0, point, other.point, $1) })
        }

        /// The difference; throws if it is the point at infinity.
        package func subtracting(_ other: Point) throws(CryptographyError) -> Point {
            let negative = try Point(
                taking: Self.compute { copy, scratch in
                    guard EC_POINT_copy(copy, other.point) == 1 else { return 0 }
                    return EC_POINT_invert(P256.group, copy, scratch)
                }
            )
            return try adding(negative)
        }

        /// The 65 bytes of the uncompressed encoding.
        package func encoded() throws(CryptographyError) -> [UInt8] {
            let secret = try secretEncoding()
            return secret.withUnsafeBytes { Array($0) }
        }

        /// The uncompressed encoding of a point that is a secret.
        package func secretEncoding() throws(CryptographyError) -> SecretBytes {
            try SecretBytes(count: 65) { (output) throws(CryptographyError) in
                try EllipticCurve.withScratch { (scratch) throws(CryptographyError) in
                    let count = EC_POINT_point2oct(
                        P256.group,
                        point,
                        POINT_CONVERSION_UNCOMPRESSED,
                        output.bindMemory(to: UInt8.self).baseAddress,
                        output.count,
                        scratch
                    )
                    guard count == output.count else { throw EllipticCurve.libraryFailure }
                }
            }
        }

        package var description: String { "P256.Point" }

        private static func compute(
            _ operation: (_ result: OpaquePointer, _ scratch: OpaquePointer) -> Int32
        ) throws(CryptographyError) -> OpaquePointer {
            guard let point = EC_POINT_new(P256.group) else { throw EllipticCurve.libraryFailure }
            let done = try? EllipticCurve.withScratch { (scratch) throws(CryptographyError) in
                operation(point, scratch) == 1
            }
            guard done == true else {
                EC_POINT_clear_free(point)
                // The error queue belongs to the thread. DTLS on the same thread must not find our entry in it.
                ERR_clear_error()
                throw CryptographyError(.invalidPoint, "the bytes are not a point on P-256")
            }
            return point
        }
    }
}
