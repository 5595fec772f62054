internal import COpenSSL
internal import Synchronization

extension EllipticCurve {
    /// A point on a curve, never the one at infinity. It is checked once, when it is made; using it costs no check.
    public final class PublicKey: @unchecked Sendable, Hashable, CustomStringConvertible {
        // Sendable holds because the point is never changed after `init`, and the rest is Sendable by itself.
        let point: OpaquePointer
        /// The curve that it lies on.
        public let curve: EllipticCurve
        /// The uncompressed encoding: 65, 97 or 133 bytes of which the first is 4.
        public let uncompressed: [UInt8]
        private let forSignatures = Mutex<LibraryKey?>(nil)

        /// Takes over `point`, also when it throws. The point is on the curve and not the one at infinity.
        init(taking point: OpaquePointer, on curve: EllipticCurve) throws(CryptographyError) {
            self.point = point
            self.curve = curve
            let count = curve.uncompressedByteCount
            // Encoding divides, which is a quarter of what making a key costs. It is done once.
            uncompressed = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                initialized = EC_POINT_point2oct(
                    curve.group, point, POINT_CONVERSION_UNCOMPRESSED, buffer.baseAddress, count, nil)
            }
            guard uncompressed.count == count else { throw EllipticCurve.libraryFailure }
        }

        deinit { EC_POINT_free(point) }

        /// Reads SEC 1 encoding, compressed or uncompressed, and checks that the point is on the curve.
        public convenience init(_ curve: EllipticCurve, encoded: some Collection<UInt8>) throws(CryptographyError) {
            let bytes = Array(encoded)
            let invalid = CryptographyError(.invalidPoint, "the bytes are not a public key on \(curve.name)")
            // OpenSSL would also accept the hybrid form, whose first byte is 6 or 7, and the point at infinity.
            guard
                (bytes.count == curve.compressedByteCount && (bytes[0] == 2 || bytes[0] == 3))
                    || (bytes.count == curve.uncompressedByteCount && bytes[0] == 4)
            else { throw invalid }
            guard let point = EC_POINT_new(curve.group) else { throw EllipticCurve.libraryFailure }
            guard EC_POINT_oct2point(curve.group, point, bytes, bytes.count, nil) == 1 else {
                EC_POINT_free(point)
                ERR_clear_error()
                throw invalid
            }
            try self.init(taking: point, on: curve)
        }

        /// The compressed encoding: 33, 49 or 67 bytes of which the first is 2 or 3.
        public var compressed: [UInt8] {
            [2 | uncompressed[uncompressed.count - 1] & 1] + uncompressed[1..<curve.compressedByteCount]
        }

        /// OpenSSL's own key object. It is made at its first use, because agreement is faster without it.
        var libraryKey: LibraryKey {
            get throws(CryptographyError) {
                try forSignatures.withLock { (made) throws(CryptographyError) in
                    if let made { return made }
                    let key = try LibraryKey(publicKey: self, scalar: nil)
                    made = key
                    return key
                }
            }
        }

        public static func == (left: PublicKey, right: PublicKey) -> Bool {
            left.curve == right.curve && left.uncompressed == right.uncompressed
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(uncompressed)
        }

        public var description: String { "EllipticCurve.PublicKey(\(curve.name))" }
    }
}
