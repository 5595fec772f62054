// What the core knows of a note that is not open. The note itself lives in the notes folder, and merges there by itself.

/// A note, by the name it has on every device: at most 64 letters, digits, `-` and `_`.
package typealias NoteID = Identifier<ListedNote>
/// A folder of notes, by the name it has on every device.
package typealias FolderID = Identifier<ListedFolder>

/// One line in the list of notes.
package struct ListedNote: Sendable, Hashable, Codable, Identifiable {
    package let id: NoteID
    /// The first line; empty for a note without text.
    package var title: String
    /// The beginning of what follows the title.
    package var preview: String
    /// The folder it is in, also if that folder is gone; nil at the top.
    package var folder: FolderID?
    package var created: Timestamp
    package var modified: Timestamp
    /// Whether it is in the trash: still readable, not changeable.
    package var deleted: Bool
    package var pinned: Bool
    /// Without `#`, in lower case.
    package var tags: [String]
    /// Why it cannot be read, if it cannot.
    package var problem: Failure.Code?

    package init(
        id: NoteID, title: String, preview: String = "", folder: FolderID? = nil, created: Timestamp,
        modified: Timestamp, deleted: Bool = false, pinned: Bool = false, tags: [String] = [],
        problem: Failure.Code? = nil
    ) {
        self.id = id
        self.title = title
        self.preview = preview
        self.folder = folder
        self.created = created
        self.modified = modified
        self.deleted = deleted
        self.pinned = pinned
        self.tags = tags
        self.problem = problem
    }

    /// As it may be kept and shown here.
    var fitted: ListedNote {
        var note = self
        note.title = title.noteTitle
        // Paragraphs follow each other on one line.
        note.preview = preview.replacing("\n", with: " ").withoutControls.limited(to: NotebookLimits.previewBytes)
        note.tags = tags.prefix(NotebookLimits.tags).map { $0.withoutControls.limited(to: NotebookLimits.tagBytes) }
        return note
    }
}

/// A folder of notes.
package struct ListedFolder: Sendable, Hashable, Codable, Identifiable {
    package let id: FolderID
    package var name: String
    /// The folder it is in; nil at the top.
    package var parent: FolderID?

    package init(id: FolderID, name: String, parent: FolderID? = nil) {
        self.id = id
        self.name = name
        self.parent = parent
    }
}

/// Bounds that the notes slice keeps.
package enum NotebookLimits {
    package static let notes = 100_000
    package static let folders = 10_000
    /// Notes in the list at first, and how many more each time.
    package static let page = 200
    /// Bytes of UTF-8 of a note that can be edited here: what a field holds on every screen.
    package static let textBytes = 131_072
    /// Parts by different authors.
    package static let spans = 10_000
    /// Unsaved texts, each of another note.
    package static let drafts = 64
    /// Bytes of what names a state of a note.
    package static let revisionBytes = 65_536
    package static let titleBytes = 256
    /// Bytes of the names on the way to a folder.
    package static let pathBytes = 1024
    package static let previewBytes = 512
    package static let tags = 64
    package static let tagBytes = 64
    package static let queryBytes = 256
    /// Bytes of a file that a note is made of.
    package static let importedBytes: Int64 = 4 << 20
    /// Bytes of a ZIP file of which notes are made.
    package static let packedBytes: Int64 = 512 << 20
    /// Notes that one note leads to, and notes that lead to it, each.
    package static let links = 200
    /// Comments on a note, without the answers.
    package static let comments = 200
    /// Answers to one comment; the oldest are left out.
    package static let replies = 100
    /// Bytes of a comment or an answer: room for the 10 000 characters that one has, whatever they are.
    package static let commentBytes = 32_768
    /// UTF-16 code units that a service takes as a comment.
    package static let commentLength = 10_000
    /// Texts that a correction may find, at most.
    package static let bases = 8
    /// Bytes of the text that a comment is about.
    package static let quoteBytes = 512
    /// Entries of a note's history; the oldest are left out.
    package static let versions = 500
    /// Names in one of them.
    package static let authors = 16
    package static let results = 100
    /// Notes that the two people of a room edit together.
    package static let sharedNotes = 256
}

extension String {
    /// The title of a note or the name of a folder, in one line of limited length.
    var noteTitle: String { withoutControls.trimmed.limited(to: NotebookLimits.titleBytes) }
}

extension Fresh {
    /// The first id as a random UUID of 22 base64url digits (RFC 9562, section 5.4; RFC 4648, section 5): what notes and
    /// folders are called in the notes folder.
    var compactUUID: String {
        var bytes = stride(from: 0, to: 32, by: 2).map { place in
            let start = first.index(first.startIndex, offsetBy: place)
            return UInt8(first[start..<first.index(start, offsetBy: 2)], radix: 16) ?? 0
        }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let text = (0..<22).map { place in
            let bit = place * 6
            let pair = UInt16(bytes[bit / 8]) << 8 | UInt16(bit / 8 + 1 < 16 ? bytes[bit / 8 + 1] : 0)
            return digits[Int(pair >> (10 - UInt16(bit % 8))) & 63]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
