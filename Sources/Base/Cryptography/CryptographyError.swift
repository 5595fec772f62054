@_exported public import Errors

/// Why a cryptographic operation was refused. It never carries key material or plaintext.
public typealias CryptographyError = CodedError<CryptographyErrorCode>

/// What went wrong, for code that decides.
public enum CryptographyErrorCode: String, NamedErrorCode {
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
