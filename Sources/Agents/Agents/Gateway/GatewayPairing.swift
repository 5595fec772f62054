package import AgentProtocols
internal import Errors
package import Networking

/// Lets this device in to a gateway.
package enum GatewayPairing {
    /// Shows a code, which counts once.
    /// - Parameters:
    ///   - deviceID: another one for each pairing, so that none replaces another.
    ///   - deviceName: what the gateway's owner sees.
    /// - Returns: the token to be let in with from now on.
    /// - Throws: `unauthorized` if the code does not count or the gateway has another key, `unreachable`, `silent`, `busy`, `notUnderstood` or `refused`.
    package static func pair(
        with server: ServerURL, trust: TLSTrust, code: GatewayCode, deviceID: String, deviceName: String
    ) async throws(AgentError) -> GatewayToken {
        let asked = GatewayPairRequest(code: code, deviceID: deviceID, deviceName: deviceName)
        let request = HTTPRequest(
            method: "POST", path: "/pair", headers: ["content-type": "application/json"], body: asked.body)
        let answer: HTTPResponse
        do {
            answer = try await HTTPClient(bodyLimit: 1 << 16, trust: trust).send(request, to: server)
        } catch {
            throw failure(error, server)
        }
        switch answer.status {
        case 200: break
        case 401: throw AgentError(.unauthorized, "\(server) does not take this code: it is wrong, used, or too old")
        case 429, 503: throw AgentError(.busy, "\(server) takes no codes now; try again later")
        case 404: throw AgentError(.refused, "\(server) offers no gateway at this address")
        default: throw AgentError(.refused, "\(server) answered with status \(answer.status)")
        }
        do { return try GatewayPairAnswer(answer.body).token } catch {
            throw AgentError(.notUnderstood, "\(server) does not answer like a gateway")
        }
    }

    private static func failure(_ error: NetworkingError, _ server: ServerURL) -> AgentError {
        switch error.code {
        case .untrustedCertificate, .wrongName, .expiredCertificate:
            AgentError(.unauthorized, "\(server) has another key than the fingerprint says; the code was not sent")
        case .timedOut: AgentError(.silent, error.message)
        case .handshakeFailed, .tooLarge: AgentError(.notUnderstood, error.message)
        default: AgentError(.unreachable, error.message)
        }
    }
}
