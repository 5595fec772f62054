/// What a message says.
///
/// JSON: `{"type":"text","text":…}`, `{"type":"file","name":…,"bytes":…,"media":…,"handle":…}`, `{"type":"location",…}`,
/// `{"type":"reply","to":…,"text":…}`, `{"type":"reaction","to":…,"emoji":…}`, `{"type":"edit","of":…,"version":…,"text":…}`,
/// `{"type":"deletion","of":…}`, `{"type":"change_answer","change":…,"accepted":…}`, `{"type":"deleted"}`,
/// `{"type":"lifetime_proposal","lifetime":…}`, `{"type":"lifetime_answer","proposal":…,"accepted":…}`,
/// `{"type":"lifetime_changed","lifetime":…}`, `{"type":"trust"}`, `{"type":"became_member"}`, `{"type":"peer_left"}`,
/// `{"type":"note_shared","note":…,"title":…,"by":…,"outcome":…}`.
package enum Body: Sendable, Hashable {
    case text(String)
    case file(FileOffer)
    case location(Location)
    /// A text that answers another message of the room.
    case reply(to: MessageID, text: String)
    /// The one reaction of the sender to a message; `nil` takes it back. Goes to the peer, is shown at the message.
    case reaction(to: MessageID, emoji: String?)
    /// Another text for a message of the sender. Versions count from 1; the message as it was sent has version 0. Goes to the
    /// peer, is shown at the message.
    case edit(of: MessageID, version: Int, text: String)
    /// A message of the sender is to go. Goes to the peer, is shown in the message's place.
    case deletion(of: MessageID)
    /// Whether the receiver of an edit or a deletion followed it; names the message that carried it. Goes to the peer.
    case changeAnswer(change: MessageID, accepted: Bool)
    /// What is left of a message that its author deleted.
    case deleted
    /// Asks the peer to agree to another lifetime. Goes to the peer, is not shown as a message.
    case lifetimeProposal(Lifetime)
    /// Answers the peer's proposal. Goes to the peer, is not shown as a message.
    case lifetimeAnswer(proposal: MessageID, accepted: Bool)
    /// Says that the other person is in this one's circle. Goes to the peer, is not shown as a message.
    case trust
    /// A line the core adds: both agreed.
    case lifetimeChanged(Lifetime)
    /// A line the core adds: both are in each other's circle.
    case becameMember
    /// A line the core adds: the other person left.
    case peerLeft
    /// A line the core adds: one of the two shares a note.
    case noteShared(SharedNoteLine)
}

/// A file, offered to the other side.
package struct FileOffer: Sendable, Hashable, Codable {
    /// The name to show and to save under; without any part of a path.
    package var name: String
    package var bytes: Int64
    package var media: Media
    /// Where the host finds the bytes; only on the side that sends.
    package var handle: String?

    package init(name: String, bytes: Int64, media: Media = .file, handle: String? = nil) {
        self.name = name
        self.bytes = bytes
        self.media = media
        self.handle = handle
    }
}

/// How a file is to be presented.
///
/// JSON: `{"kind":"file"}`, `{"kind":"voice","duration":<ms>,"waveform":[0…255, at most 120]}` or
/// `{"kind":"picture","width":…,"height":…,"thumbnail":"<Base64>"}`.
package struct Media: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable {
        case file
        case voice
        case picture
    }

    package var kind: Kind
    /// Milliseconds; voice only.
    package var duration: Int64?
    /// Loudness over time, at most 120 values; voice only.
    package var waveform: [UInt8]?
    /// Pixels, as it is shown; picture only.
    package var width: Int?
    /// Pixels, as it is shown; picture only.
    package var height: Int?
    /// A small copy as JPEG, PNG or WebP in Base64 (RFC 4648 section 4), at most ``RoomLimits/thumbnailCharacters``; picture only.
    package var thumbnail: String?

    package static let file = Media(kind: .file)

    package static func voice(duration: Int64, waveform: [UInt8]) -> Media {
        Media(kind: .voice, duration: duration, waveform: waveform)
    }

    package static func picture(width: Int, height: Int, thumbnail: String?) -> Media {
        Media(kind: .picture, width: width, height: height, thumbnail: thumbnail)
    }

    var isValid: Bool {
        let sides = [width, height].compactMap(\.self)
        return (0...86_400_000).contains(duration ?? 0) && (waveform?.count ?? 0) <= RoomLimits.waveformValues
            && sides.allSatisfy((1...RoomLimits.pictureSide).contains) && (kind != .picture || sides.count == 2)
            && (thumbnail?.utf8.count ?? 0) <= RoomLimits.thumbnailCharacters
    }
}

/// A place on the WGS 84 ellipsoid.
package struct Location: Sendable, Hashable, Codable {
    /// Degrees, -90…90.
    package var latitude: Double
    /// Degrees, -180…180.
    package var longitude: Double
    /// Radius of confidence in metres, if known.
    package var accuracy: Double?
    /// When the place was measured.
    package var measuredAt: Timestamp?

    package init(latitude: Double, longitude: Double, accuracy: Double? = nil, measuredAt: Timestamp? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
        self.measuredAt = measuredAt
    }

    var isValid: Bool {
        abs(latitude) <= 90 && abs(longitude) <= 180 && (accuracy.map { (0...40_000_000).contains($0) } ?? true)
    }
}

extension Body: Codable {
    private enum Key: String, CodingKey {
        case type, text, to, of, emoji, version, change, lifetime, proposal, accepted
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        switch try container.decode(String.self, forKey: .type) {
        case "text": self = .text(try container.decode(String.self, forKey: .text))
        case "file": self = .file(try FileOffer(from: decoder))
        case "location": self = .location(try Location(from: decoder))
        case "reply":
            self = .reply(
                to: try container.decode(MessageID.self, forKey: .to),
                text: try container.decode(String.self, forKey: .text))
        case "reaction":
            self = .reaction(
                to: try container.decode(MessageID.self, forKey: .to),
                emoji: try container.decodeIfPresent(String.self, forKey: .emoji))
        case "edit":
            self = .edit(
                of: try container.decode(MessageID.self, forKey: .of),
                version: try container.decode(Int.self, forKey: .version),
                text: try container.decode(String.self, forKey: .text))
        case "deletion": self = .deletion(of: try container.decode(MessageID.self, forKey: .of))
        case "change_answer":
            self = .changeAnswer(
                change: try container.decode(MessageID.self, forKey: .change),
                accepted: try container.decode(Bool.self, forKey: .accepted))
        case "deleted": self = .deleted
        case "lifetime_proposal": self = .lifetimeProposal(try container.decode(Lifetime.self, forKey: .lifetime))
        case "lifetime_answer":
            self = .lifetimeAnswer(
                proposal: try container.decode(MessageID.self, forKey: .proposal),
                accepted: try container.decode(Bool.self, forKey: .accepted))
        case "lifetime_changed": self = .lifetimeChanged(try container.decode(Lifetime.self, forKey: .lifetime))
        case "trust": self = .trust
        case "became_member": self = .becameMember
        case "peer_left": self = .peerLeft
        case "note_shared": self = .noteShared(try SharedNoteLine(from: decoder))
        default: throw DecodingError.unfit(decoder, "unknown body")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .text(let text):
            try container.encode("text", forKey: .type)
            try container.encode(text, forKey: .text)
        case .file(let offer):
            try container.encode("file", forKey: .type)
            try offer.encode(to: encoder)
        case .location(let location):
            try container.encode("location", forKey: .type)
            try location.encode(to: encoder)
        case .reply(let message, let text):
            try container.encode("reply", forKey: .type)
            try container.encode(message, forKey: .to)
            try container.encode(text, forKey: .text)
        case .reaction(let message, let emoji):
            try container.encode("reaction", forKey: .type)
            try container.encode(message, forKey: .to)
            try container.encodeIfPresent(emoji, forKey: .emoji)
        case .edit(let message, let version, let text):
            try container.encode("edit", forKey: .type)
            try container.encode(message, forKey: .of)
            try container.encode(version, forKey: .version)
            try container.encode(text, forKey: .text)
        case .deletion(let message):
            try container.encode("deletion", forKey: .type)
            try container.encode(message, forKey: .of)
        case .changeAnswer(let change, let accepted):
            try container.encode("change_answer", forKey: .type)
            try container.encode(change, forKey: .change)
            try container.encode(accepted, forKey: .accepted)
        case .deleted: try container.encode("deleted", forKey: .type)
        case .lifetimeProposal(let lifetime):
            try container.encode("lifetime_proposal", forKey: .type)
            try container.encode(lifetime, forKey: .lifetime)
        case .lifetimeAnswer(let proposal, let accepted):
            try container.encode("lifetime_answer", forKey: .type)
            try container.encode(proposal, forKey: .proposal)
            try container.encode(accepted, forKey: .accepted)
        case .lifetimeChanged(let lifetime):
            try container.encode("lifetime_changed", forKey: .type)
            try container.encode(lifetime, forKey: .lifetime)
        case .trust: try container.encode("trust", forKey: .type)
        case .becameMember: try container.encode("became_member", forKey: .type)
        case .peerLeft: try container.encode("peer_left", forKey: .type)
        case .noteShared(let line):
            try container.encode("note_shared", forKey: .type)
            try line.encode(to: encoder)
        }
    }
}

extension Body {
    /// Bytes that texts and names take when they are saved: a character that JSON has to escape counts as what it becomes.
    var savedBytes: Int {
        switch self {
        case .text(let text), .reply(_, let text), .edit(_, _, let text): text.savedBytes
        case .file(let offer):
            // A value of loudness has up to three digits and a comma.
            offer.name.savedBytes + (offer.handle?.savedBytes ?? 0) + 4 * (offer.media.waveform?.count ?? 0)
                + (offer.media.thumbnail?.utf8.count ?? 0)
        case .noteShared(let line): line.title.savedBytes
        case .location, .reaction, .deletion, .changeAnswer, .deleted, .lifetimeProposal, .lifetimeAnswer, .trust,
            .lifetimeChanged, .becameMember, .peerLeft:
            0
        }
    }

    /// The name of its kind, as in JSON: `peer_left`.
    package var type: String { TagKey.name(of: self) }

    /// What somebody wrote; `nil` for what is no text.
    package var text: String? {
        switch self {
        case .text(let text), .reply(_, let text): text
        default: nil
        }
    }

    /// The same with another text; `nil` for what is no text.
    func saying(_ text: String) -> Body? {
        switch self {
        case .text: .text(text)
        case .reply(let message, _): .reply(to: message, text: text)
        default: nil
        }
    }
}

extension String {
    /// Bytes of this text in JSON, without its quotation marks.
    var savedBytes: Int {
        utf8.reduce(0) { count, byte in
            switch byte {
            case 0..<0x20: count + 6
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): count + 2
            default: count + 1
            }
        }
    }
}
