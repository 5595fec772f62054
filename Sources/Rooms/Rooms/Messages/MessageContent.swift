/// The content of a message: what people see, or a change of what both agreed on.
package enum MessageContent: Sendable, Equatable {
    /// At most ``Envelope/Limit/text`` bytes of UTF-8.
    case text(String)
    case file(OfferedFile)
    case location(SharedLocation)
    /// A text about another message of the room.
    case related(Relation, text: String)
    case lifetimeProposal(AgreedLifetime)
    /// Answers the proposal that the message of that id made.
    case lifetimeAnswer(proposal: MessageID, accepted: Bool)
    /// The sender has the other side in its circle.
    case trust
    /// Replaces a message that was withdrawn before delivery, so that the numbers have no gap.
    case withdrawn
    /// A kind of message that this version does not know; acknowledged, not shown.
    case unknown
}

/// What a message is to another one of the same room.
///
/// On the wire it stands beside a text that says the same to a peer that does not know relations: the answer itself, the emoji, the
/// new text. So nothing is lost on an older peer, and it shows the message as one of its own.
package struct Relation: Sendable, Equatable {
    package enum Kind: UInt64, Sendable, Equatable, CaseIterable {
        /// The text answers it.
        case answers = 1
        /// The text is the sender's one reaction to it.
        case reacts = 2
        /// The sender takes the reaction back.
        case reactsNoMore = 3
        /// The text takes the place of its text.
        case replaces = 4
        /// It is to go.
        case deletes = 5
        /// The receiver followed the change that it carried.
        case followed = 6
        /// The receiver keeps what the change that it carried was about.
        case kept = 7
    }

    package var kind: Kind
    package var message: MessageID
    /// Counts the texts of a message from 1; 0 for all but ``Kind/replaces``.
    package var version: UInt64

    package init(_ kind: Kind, _ message: MessageID, version: UInt64 = 0) {
        self.kind = kind
        self.message = message
        self.version = version
    }

    /// What a peer shows that does not know relations, where the text does not say it.
    var fallback: String? {
        switch kind {
        case .answers, .reacts, .replaces: nil
        case .reactsNoMore: "(I took my reaction back.)"
        case .deletes: "(I deleted a message. Please delete it, too.)"
        // The peer knows relations: it sent one.
        case .followed, .kept: nil
        }
    }
}

/// A file, offered to the other side; its bytes follow when it was accepted.
package struct OfferedFile: Sendable, Equatable, Codable {
    /// A name without any part of a path, at most 255 bytes.
    package var name: String
    package var bytes: UInt64
    /// SHA-256 of the whole file, 32 bytes.
    package var sha256: [UInt8]
    /// Set for a voice note.
    package var voice: VoiceNote?
    /// Set for a picture.
    package var picture: PictureNote?

    package init(
        name: String, bytes: UInt64, sha256: [UInt8], voice: VoiceNote? = nil, picture: PictureNote? = nil
    ) {
        self.picture = picture
        self.name = name
        self.bytes = bytes
        self.sha256 = sha256
        self.voice = voice
    }
}

/// The additional fields of a voice note.
package struct VoiceNote: Sendable, Equatable, Codable {
    /// Milliseconds.
    package var duration: UInt64
    /// Loudness over time, at most 120 values.
    package var waveform: [UInt8]

    package init(duration: UInt64, waveform: [UInt8]) {
        self.duration = duration
        self.waveform = waveform
    }
}

/// The additional fields of a picture.
package struct PictureNote: Sendable, Equatable, Codable {
    /// Pixels, as it is shown, 1 to 65 535.
    package var width: UInt64
    package var height: UInt64
    /// A small copy as JPEG, PNG or WebP, at most ``Envelope/Limit/thumbnail`` bytes; may be empty.
    package var thumbnail: [UInt8]

    package init(width: UInt64, height: UInt64, thumbnail: [UInt8]) {
        self.width = width
        self.height = height
        self.thumbnail = thumbnail
    }

    /// Whether the bytes begin as one of the formats does. Nothing else is ever shown as a picture.
    package static func isPicture(_ bytes: [UInt8]) -> Bool {
        let beginnings: [[UInt8]] = [[0xff, 0xd8, 0xff], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]]
        let isWebP = bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        return isWebP || beginnings.contains { bytes.starts(with: $0) }
    }
}

/// A place on the WGS 84 ellipsoid.
package struct SharedLocation: Sendable, Equatable {
    /// Degrees, -90 to 90.
    package var latitude: Double
    /// Degrees, -180 to 180.
    package var longitude: Double
    /// Radius of confidence in metres.
    package var accuracy: Double?
    /// Milliseconds since 1970.
    package var measuredAt: UInt64?

    package init(latitude: Double, longitude: Double, accuracy: Double?, measuredAt: UInt64?) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
        self.measuredAt = measuredAt
    }
}

/// How long both sides keep messages.
package enum AgreedLifetime: Sendable, Equatable {
    case keep
    case ephemeral
    case seconds(UInt64)
}

/// The name of a message, the same on both sides: 16 bytes, written as 32 hexadecimal digits.
package struct MessageID: Sendable, Hashable, Codable, CustomStringConvertible {
    let bytes: [UInt8]

    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// - Throws: ``RoomsFailure`` if the text is not 32 hexadecimal digits.
    package init(_ text: String) throws(RoomsFailure) {
        let digits = Array(text.utf8).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard text.utf8.count == 32, digits.count == 32 else {
            throw RoomsFailure(.badRequest, "a message id is 32 hexadecimal digits")
        }
        bytes = stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    package var description: String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
