import Networking

/// Translates network errors on the way to a server into this subsystem's errors.
extension RoomsFailure {
    /// - Parameter authorities: the file with the authorities that certificates are checked against, if there is one.
    init(_ error: NetworkingError, server: ServerURL, authorities: String?) {
        let code: Code =
            switch error.code {
            case .unresolvedHost: .serverUnknown
            case .untrustedCertificate: .serverUntrusted
            case .wrongName: .serverMisnamed
            case .expiredCertificate: .serverExpired
            case .noTLS: .serverWithoutTLS
            case .noAuthorities: .authoritiesUnreadable
            case .closed where !server.isSecure, .handshakeFailed where !server.isSecure && error.status == nil:
                .serverWithTLS
            case .handshakeFailed where error.status == 429: .tooManyAttempts
            case .handshakeFailed where error.status ?? 0 >= 500: .serverError
            case .handshakeFailed: .serverForeign
            default: .serverUnreachable
            }
        self.init(code, error.message, place: code == .authoritiesUnreadable ? authorities : server.description)
    }
}
