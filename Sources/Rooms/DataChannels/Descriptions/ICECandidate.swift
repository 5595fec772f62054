/// A transport address at which a peer may be reachable (RFC 8839 section 5.1).
public struct ICECandidate: Sendable, Hashable {
    /// How the address was learnt.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// An address of the machine itself.
        case host
        /// The address that a STUN server saw.
        case serverReflexive = "srflx"
        /// The address that the peer saw.
        case peerReflexive = "prflx"
        /// An address on a TURN server.
        case relayed = "relay"
    }

    /// UDP, or one of the forms of ICE over TCP (RFC 6544), which are read but not used.
    public enum Transport: String, Sendable, Hashable, Codable {
        /// The transport protocol.
        case udp, tcp
    }

    /// Equal for candidates of one kind, base and server (RFC 8445 section 5.1.1.3).
    public var foundation: String
    /// 1 for data channels, which have only one component.
    public var component: Int
    /// The transport protocol.
    public var transport: Transport
    /// The higher, the sooner the pair is tried (RFC 8445 section 5.1.2).
    public var priority: UInt32
    /// An IPv4 or IPv6 address, or a name that ends in `.local` (mDNS).
    public var address: String
    /// The port of ``address``.
    public var port: UInt16
    /// How the address was learnt.
    public var kind: Kind
    /// The address behind a reflexive or relayed one, for diagnosis; may be hidden as `0.0.0.0`.
    public var relatedAddress: String?
    /// The port of ``relatedAddress``.
    public var relatedPort: UInt16?
    /// Further `name value` pairs as they came: `tcptype`, `generation`, `ufrag`, `network-cost`…
    public var extensions: [Extension]
    /// The media section that it belongs to, by `a=mid`.
    public var sdpMid: String?
    /// The media section that it belongs to, by position.
    public var sdpMLineIndex: Int?

    /// A `name value` pair at the end of the line.
    public struct Extension: Sendable, Hashable {
        /// The name, without spaces.
        public var name: String
        /// The value, without spaces.
        public var value: String

        /// A pair as written in the line.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Reads `candidate:…`, with or without `a=` in front.
    ///
    /// Browsers send an empty line for "end of candidates"; pass that to
    /// ``PeerConnection/addICECandidate(line:sdpMid:sdpMLineIndex:)``, which understands it.
    public init(line: String, sdpMid: String? = nil, sdpMLineIndex: Int? = nil) throws {
        try self.init(parsing: line[...])
        self.sdpMid = sdpMid
        self.sdpMLineIndex = sdpMLineIndex
    }

    init(
        foundation: String,
        priority: UInt32,
        address: String,
        port: UInt16,
        kind: Kind,
        relatedAddress: String? = nil,
        relatedPort: UInt16? = nil
    ) {
        self.foundation = foundation
        component = 1
        transport = .udp
        self.priority = priority
        self.address = address
        self.port = port
        self.kind = kind
        self.relatedAddress = relatedAddress
        self.relatedPort = relatedPort
        extensions = []
    }

    /// The value of an extension, such as `ufrag`.
    public func value(of name: String) -> String? { extensions.first { $0.name == name }?.value }

    /// `candidate:…`, as browsers exchange it.
    public var line: String {
        var line = "candidate:\(foundation) \(component) \(transport.rawValue.uppercased()) \(priority)"
        line += " \(address) \(port) typ \(kind.rawValue)"
        if let relatedAddress { line += " raddr \(relatedAddress)" }
        if let relatedPort { line += " rport \(relatedPort)" }
        for pair in extensions { line += " \(pair.name) \(pair.value)" }
        return line
    }
}

extension ICECandidate: CustomStringConvertible {
    public var description: String { line }
}
