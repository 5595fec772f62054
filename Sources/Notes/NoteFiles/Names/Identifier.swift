package import Wire

/// An opaque identifier that is also a safe file name: 1 to 64 of `A-Z a-z 0-9 _ -`, compared exactly, case included.
///
/// Most are 22 characters of base64url or UUIDs, but not all are (`default-note`), so nothing is read out of them.
package struct Identifier<Subject>: Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
    package let text: String

    /// Throws ``NoteFilesErrorCode/invalidName`` unless the text is one.
    package init(_ text: some StringProtocol) throws(NoteFilesError) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.allows) else {
            throw NoteFilesError(
                .invalidName, "“\(text.prefix(80))” is no identifier: those are 1 to 64 letters, digits, _ and -")
        }
        self.text = String(text)
    }

    package init(_ id: CompactID) {
        text = id.description
    }

    /// A fresh one of 22 characters.
    package static func random() -> Self { Self(CompactID.random()) }

    package var description: String { text }

    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }

    package init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// What a ``NoteID`` names.
package enum NoteSubject {}
/// What a ``WriterID`` names.
package enum WriterSubject {}

package typealias NoteID = Identifier<NoteSubject>
/// A writer of files of its own: one installation, or one of several processes of it. We use one identifier both as profile
/// and as instance, so that every reader finds the log that an activity line speaks of.
package typealias WriterID = Identifier<WriterSubject>
