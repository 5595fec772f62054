@_exported public import Errors

/// What went wrong between this process and Redis. The message never contains a password, key or value.
package typealias RedisError = CodedError<RedisErrorCode>

/// The codes of ``RedisError``.
package enum RedisErrorCode: String, NamedErrorCode {
    /// The address has another form than `redis://[user:password@]host[:port][/db]` or `unix:PATH`.
    case invalidAddress
    /// No connection can be made, or the last attempt was a moment ago.
    case unreachable
    /// The connection broke, or an answer did not come in time. Redis may have carried out the command.
    case lost
    /// User or password are wrong, or the user may not do this.
    case denied
    /// Redis has no memory left (`OOM`).
    case full
    /// This Redis is a replica (`READONLY`).
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
            case "READONLY", "MASTERDOWN": .readOnly
            case "LOADING", "BUSY", "TRYAGAIN": .busy
            case "NOAUTH", "WRONGPASS", "NOPERM": .denied
            default: .refused
            }
        self.init(code, "Redis refuses: \(reply.prefix(200))")
    }
}
