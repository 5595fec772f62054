/// What candidates are gathered with, after names were resolved.
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

    /// libnice takes eight relays a component and one STUN server.
    static let mostRelays = 8

    /// Checks a configuration and takes it apart.
    init(_ configuration: PeerConnectionConfiguration) throws(PeerConnectionError) {
        func refuse(_ why: String) -> PeerConnectionError { PeerConnectionError(.invalidConfiguration, why) }
        guard (1...PeerConnectionConfiguration.largestMessageSize).contains(configuration.maxMessageSize) else {
            throw refuse("maxMessageSize must be 1 to \(PeerConnectionConfiguration.largestMessageSize) bytes")
        }
        bindAddresses = configuration.bindAddresses
        portRange = configuration.portRange
        relayOnly = configuration.iceTransportPolicy == .relay
        for server in configuration.iceServers {
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
        if relayOnly && relays.isEmpty { throw refuse("the policy .relay needs a TURN server") }
    }
}
