/// Why a request to the rooms subsystem failed.
package struct RoomsFailure: Error, Sendable, Equatable {
    package enum Code: String, Sendable, Equatable, Codable {
        /// The server does not answer.
        case serverUnreachable = "server_unreachable"
        case serverError = "server_error"
        /// The server's name has no address.
        case serverUnknown = "server_unknown"
        /// The server's certificate is not from an authority that is trusted here.
        case serverUntrusted = "server_untrusted"
        /// The server's certificate is for another name.
        case serverMisnamed = "server_misnamed"
        /// The server's certificate is not valid at this time.
        case serverExpired = "server_expired"
        /// The address demands TLS, but the server does not speak it.
        case serverWithoutTLS = "server_without_tls"
        /// The address is without TLS, but the server breaks off or does not speak HTTP, like a server with TLS.
        case serverWithTLS = "server_with_tls"
        /// Another kind of HTTP server answers.
        case serverForeign = "server_foreign"
        /// The file with the authorities to check certificates against cannot be read.
        case authoritiesUnreadable = "authorities_unreadable"
        /// Both sides are there, and no path between them was found.
        case noPath = "no_path"
        /// The same, and a TURN server did not answer.
        case relayUnreachable = "relay_unreachable"
        /// The same, and a TURN server refused the user name or the password.
        case relayRefused = "relay_refused"
        /// A STUN or TURN server that was tried does not answer.
        case iceServerSilent = "ice_server_silent"
        /// A TURN server that was tried answers, and gives no path.
        case iceServerRefused = "ice_server_refused"
        /// A TURN server that was tried gives paths, and nothing gets through between two of them.
        case iceServerBlocked = "ice_server_blocked"
        /// None of the configured local addresses can be used.
        case addressUnusable = "address_unusable"
        /// No open room has these digits: mistyped, expired, or used.
        case codeUnknown = "code_unknown"
        /// No guest came in time.
        case codeExpired = "code_expired"
        /// Another device accepted the code first.
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

    package var code: Code
    /// Detail for a log; never secrets or content.
    package var message: String
    /// How long the server wants us to wait.
    package var retryAfter: Duration?
    /// The address or the file concerned, without user names and passwords.
    package var place: String?

    package init(_ code: Code, _ message: String = "", retryAfter: Duration? = nil, place: String? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
        self.place = place
    }

    /// Whether the same request may work later.
    package var isRetryable: Bool {
        switch code {
        case .serverUnreachable, .serverError, .serverUnknown, .serverUntrusted, .serverMisnamed, .serverExpired,
            .serverWithoutTLS, .serverWithTLS, .serverForeign, .authoritiesUnreadable, .noPath, .relayUnreachable,
            .relayRefused, .iceServerSilent, .iceServerRefused, .iceServerBlocked, .addressUnusable, .tooManyAttempts,
            .storageFailed, .peerTimeout:
            true
        default: false
        }
    }
}
