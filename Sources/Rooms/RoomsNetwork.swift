import DataChannels
import Networking

/// How the rooms wing reaches others.
public struct RoomsNetwork: Sendable {
    /// Only talk through TURN relays, so that the other side never learns our address.
    public var relayOnly: Bool
    /// Host candidates come only from these local addresses; empty: from every interface.
    public var bindAddresses: [String]
    /// A PEM file with the authorities that the server's certificate is checked against; nil: the system's.
    public var certificateAuthorities: String?

    public init(relayOnly: Bool = false, bindAddresses: [String] = [], certificateAuthorities: String? = nil) {
        self.relayOnly = relayOnly
        self.bindAddresses = bindAddresses
        self.certificateAuthorities = certificateAuthorities
    }

    private var trust: TLSTrust { certificateAuthorities.map { .authorities(path: $0) } ?? .system }

    var httpClient: HTTPClient { HTTPClient(trust: trust) }

    func openSocket(_ server: String) async throws(NetworkingError) -> WebSocketConnection {
        var configuration = WebSocketClientConfiguration()
        configuration.trust = trust
        configuration.connectTimeout = .seconds(10)
        return try await WebSocketClient.connect(to: ServerURL(server), configuration: configuration)
    }

    func peerConfiguration(certificate: Certificate, iceServers: [ICEServer]) -> PeerConnectionConfiguration {
        PeerConnectionConfiguration(
            certificate: certificate, iceServers: iceServers, iceTransportPolicy: relayOnly ? .relay : .all,
            bindAddresses: bindAddresses, maxMessageSize: Envelope.Limit.envelope)
    }
}
