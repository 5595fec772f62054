/// How a channel delivers (RFC 8831 section 6.4).
public struct DataChannelConfiguration: Sendable, Hashable {
    /// What happens to lost messages.
    public enum Reliability: Sendable, Hashable {
        /// Retransmitted until they arrive.
        case reliable
        /// Given up after this many retransmissions.
        case maxRetransmits(UInt16)
        /// Given up after this many milliseconds.
        case maxPacketLifeTime(milliseconds: UInt16)
    }

    /// Whether messages arrive in the order in which they were sent.
    public var isOrdered: Bool
    /// What happens to messages that get lost on the way.
    public var reliability: Reliability
    /// The name of the subprotocol, at most 65535 bytes.
    public var subprotocol: String
    /// For a channel that is agreed on elsewhere and not announced in band: the same id on both sides.
    public var negotiatedID: UInt16?

    /// By default a reliable, ordered channel, as in W3C WebRTC (`RTCDataChannelInit`).
    public init(
        isOrdered: Bool = true,
        reliability: Reliability = .reliable,
        subprotocol: String = "",
        negotiatedID: UInt16? = nil
    ) {
        self.isOrdered = isOrdered
        self.reliability = reliability
        self.subprotocol = subprotocol
        self.negotiatedID = negotiatedID
    }

    var policy: SCTPTransport.Policy {
        let dcep: DCEP.Reliability =
            switch reliability {
            case .reliable: .reliable
            case .maxRetransmits(let count): .maxRetransmits(UInt32(count))
            case .maxPacketLifeTime(let milliseconds): .maxPacketLifeTime(UInt32(milliseconds))
            }
        return SCTPTransport.Policy(isOrdered: isOrdered, reliability: dcep)
    }

    /// The configuration that an announcement describes.
    init(_ open: DCEP.Open) {
        let reliability: Reliability =
            switch open.reliability {
            case .reliable: .reliable
            case .maxRetransmits(let count): .maxRetransmits(UInt16(clamping: count))
            case .maxPacketLifeTime(let milliseconds): .maxPacketLifeTime(milliseconds: UInt16(clamping: milliseconds))
            }
        self.init(isOrdered: open.isOrdered, reliability: reliability, subprotocol: open.subprotocol)
    }

    func open(label: String) -> DCEP.Open {
        DCEP.Open(
            isOrdered: isOrdered,
            reliability: policy.reliability,
            label: label,
            subprotocol: subprotocol
        )
    }

    func check(label: String) throws(PeerConnectionError) {
        guard label.utf8.count <= 0xFFFF, subprotocol.utf8.count <= 0xFFFF else {
            throw PeerConnectionError(.invalidConfiguration, "label and subprotocol have at most 65535 bytes each")
        }
        if let negotiatedID, negotiatedID >= SCTPSettings.streams {
            throw PeerConnectionError(
                .invalidConfiguration,
                "a channel id is at most \(SCTPSettings.streams - 1)"
            )
        }
    }
}
