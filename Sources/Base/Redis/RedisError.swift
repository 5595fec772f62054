@_exported public import Errors
internal import Networking

/// What went wrong between this process and Redis. The message never contains a password, key or value.
package typealias RedisError = CodedError<RedisErrorCode>

/// The codes of ``RedisError``.
package enum RedisErrorCode: String, NamedErrorCode {
    /// The address has another form than those of ``RedisAddress``.
    case invalidAddress
    /// No connection can be made, or the last attempt was a moment ago.
    case unreachable
    /// Its certificate is not accepted, no TLS could be agreed on, or a file with certificates cannot be read.
    case untrusted
    /// The connection broke, or an answer did not come in time. Redis may have carried out the command.
    case lost
    /// User or password are wrong, or the user may not do this.
    case denied
    /// Redis has no memory left (`OOM`).
    case full
    /// This Redis is a replica (`READONLY`), or has too few replicas to take anything (`NOREPLICAS`).
    case readOnly
    /// Redis starts, or a script blocks it.
    case busy
    /// Another refusal: a mistake in the command.
    case refused
}

extension RedisError {
    /// The refusal in an error reply, whose first word names it.
    init(reply: String) {
        let word = reply.prefix { $0 != " " }
        let code: RedisErrorCode =
            switch word {
            case "OOM", "MISCONF": .full
            case "READONLY", "MASTERDOWN", "NOREPLICAS": .readOnly
            case "LOADING", "BUSY", "TRYAGAIN": .busy
            case "NOAUTH", "WRONGPASS", "NOPERM": .denied
            default: .refused
            }
        // An unknown command is repeated with its arguments, and these may be secret.
        let sentence = reply.firstRange(of: ", with args").map { reply[..<$0.lowerBound] } ?? reply[...]
        self.init(code, "Redis refuses: \(sentence.prefix(200))")
    }

    /// Why no connection could be made.
    init(connecting error: NetworkingError, to address: RedisAddress) {
        let start = "no connection to Redis at \(address): "
        switch error.code {
        case .untrustedCertificate:
            let hint = "trust the authority that signed it, or have Redis send the whole chain"
            self.init(.untrusted, "\(start)\(error.message); \(hint)")
        case .wrongName:
            self.init(.untrusted, "\(start)\(error.message); use the name that the certificate has")
        case .expiredCertificate:
            self.init(.untrusted, "\(start)\(error.message); renew it, or set this machine's clock")
        case .noTLS:
            self.init(.untrusted, "\(start)\(error.message); is this the port that Redis calls tls-port?")
        case .noAuthorities: self.init(.untrusted, start + error.message)
        default: self.init(.unreachable, start + error.message)
        }
    }
}
