@_exported public import Errors

/// Why bytes are not a key store, or why a key in one cannot be used. It never contains key material.
public typealias KeyStoreError = CodedError<KeyStoreErrorCode>

/// What went wrong, for code that decides.
public enum KeyStoreErrorCode: String, CaseIterable, NamedErrorCode {
    /// There is less than the count promises.
    case truncated
    /// There is more than the count promises.
    case trailingBytes
    /// The format does not know the curve.
    case unknownCurve
    /// A key is invalid, is on another curve, or does not belong to the public key beside it.
    case invalidKey
    /// A key is there twice: it would be used twice.
    case duplicateKey
}
