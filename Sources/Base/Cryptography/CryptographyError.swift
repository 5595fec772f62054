/// Why a cryptographic operation was refused. It never carries key material or plaintext.
public struct CryptographyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for code that decides.
    public enum Code: String, Hashable, Sendable {
        /// A tag does not match: wrong key, wrong context, or altered bytes.
        case authenticationFailed
        /// The bytes are no public key: not on the curve, or the point at infinity.
        case invalidPoint
        /// A scalar is zero or not below the group order.
        case invalidScalar
        /// A key, nonce or output has a length that the algorithm does not have.
        case invalidLength
        /// The bytes of a file are no key, or a damaged one.
        case invalidKey
        /// A private key can be read with a passphrase only.
        case encryptedKey
        /// A good key, but of a kind or on a curve that is not used here.
        case unsupportedKey
        /// A cost parameter is out of its bounds.
        case invalidParameter
        /// A step came out of order.
        case outOfOrder
        /// OpenSSL refused or ran out of memory.
        case libraryFailure
    }

    public let code: Code
    /// One sentence for a person.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(code.rawValue): \(message)" }
}
