/// The content of a message: what people see, or a change of what both agreed on.
package enum MessageContent: Sendable, Equatable {
    /// At most ``Envelope/Limit/text`` bytes of UTF-8.
    case text(String)
    case file(OfferedFile)
    case location(SharedLocation)
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

/// A file, offered to the other side; its bytes follow when it was accepted.
package struct OfferedFile: Sendable, Equatable, Codable {
    /// A name without any part of a path, at most 255 bytes.
    package var name: String
    package var bytes: UInt64
    /// SHA-256 of the whole file, 32 bytes.
    package var sha256: [UInt8]
    /// Set for a voice note.
    package var voice: VoiceNote?

    package init(name: String, bytes: UInt64, sha256: [UInt8], voice: VoiceNote? = nil) {
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
