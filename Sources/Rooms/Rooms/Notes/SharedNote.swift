import Networking

/// A note that one side of a room shows to the other.
package struct SharedNote: Sendable, Equatable {
    /// Opaque, the same on both sides: 1 to 64 of `A-Z a-z 0-9 _ -`.
    package let id: String
    /// Its title for people, on one line; cut to 255 bytes.
    package let title: String

    /// - Returns: nil if the id cannot be one.
    package init?(id: String, title: String) {
        guard Self.isID(id) else { return nil }
        self.id = id
        self.title = Self.line(title)
    }

    private static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
    }

    /// Without control characters and characters that change the text direction. Joiners stay, because emoji need them.
    private static func line(_ text: String) -> String {
        let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]
        let kept = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: joiners.contains(scalar)
            default: true
            }
        }
        var line = String(String.UnicodeScalarView(kept.prefix(NoteLimits.title)))
        while line.utf8.count > NoteLimits.title { line.removeLast() }
        return line
    }
}

/// A message of one side's document to the other's. The bytes belong to the document's own sync protocol and are opaque
/// here.
package enum NoteContent: Sendable, Equatable {
    /// This side's state vector: the answer to ``RoomReport/noteStateVectorWanted(room:note:)``.
    case stateVector([UInt8])
    /// The updates that the other side lacks, possibly none: the answer to
    /// ``RoomReport/noteStateVector(room:note:bytes:)``.
    case difference([UInt8])
    /// An update that was just made here.
    case update([UInt8])
    /// The answer to ``RoomReport/notePictureWanted(room:picture:)``; empty if the picture is not here, or is longer than ``NoteLimits/picture``.
    case picture([UInt8], id: String)

    var bytes: [UInt8] {
        switch self {
        case .stateVector(let bytes), .difference(let bytes), .update(let bytes), .picture(let bytes, _): bytes
        }
    }
}

/// The state of the channel of notes.
package enum NoteChannelState: String, Sendable, Equatable {
    /// Both sides have listed their notes.
    case open
    case closed
    /// The other side's version has no shared notes.
    case unsupported
}

/// The traffic of the channel of notes since the room was opened in this process.
package struct NoteCounts: Sendable, Equatable {
    /// Updates and differences that are not empty.
    package var sent = 0
    package var received = 0
    /// Dropped frames: of a note that is not shared, unreadable, or more than the owner could take.
    package var dropped = 0
}

/// Limits of the channel of notes, in bytes unless said otherwise.
package enum NoteLimits {
    /// Notes that one side of a room shares.
    package static let notes = 256
    package static let title = 255
    package static let stateVector = 1 << 20
    /// One update, whole.
    package static let update = 64 << 20
    /// One picture, whole.
    package static let picture = 16 << 20
    /// One end of a selection.
    package static let place = 256
    /// One part of an update or state vector.
    static let part = 60 << 10
    /// Updates that wait to be sent, or for their owner. A single larger one may wait alone.
    static let waiting = 8 << 20
    /// Updates that are taken over one link: of one note, and of all notes of a room. A note that exceeds this is
    /// stopped.
    static let (noteIntake, intake) = (128 << 20, 256 << 20)
    /// Pictures that are taken over one link. Beyond that none is asked for.
    static let pictureIntake = 256 << 20
    /// Notes that one side offers or renames over one link.
    static let offers = 1 << 14
    /// How often one side says where its person is: it should ten times a second, and once more for each note it leaves.
    static let cursors = RateLimit(burst: 60, perMinute: 1800)
    /// State vectors that wait to be answered.
    static let vectors = 4 << 20
    /// Sending pauses at this many bytes in the channel, and continues at this many.
    static let (highWater, lowWater) = (1 << 20, 1 << 18)
}
