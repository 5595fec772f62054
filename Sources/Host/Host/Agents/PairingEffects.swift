import AgentProtocols
import Agents
import AppCore
import Networking

extension AppHost {
    /// Shows a code to a gateway, beside everything else, and keeps the token that it gives.
    func pairGateway(_ id: EffectID, _ address: PairingAddress) {
        inBackground(id) {
            let invitation: GatewayInvitation
            do throws(AgentProtocolError) {
                invitation = try GatewayInvitation(written: address.gateway, code: address.code)
            } catch {
                throw Failure(.gatewayAddressInvalid, error.message)
            }
            guard address.plain == true || !GatewayPairing.isReadable(invitation) else {
                throw Failure(.gatewayReadable)
            }
            let server = GatewayPairing.server(of: invitation).description
            let token: GatewayToken
            do throws(AgentError) {
                token = try await GatewayPairing.pair(invitation, deviceName: GatewayPairing.usualName)
            } catch {
                throw Failure(ofPairing: error, with: server)
            }
            return .gatewayPaired(
                effect: id, url: server, fingerprint: invitation.fingerprint?.text,
                token: try await self.keep(secret: token.text))
        }
    }
}

extension Failure {
    fileprivate init(ofPairing error: AgentError, with server: String) {
        let code: Code =
            switch error.code {
            case .unauthorized: .gatewayCodeRefused
            case .otherKey: .gatewayOtherKey
            case .unreachable, .silent: .gatewayUnreachable
            case .busy: .agentBusy
            default: .gatewayForeign
            }
        self.init(code, error.message, retryable: error.code == .busy, place: server)
    }
}
