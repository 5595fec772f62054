package import AgentProtocols
internal import Cryptography
internal import Errors
package import Networking

/// Lets this device in to a gateway.
package enum GatewayPairing {
    /// What a gateway calls a device that says no name.
    package static let usualName = "alcove"

    /// Where the gateway of an invitation is reached.
    package static func server(of invitation: GatewayInvitation) -> ServerURL {
        ServerURL(host: invitation.host, port: invitation.port, isSecure: invitation.fingerprint != nil)
    }

    /// Whether others on the way could read code and token: there is no TLS, and the gateway is not on this machine.
    package static func isReadable(_ invitation: GatewayInvitation) -> Bool {
        invitation.fingerprint == nil && !GatewayServer.isLoopback(invitation.host)
    }

    /// Shows the code of an invitation to the gateway that gave it. With a fingerprint, only the holder of that key gets it.
    /// - Returns: the token to be let in with from now on.
    /// - Throws: as below.
    package static func pair(_ invitation: GatewayInvitation, deviceName: String) async throws(AgentError)
        -> GatewayToken
    {
        // Another id for each pairing, so that none replaces another.
        let id = SecureRandom.bytes(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let trust = invitation.fingerprint.map { TLSTrust.key(sha256: $0.bytes) }
        return try await pair(
            with: server(of: invitation), trust: trust ?? .system, code: invitation.code, deviceID: id,
            deviceName: deviceName)
    }

    /// Shows a code, which counts once.
    /// - Parameters:
    ///   - deviceID: another one for each pairing, so that none replaces another.
    ///   - deviceName: what the gateway's owner sees.
    /// - Returns: the token to be let in with from now on.
    /// - Throws: `unauthorized` if the code does not count, `otherKey` if the gateway has another key, `unreachable`, `silent`, `busy`, `notUnderstood` or `refused`.
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
            AgentError(.otherKey, "\(server) has another key than the fingerprint says; the code was not sent")
        case .timedOut: AgentError(.silent, error.message)
        case .handshakeFailed, .tooLarge: AgentError(.notUnderstood, error.message)
        default: AgentError(.unreachable, error.message)
        }
    }
}
