/// How a connection is made. A value: changing it later does not affect the connection.
public struct PeerConnectionConfiguration: Sendable {
    /// Which kinds of candidates may be used.
    public enum ICETransportPolicy: String, Sendable, Hashable, Codable {
        /// Every candidate.
        case all
        /// Only candidates through a TURN server, which hides this machine's addresses from the peer.
        case relay
    }

    /// STUN and TURN servers. None are built in. At most eight TURN addresses and one STUN address are used.
    public var iceServers: [ICEServer]
    /// Which candidates may be used.
    public var iceTransportPolicy: ICETransportPolicy
    /// Local addresses to gather candidates on (`["127.0.0.1"]` in tests). Empty means every interface but loopback.
    public var bindAddresses: [String]
    /// The DTLS identity. Its fingerprint goes into every description.
    public var certificate: Certificate
    /// The largest message accepted from the peer in bytes, announced as `a=max-message-size` (RFC 8841 section 6):
    /// 1 to ``largestMessageSize``.
    public var maxMessageSize: Int
    /// UDP ports to gather host candidates on. `nil` leaves the choice to the system.
    public var portRange: ClosedRange<UInt16>?

    /// The upper bound of ``maxMessageSize``: 16 MiB.
    public static let largestMessageSize = 16 * 1024 * 1024

    /// A configuration with a stored certificate. It is checked when a connection uses it.
    public init(
        certificate: Certificate,
        iceServers: [ICEServer] = [],
        iceTransportPolicy: ICETransportPolicy = .all,
        bindAddresses: [String] = [],
        maxMessageSize: Int = 1024 * 1024,
        portRange: ClosedRange<UInt16>? = nil
    ) {
        self.certificate = certificate
        self.iceServers = iceServers
        self.iceTransportPolicy = iceTransportPolicy
        self.bindAddresses = bindAddresses
        self.maxMessageSize = maxMessageSize
        self.portRange = portRange
    }

    /// Checks what a peer connection would refuse: unusable servers and limits, and invalid addresses.
    /// - Throws: `invalidConfiguration`, with a message that says what to change.
    public static func check(
        iceServers: [ICEServer], policy: ICETransportPolicy, bindAddresses: [String]
    ) throws(PeerConnectionError) {
        try GatheringSettings.check(iceServers: iceServers, policy: policy, bindAddresses: bindAddresses)
    }

    /// A configuration with a fresh certificate.
    public init(
        iceServers: [ICEServer] = [],
        iceTransportPolicy: ICETransportPolicy = .all,
        bindAddresses: [String] = []
    ) throws {
        self.init(
            certificate: try Certificate.generate(),
            iceServers: iceServers,
            iceTransportPolicy: iceTransportPolicy,
            bindAddresses: bindAddresses
        )
    }
}
