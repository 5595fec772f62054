package import Components
internal import Networking
internal import Wire

/// Why a request got no answer.
package struct HTTPAccessError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// The request itself is wrong: no URL of the web, no method.
        case invalidRequest
        /// The policy forbids the URL, or the address that its host has.
        case notAllowed
        /// The host's name has no address, or there is no network to ask.
        case unknownHost
        /// There is no answer, or one that breaks HTTP or TLS.
        case cannotConnect
        case timedOut
        /// The answer is larger than the limit.
        case tooLarge
        /// Too many redirects, or too many requests at the same time.
        case tooMany
        /// The request was given up.
        case cancelled
    }

    package let code: Code
    package let url: String
    package let method: String
    package let message: String

    /// What apps and cores can recognise: type `connect` with `connectType` for what may work later, and `http-request` with a flag for
    /// what would not.
    package var exception: RuntimeException {
        var exception =
            switch code {
            case .invalidRequest, .notAllowed, .tooLarge, .tooMany:
                RuntimeException(type: "http-request", flag: code.rawValue)
            case .unknownHost, .cannotConnect, .timedOut, .cancelled:
                RuntimeException(type: "connect", ["connectType": code == .unknownHost ? "dns" : "http"])
            }
        if code == .timedOut { exception.fields.append("timeout", true) }
        exception.fields.append("url", .string(url))
        exception.fields.append("method", .string(method))
        exception.fields.append("message", .string(message))
        return exception
    }

    package var description: String { message }
}

extension HTTPAccessError {
    init(_ error: NetworkingError, url: String, method: String) {
        let code: Code =
            switch error.code {
            case .invalidURL: .invalidRequest
            case .unresolvedHost: .unknownHost
            case .timedOut: .timedOut
            case .tooLarge: .tooLarge
            case .notAllowed: .notAllowed
            default: .cannotConnect
            }
        self.init(code: code, url: url, method: method, message: error.message)
    }
}
