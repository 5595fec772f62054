import Notes

/// `alcove note show`
struct NoteShowCommand: Command {
    static let reference = CommandReference(
        "note show", "NOTE [--at TIME] [--authors] [--json | --raw]",
        "print a note as Markdown, as it is or as it was",
        takes: .one("NOTE: a title, an id or the beginning of one"),
        options: NoteOptions.all + [
            .value("at", "TIME", "as it was then: 2026-11-21T22:05:09Z, or 10m for ten minutes ago"),
            .flag("authors", "say before each piece who wrote it"), NoteOptions.json,
            .flag("raw", "every byte as it is, for a pipe; otherwise what a terminal would obey is written as \\u{1b}"),
        ],
        examples: ["alcove note show Groceries", "alcove note show Groceries --at 2026-11-21T22:05:00Z"])

    private let arguments: Arguments
    private let operand: String
    private let time: Int64?

    init(arguments: Arguments) throws {
        operand = arguments.operands[0]
        time = try arguments["at"].map { text in
            guard let time = WrittenTime.milliseconds(text) else {
                throw UsageError("--at takes a time like 2026-11-21T22:05:09Z or 10m, not \"\(text)\"")
            }
            return time
        }
        self.arguments = arguments
    }

    /// A note with its text, as a script reads it.
    private struct Whole: Encodable {
        struct Piece: Encodable {
            var text: String
            var author: String?
        }

        var note: NoteLine
        var markdown: String
        var revision: String?
        var pieces: [Piece]?
    }

    func run() async throws {
        let shown = try await NoteOptions.withLibrary(arguments) { library in
            let note = try await library.note(operand)
            if let time {
                try await Self.check(note, existedAt: time, in: library)
                return Whole(note: NoteLine(note), markdown: try await library.markdown(of: note.id, at: time))
            }
            guard arguments.has("authors") || arguments.has("json") else {
                return Whole(note: NoteLine(note), markdown: try await library.markdown(of: note.id))
            }
            let text = try await library.text(of: note.id)
            return Whole(
                note: NoteLine(note), markdown: text.markdown, revision: text.revision,
                pieces: text.spans.map { Whole.Piece(text: $0.text, author: $0.author) })
        }
        if arguments.has("json") { return try Terminal.print(json: shown) }
        var text = shown.markdown
        if arguments.has("authors"), let pieces = shown.pieces {
            text = pieces.map { ($0.author.map { "[\($0)] " } ?? "") + $0.text }.joined()
        }
        let output = try ByteOutput(nil, forOwnerOnly: true, content: arguments.has("raw") ? .raw : .text)
        try output.write(Array(Self.ended(text).utf8))
        try output.finish()
    }

    /// Before its first change there was no note, which is something else than one without words.
    private static func check(_ note: NoteSummary, existedAt time: Int64, in library: NoteLibrary) async throws {
        let begun = try await library.history(of: note.id).first ?? note.created
        guard time < begun else { return }
        let words =
            note.created <= time
            ? "what it said then is not known any more, its history begins at" : "it did not exist yet, it was begun at"
        throw CommandFailure("\(note.title): \(words) \(WrittenTime.text(begun))", .noInput)
    }

    /// With a line end, if it has any line.
    private static func ended(_ text: String) -> String { text.isEmpty || text.hasSuffix("\n") ? text : text + "\n" }
}
