/// An offer or an answer: the part of SDP that data channels use (RFC 8866, RFC 8841, RFC 9429), as a value.
///
/// ``sdp`` gives the text for the wire; ``init(kind:sdp:)`` reads it back. Attributes that do not concern data channels
/// are dropped on reading; media sections of other kinds are kept by kind and `mid`, so that an answer can refuse them
/// in place.
public struct SessionDescription: Sendable, Hashable {
    /// What the description is in the exchange (RFC 9429 section 4.1.10).
    public enum Kind: String, Sendable, Hashable, Codable {
        /// An offer asks for a connection; an answer accepts it.
        case offer, answer
    }

    /// `a=setup`: who starts the DTLS handshake (RFC 8842).
    public enum Setup: String, Sendable, Hashable, Codable {
        /// This side is the DTLS client.
        case active
        /// This side is the DTLS server.
        case passive
        /// Offers only: either.
        case actpass
    }

    /// Whether it is an offer or an answer.
    public var kind: Kind
    /// The numeric session id of the `o=` line.
    public var sessionID: UInt64
    /// The version of the `o=` line; grows with every description of one connection.
    public var sessionVersion: UInt64
    /// All media sections in order. At most one of them is ``MediaSection/dataChannels(_:)`` and in use.
    public var sections: [MediaSection]

    /// One `m=` section.
    public enum MediaSection: Sendable, Hashable {
        /// The application section that carries data channels.
        case dataChannels(DataChannelSection)
        /// A section that this library refuses.
        case other(OtherSection)
    }

    /// The media section of data channels with everything that the transports need.
    public struct DataChannelSection: Sendable, Hashable {
        /// The name of the section (`a=mid`), by which candidates refer to it.
        public var mid: String
        /// `a=ice-ufrag` (RFC 8839 section 5.4).
        public var iceUsernameFragment: String
        /// `a=ice-pwd` (RFC 8839 section 5.4). A secret of this connection: whoever knows it can send ICE checks.
        public var icePassword: String
        /// Whether candidates may follow later (`a=ice-options:trickle`).
        public var trickle: Bool
        /// Whether the sender is an ICE lite agent.
        public var iceLite: Bool
        /// Hashes of the certificate; those of unknown or weak functions are dropped.
        public var fingerprints: [Fingerprint]
        /// Who starts the DTLS handshake.
        public var setup: Setup
        /// `a=sctp-port`: usually 5000 (RFC 8841 section 5).
        public var sctpPort: UInt16
        /// The largest message that the sender of this description accepts, in bytes; 0 means any size
        /// (RFC 8841 section 6.1). Absent on the wire: 65536.
        public var maxMessageSize: UInt64
        /// The candidates that the description carries itself.
        public var candidates: [ICECandidate]
        /// Whether ``candidates`` is complete.
        public var endOfCandidates: Bool
        /// Whether the old form `DTLS/SCTP` with `a=sctpmap` was used; an answer mirrors it.
        public var usesSCTPMap: Bool
    }

    /// A section of another kind: kept so that an answer can refuse it.
    public struct OtherSection: Sendable, Hashable {
        /// `audio`, `video`, `application`…
        public var media: String
        /// `UDP/TLS/RTP/SAVPF`…
        public var proto: String
        /// The formats, at least one.
        public var formats: [String]
        /// The name of the section (`a=mid`).
        public var mid: String?
    }

    /// The section of data channels.
    public var dataChannels: DataChannelSection? {
        get {
            for case .dataChannels(let section) in sections { return section }
            return nil
        }
        set {
            let index = sections.firstIndex {
                if case .dataChannels = $0 { true } else { false }
            }
            guard let index, let newValue else { return }
            sections[index] = .dataChannels(newValue)
        }
    }

    /// The position of the section of data channels, for `sdpMLineIndex`.
    var dataChannelsIndex: Int? {
        sections.firstIndex {
            if case .dataChannels = $0 { true } else { false }
        }
    }
}
