internal import COpenSSL

/// Derives a key from a passphrase, at a chosen cost in time and memory (RFC 7914).
public enum Scrypt {
    /// What one derivation costs: about `128 · n · r` bytes of memory.
    public struct Cost: Hashable, Sendable {
        /// The binary logarithm of the RFC's N.
        public let logN: UInt8
        /// The size of a block, in units of 128 bytes.
        public let r: UInt8
        /// How many blocks are mixed, one after the other.
        public let p: UInt8

        /// 64 MiB and a few tenths of a second: for a person's passphrase.
        public static let passphrase = Cost(unchecked: 16, r: 8, p: 1)

        private init(unchecked logN: UInt8, r: UInt8, p: UInt8) {
            self.logN = logN
            self.r = r
            self.p = p
        }

        /// Throws unless any machine can afford the cost: logN 10 to 20, r 1 to 16, p 1 to 4, 1 GiB in all. So a
        /// derivation ends even if its cost came from a file.
        public init(logN: UInt8, r: UInt8, p: UInt8) throws(CryptographyError) {
            guard (10...20).contains(logN), (1...16).contains(r), (1...4).contains(p) else {
                throw CryptographyError(.invalidParameter, "the scrypt cost is out of bounds")
            }
            self.init(unchecked: logN, r: r, p: p)
            guard memory <= 1 << 30 else {
                throw CryptographyError(.invalidParameter, "the scrypt cost needs more than 1 GiB of memory")
            }
        }

        /// A cost that others chose for their own keys, such as RFC 7914's test vectors: any that ends in about a
        /// minute with 1 GiB.
        public static func foreign(logN: UInt8, r: UInt8, p: UInt8) throws(CryptographyError) -> Cost {
            let cost = Cost(unchecked: logN, r: r, p: p)
            // RFC 7914, section 2: N is less than 2 to the power of 128 · r / 8.
            guard (1...20).contains(logN), r > 0, p > 0, Int(logN) < 16 * Int(r), Int(r) * Int(p) <= 1_024,
                cost.memory <= 1 << 30, cost.memory * UInt64(p) <= 4 << 30
            else { throw CryptographyError(.invalidParameter, "the scrypt cost is out of bounds") }
            return cost
        }

        fileprivate var memory: UInt64 { 128 * UInt64(r) << UInt64(logN) }
    }

    /// A key of `count` bytes. It takes as long as the cost says, and cannot be cancelled.
    public static func derive(
        _ passphrase: SecretBytes,
        salt: [UInt8],
        cost: Cost,
        count: Int
    ) throws(CryptographyError) -> SecretBytes {
        guard (1...1024).contains(count) else {
            throw CryptographyError(.invalidLength, "a derived key has 1 to 1024 bytes")
        }
        return try SecretBytes(count: count) { (output) throws(CryptographyError) in
            let result = passphrase.withUnsafeBytes { passphrase in
                EVP_PBE_scrypt(
                    passphrase.bindMemory(to: CChar.self).baseAddress,
                    passphrase.count,
                    salt,
                    salt.count,
                    1 << UInt64(cost.logN),
                    UInt64(cost.r),
                    UInt64(cost.p),
                    cost.memory + (1 << 20),
                    output.bindMemory(to: UInt8.self).baseAddress,
                    count
                )
            }
            guard result == 1 else {
                throw CryptographyError(.libraryFailure, "scrypt failed: there is not enough memory for its cost")
            }
        }
    }
}
