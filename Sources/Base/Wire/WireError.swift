@_exported public import Errors

/// Why bytes from outside were refused.
///
/// Every reader of this module is total: whatever the bytes, it returns a value or throws this error.
///
/// Its message: one sentence for a person. It never quotes the input.
public typealias WireError = CodedError<WireErrorCode>

/// What is wrong with the bytes, for code that decides.
public enum WireErrorCode: String, NamedErrorCode {
    /// The input ends in the middle of a value.
    case truncated
    /// Bytes follow where the input had to end.
    case trailingBytes
    /// A length, count or depth is above the reader's limit.
    case limitExceeded
    /// The bytes do not follow the format.
    case malformed
    /// A field holds another kind of value than the reader expects.
    case wrongType
}
