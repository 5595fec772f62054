extension P256 {
    /// A private key with its public key, for Diffie-Hellman agreement.
    public struct KeyPair: Sendable {
        public let privateKey: Scalar
        public let publicKey: Point

        /// A fresh pair.
        public init() throws(CryptographyError) {
            try self.init(privateKey: .random())
        }

        public init(privateKey: Scalar) throws(CryptographyError) {
            self.privateKey = privateKey
            publicKey = try Point(multiplyingBaseBy: privateKey)
        }

        /// The x coordinate of the common point (SEC 1, section 3.3.1), 32 bytes. Derive keys from it with ``HKDF``.
        public func sharedSecret(with peer: Point) throws(CryptographyError) -> SecretBytes {
            try peer.multiplied(by: privateKey).secretEncoding().slice(1..<33)
        }
    }
}
