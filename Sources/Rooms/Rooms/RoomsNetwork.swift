import DataChannels
import Networking

/// How the rooms subsystem reaches others.
package struct RoomsNetwork: Sendable {
    /// Whether to connect only through TURN relays, so that the other side never learns our address.
    package var relayOnly: Bool
    /// The local addresses for host candidates; empty for every interface.
    package var bindAddresses: [String]
    /// A PEM file with the certificate authorities to trust; nil for the system's.
    package var certificateAuthorities: String?

    package init(relayOnly: Bool = false, bindAddresses: [String] = [], certificateAuthorities: String? = nil) {
        self.relayOnly = relayOnly
        self.bindAddresses = bindAddresses
        self.certificateAuthorities = certificateAuthorities
    }

    private var trust: TLSTrust { certificateAuthorities.map { .authorities(path: $0) } ?? .system }

    func openSocket(_ server: String) async throws(RoomsFailure) -> WebSocketConnection {
        var configuration = WebSocketClientConfiguration()
        configuration.trust = trust
        configuration.connectTimeout = .seconds(10)
        let url = try Self.url(of: server)
        do {
            return try await WebSocketClient.connect(to: url, configuration: configuration)
        } catch {
            throw RoomsFailure(error, server: url, authorities: certificateAuthorities)
        }
    }

    /// Sends a request to a server, with a limit for the wait.
    func send(
        _ request: HTTPRequest, to server: ServerURL, timeout: Duration
    ) async throws(RoomsFailure) -> HTTPResponse {
        do {
            return try await HTTPClient(trust: trust).send(request, to: server, timeout: timeout)
        } catch {
            throw RoomsFailure(error, server: server, authorities: certificateAuthorities)
        }
    }

    static func url(of server: String) throws(RoomsFailure) -> ServerURL {
        do { return try ServerURL(server) } catch {
            throw RoomsFailure(.badRequest, "the server address is not valid: \(error.message)")
        }
    }

    func peerConfiguration(certificate: Certificate, iceServers: [ICEServer]) -> PeerConnectionConfiguration {
        PeerConnectionConfiguration(
            certificate: certificate, iceServers: iceServers, iceTransportPolicy: relayOnly ? .relay : .all,
            bindAddresses: bindAddresses, maxMessageSize: Envelope.Limit.envelope)
    }
}
