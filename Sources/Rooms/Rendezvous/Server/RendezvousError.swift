@_exported public import Errors

/// Why a rendezvous server could not start.
///
/// Its message: what went wrong and what to do about it.
package typealias RendezvousError = CodedError<RendezvousErrorCode>

/// The codes of ``RendezvousError``.
package enum RendezvousErrorCode: String, ErrorCode {
    /// The database cannot be opened, or belongs to another program.
    case cannotOpenStore
    /// The address is in use or belongs to another machine, or the certificate cannot be used.
    case cannotListen
}
