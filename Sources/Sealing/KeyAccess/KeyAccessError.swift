@_exported public import Errors

/// Why a key was not given out, or a service could not be asked or run. It never carries key material, tokens or policies.
///
/// Its message: one sentence for a person, with what to do, if anything.
package typealias KeyAccessError = CodedError<KeyAccessErrorCode>

/// What went wrong, for code that decides. The raw values of the first seven are Connect's error codes.
package enum KeyAccessErrorCode: String, CaseIterable, NamedErrorCode {
    /// The request is not as it should be.
    case invalidArgument = "invalid_argument"
    /// The caller is not authenticated: there is no token, a wrong one, or the request has expired or is replayed.
    case unauthenticated
    /// The caller may not have this key.
    case permissionDenied = "permission_denied"
    /// There is no such key or path.
    case notFound = "not_found"
    /// The request is too large, or the caller asks too often.
    case resourceExhausted = "resource_exhausted"
    /// The service does not do this.
    case unimplemented
    /// The service cannot answer now.
    case unavailable
    /// Clients may not contact this address.
    case refusedAddress = "refused_address"
    /// The answer is not as it should be.
    case badAnswer = "bad_answer"
    /// A policy file, a key file or a setting cannot be used.
    case invalidConfiguration = "invalid_configuration"
}
