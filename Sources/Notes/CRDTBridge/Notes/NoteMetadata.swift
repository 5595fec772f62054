internal import RichText

/// What a note says about itself. Fields that are missing or of another type are nil, or false.
public struct NoteMetadata: Hashable, Sendable {
    /// The id of the note.
    public var id: String?
    /// The storage directory that the note was made in. It may be another device's name for it.
    public var directory: String?
    /// The folder, nil for none.
    public var folder: String?
    /// Milliseconds since 1970.
    public var created: Int64?
    /// Milliseconds since 1970.
    public var modified: Int64?
    /// Whether the note is in the trash.
    public var isDeleted: Bool
    /// Whether lists show the note first.
    public var isPinned: Bool

    init(_ fields: [String: RichText.Value]) {
        id = fields["id"]?.string
        directory = fields["sdId"]?.string
        folder = fields["folderId"]?.string
        created = fields["created"]?.milliseconds
        modified = fields["modified"]?.milliseconds
        isDeleted = fields["deleted"]?.bool ?? false
        isPinned = fields["pinned"]?.bool ?? false
    }
}

/// One field of a note's metadata with a new value.
public enum NoteMetadataChange: Hashable, Sendable {
    /// Milliseconds since 1970.
    case modified(Int64)
    /// Moves the note to the trash, or back.
    case deleted(Bool)
    /// Pins the note, or unpins it.
    case pinned(Bool)
    /// Nil for no folder.
    case folder(String?)

    var field: (name: String, value: RichText.Value) {
        switch self {
        case .modified(let time): ("modified", .number(Double(time)))
        case .deleted(let isDeleted): ("deleted", .bool(isDeleted))
        case .pinned(let isPinned): ("pinned", .bool(isPinned))
        case .folder(let id): ("folderId", id.map(RichText.Value.string) ?? .null)
        }
    }
}

extension RichText.Value {
    /// A time, also one with a fraction, as long as it is one.
    var milliseconds: Int64? { number.flatMap { Int64(exactly: $0.rounded()) } }
}
