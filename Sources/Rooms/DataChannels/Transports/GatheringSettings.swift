internal import CNice

/// The settings for gathering candidates, with names resolved.
struct GatheringSettings {
    struct Relay {
        var server: ICEServerAddress
        var username: String
        var credential: String
    }

    var bindAddresses: [String]
    var portRange: ClosedRange<UInt16>?
    var relayOnly: Bool
    var stunServer: ICEServerAddress?
    var relays: [Relay] = []

    /// libnice accepts eight relays for each component and one STUN server.
    static let mostRelays = 8

    /// Checks a configuration and extracts the settings.
    init(_ configuration: PeerConnectionConfiguration) throws(PeerConnectionError) {
        func refuse(_ why: String) -> PeerConnectionError { PeerConnectionError(.invalidConfiguration, why) }
        guard (1...PeerConnectionConfiguration.largestMessageSize).contains(configuration.maxMessageSize) else {
            throw refuse("maxMessageSize must be 1 to \(PeerConnectionConfiguration.largestMessageSize) bytes")
        }
        try self.init(
            configuration.iceServers, configuration.iceTransportPolicy, configuration.bindAddresses,
            configuration.portRange)
    }

    /// The same with other servers.
    func with(_ iceServers: [ICEServer]) throws(PeerConnectionError) -> Self {
        try Self(iceServers, relayOnly ? .relay : .all, bindAddresses, portRange)
    }

    /// Checks all that needs no certificate.
    static func check(
        iceServers: [ICEServer], policy: PeerConnectionConfiguration.ICETransportPolicy, bindAddresses: [String]
    ) throws(PeerConnectionError) {
        _ = try Self(iceServers, policy, bindAddresses, nil)
        for address in bindAddresses where NiceAddress(address, port: 0) == nil {
            throw PeerConnectionError(.invalidConfiguration, "\"\(address)\" is not an address to bind to")
        }
    }

    private init(
        _ iceServers: [ICEServer], _ policy: PeerConnectionConfiguration.ICETransportPolicy, _ bindAddresses: [String],
        _ portRange: ClosedRange<UInt16>?
    ) throws(PeerConnectionError) {
        func refuse(_ why: String) -> PeerConnectionError { PeerConnectionError(.invalidConfiguration, why) }
        self.bindAddresses = bindAddresses
        self.portRange = portRange
        relayOnly = policy == .relay
        for server in iceServers {
            for url in server.urls {
                let address = try ICEServerAddress(url: url)
                if address.kind == .stun {
                    stunServer = stunServer ?? address
                    continue
                }
                guard let username = server.username, let credential = server.credential else {
                    throw refuse("ICE server \"\(url)\": TURN needs a user name and a credential")
                }
                if relays.count < Self.mostRelays {
                    relays.append(Relay(server: address, username: username, credential: credential))
                }
            }
        }
        if relayOnly && relays.isEmpty { throw refuse("to talk only through relays needs a TURN server") }
    }
}
