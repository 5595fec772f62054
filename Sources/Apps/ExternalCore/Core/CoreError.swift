@_exported public import Errors

/// Why a core did not do what it was asked for.
package typealias CoreError = CodedError<CoreErrorCode>

/// The codes of ``CoreError``.
package enum CoreErrorCode: String, ErrorCode {
    /// The bundle is not a core, or threw when it was evaluated.
    case invalidBundle
    /// A function of the core failed.
    case failed
    /// A function of the core did not answer in time.
    case timeout
    /// The core answered with what cannot be read.
    case malformedAnswer
    /// The core has ended, after a sign-out for example.
    case ended
    /// The requested thing does not exist.
    case missing
    case limit
}
