/// What the index takes of a note, and of a question. What is beyond is left out; the note itself has it.
enum IndexLimits {
    /// Characters.
    static let title = 1000
    /// Bytes of UTF-8.
    static let text = 4 << 20
    /// Characters; ours have 200, but a foreign one may be longer.
    static let preview = 1000
    /// Tags, links, tasks or threads of one note.
    static let items = 10_000
    /// Characters of a tag or an emoji.
    static let tag = 64
    /// Characters of a task or a name.
    static let line = 1000
    /// Characters; the desktop app allows 10 000.
    static let comment = 20_000
    /// Replies in a thread, or reactions to one thing.
    static let answers = 1000
    /// Bytes; they should be four.
    static let anchor = 64
    static let tagsOfFilter = 32
}
