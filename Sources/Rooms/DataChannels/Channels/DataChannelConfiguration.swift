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

    /// The share of a channel beside others of its connection that have something to send (W3C WebRTC Priority Control API
    /// section 4, RFC 8831 section 6.4). It is told to the peer, which may use it for its own direction.
    public enum Priority: String, Sendable, Hashable, Codable, CaseIterable {
        /// Half of what ``low`` gets.
        case veryLow = "very-low"
        /// What channels have unless told otherwise.
        case low
        /// Twice what ``low`` gets.
        case medium
        /// Four times what ``low`` gets.
        case high

        /// The weight on the wire (RFC 8832 section 5.1), which is also the share.
        package var weight: UInt16 {
            switch self {
            case .veryLow: 128
            case .low: 256
            case .medium: 512
            case .high: 1024
            }
        }

        /// The priority that a weight from the wire stands for.
        package init(weight: UInt16) {
            switch weight {
            case ...128: self = .veryLow
            case ...256: self = .low
            case ...512: self = .medium
            default: self = .high
            }
        }
    }

    /// Whether messages arrive in the order in which they were sent.
    public var isOrdered: Bool
    /// What happens to messages that get lost on the way.
    public var reliability: Reliability
    /// The name of the subprotocol, at most 65535 bytes.
    public var subprotocol: String
    /// For a channel that is agreed on elsewhere and not announced in band: the same id on both sides.
    public var negotiatedID: UInt16?
    /// The channel's share beside others.
    public var priority: Priority

    /// By default a reliable, ordered channel, as in W3C WebRTC (`RTCDataChannelInit`).
    public init(
        isOrdered: Bool = true,
        reliability: Reliability = .reliable,
        subprotocol: String = "",
        negotiatedID: UInt16? = nil,
        priority: Priority = .low
    ) {
        self.isOrdered = isOrdered
        self.reliability = reliability
        self.subprotocol = subprotocol
        self.negotiatedID = negotiatedID
        self.priority = priority
    }

    /// The highest id of a channel plus one: 65 535 stands for no stream (RFC 8832 section 6).
    static let streams: UInt16 = 65_535

    var policy: SCTPPolicy {
        let dcep: DCEP.Reliability =
            switch reliability {
            case .reliable: .reliable
            case .maxRetransmits(let count): .maxRetransmits(UInt32(count))
            case .maxPacketLifeTime(let milliseconds): .maxPacketLifeTime(UInt32(milliseconds))
            }
        return SCTPPolicy(isOrdered: isOrdered, reliability: dcep, priority: priority)
    }

    /// The configuration that an announcement describes.
    init(_ open: DCEP.Open) {
        let reliability: Reliability =
            switch open.reliability {
            case .reliable: .reliable
            case .maxRetransmits(let count): .maxRetransmits(UInt16(clamping: count))
            case .maxPacketLifeTime(let milliseconds): .maxPacketLifeTime(milliseconds: UInt16(clamping: milliseconds))
            }
        self.init(
            isOrdered: open.isOrdered, reliability: reliability, subprotocol: open.subprotocol,
            priority: Priority(weight: open.priority))
    }

    func open(label: String) -> DCEP.Open {
        DCEP.Open(
            isOrdered: isOrdered,
            reliability: policy.reliability,
            priority: priority.weight,
            label: label,
            subprotocol: subprotocol
        )
    }

    func check(label: String) throws(PeerConnectionError) {
        guard label.utf8.count <= 0xFFFF, subprotocol.utf8.count <= 0xFFFF else {
            throw PeerConnectionError(.invalidConfiguration, "label and subprotocol have at most 65535 bytes each")
        }
        if let negotiatedID, negotiatedID >= Self.streams {
            throw PeerConnectionError(
                .invalidConfiguration,
                "a channel id is at most \(Self.streams - 1)"
            )
        }
    }
}
