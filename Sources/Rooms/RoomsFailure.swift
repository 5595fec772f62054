/// Why a request to the rooms wing did not work out.
public struct RoomsFailure: Error, Sendable, Equatable {
    public enum Code: String, Sendable, Equatable, Codable {
        case serverUnreachable = "server_unreachable"
        case serverError = "server_error"
        /// No open room has these digits: mistyped, expired, or used.
        case codeUnknown = "code_unknown"
        /// Nobody came in time.
        case codeExpired = "code_expired"
        /// Somebody else accepted the code first.
        case codeSpent = "code_spent"
        /// The other side did not come to the meeting in time.
        case peerTimeout = "peer_timeout"
        case roomGone = "room_gone"
        case tooManyAttempts = "too_many_attempts"
        /// The server does not accept our proof.
        case forbidden
        /// This machine knows no such room.
        case unknownRoom = "unknown_room"
        case storageFailed = "storage_failed"
        case fileUnreadable = "file_unreadable"
        case fileTooLarge = "file_too_large"
        case fileCorrupt = "file_corrupt"
        case fileDeclined = "file_declined"
        case fileCancelled = "file_cancelled"
        case messageTooLarge = "message_too_large"
        case badRequest = "bad_request"
    }

    public var code: Code
    /// Detail for a log; never secrets or content.
    public var message: String
    /// How long the server wants us to wait.
    public var retryAfter: Duration?

    public init(_ code: Code, _ message: String = "", retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    /// Whether the same request may work later.
    public var isRetryable: Bool {
        switch code {
        case .serverUnreachable, .serverError, .tooManyAttempts, .storageFailed, .peerTimeout: true
        default: false
        }
    }
}
