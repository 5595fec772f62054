internal import COpenSSL
internal import Synchronization

extension EllipticCurve {
    /// A secret number with its public key. It agrees on secrets (ECDH) and signs (ECDSA). Wiped when the last owner lets go.
    public final class PrivateKey: @unchecked Sendable, CustomStringConvertible, CustomReflectable {
        // Sendable holds because the number is never changed after `init`, and the rest is Sendable by itself.
        private let number: OpaquePointer
        /// Its public key.
        public let publicKey: PublicKey
        private let forSignatures = Mutex<LibraryKey?>(nil)

        /// The curve of both.
        public var curve: EllipticCurve { publicKey.curve }

        /// Takes over `number`, also when it throws.
        init(taking number: OpaquePointer, on curve: EllipticCurve) throws(CryptographyError) {
            self.number = number
            do {
                publicKey = try Self.publicKey(of: number, on: curve)
            } catch {
                BN_clear_free(number)
                throw error
            }
        }

        deinit { BN_clear_free(number) }

        /// A fresh key.
        public convenience init(_ curve: EllipticCurve) throws(CryptographyError) {
            guard let number = BN_secure_new() else { throw EllipticCurve.libraryFailure }
            // Zero comes up with probability 2^-256; then the other initializer throws.
            guard BN_priv_rand_range(number, EC_GROUP_get0_order(curve.group)) == 1 else {
                BN_clear_free(number)
                throw EllipticCurve.libraryFailure
            }
            try self.init(taking: number, on: curve)
        }

        /// The key whose number is `scalar`, big-endian, as long as a coordinate of the curve.
        public convenience init(_ curve: EllipticCurve, scalar: SecretBytes) throws(CryptographyError) {
            try self.init(taking: curve.number(from: scalar), on: curve)
        }

        /// The number, big-endian, as long as a coordinate of the curve.
        public var scalar: SecretBytes {
            let count = curve.coordinateByteCount
            return SecretBytes(count: count) {
                BN_bn2binpad(number, $0.bindMemory(to: UInt8.self).baseAddress, Int32(count))
            }
        }

        /// The x coordinate of the common point (SEC 1, section 3.3.1), with leading zeros. Derive keys from it with
        /// ``HKDF``; it is no key itself.
        public func sharedSecret(with peer: PublicKey) throws(CryptographyError) -> SecretBytes {
            guard peer.curve == curve else {
                throw CryptographyError(.invalidPoint, "the other key is on \(peer.curve.name), not on \(curve.name)")
            }
            return try EllipticCurve.agree(number, peer)
        }

        /// OpenSSL's own key object. It is made at its first use, because agreement is faster without it.
        var libraryKey: LibraryKey {
            get throws(CryptographyError) {
                try forSignatures.withLock { (made) throws(CryptographyError) in
                    if let made { return made }
                    let key = try LibraryKey(publicKey: publicKey, scalar: number)
                    made = key
                    return key
                }
            }
        }

        public var description: String { "EllipticCurve.PrivateKey(\(curve.name))" }
        public var customMirror: Mirror { Mirror(self, children: [:]) }

        /// `number` times the base point, after a check that the number lies below the order and is not zero.
        private static func publicKey(
            of number: OpaquePointer, on curve: EllipticCurve
        ) throws(CryptographyError) -> PublicKey {
            try curve.check(number)
            guard let point = EC_POINT_new(curve.group) else { throw EllipticCurve.libraryFailure }
            guard EC_POINT_mul(curve.group, point, number, nil, nil, nil) == 1 else {
                EC_POINT_free(point)
                throw EllipticCurve.libraryFailure
            }
            return try PublicKey(taking: point, on: curve)
        }
    }
}
