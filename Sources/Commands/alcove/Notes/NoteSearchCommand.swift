import Notes

/// `alcove note search`
struct NoteSearchCommand: Command {
    static let reference = CommandReference(
        "note search", "WORDS... [--limit N] [--json]",
        "find notes by their words, and by those of comments on them",
        takes: .some(1...100, "WORDS"),
        options: NoteOptions.all + [.value("limit", "N", "at most so many notes (default 50)"), NoteOptions.json],
        examples: [
            "alcove note search milk bread", "alcove note search '#recipe \"olive oil\"' --json",
            "alcove note search 'choc*'",
        ])

    private let arguments: Arguments
    private let words: [String]
    private let limit: Int

    init(arguments: Arguments) throws {
        words = arguments.operands
        limit = try arguments.integer("limit", in: 1...1000) ?? 50
        self.arguments = arguments
    }

    private struct Line: Encodable {
        var id: String
        var title: String
        var snippet: String
        /// Whether that is in a comment on the note.
        var comment: Bool
    }

    func run() async throws {
        let found = try await NoteOptions.withLibrary(arguments) { library in
            try await library.search(words.joined(separator: " "), limit: limit)
        }
        if arguments.has("json") {
            return try Terminal.print(
                json: found.map { Line(id: $0.id, title: $0.title, snippet: $0.snippet, comment: $0.isComment) })
        }
        guard !found.isEmpty else { throw CommandFailure("no note has all of these words", .failure) }
        for note in found {
            Terminal.print("\(note.id)  \(note.title)")
            let place = note.isComment ? "comment: " : ""
            if !note.snippet.isEmpty { Terminal.print("    \(place)\(note.snippet.replacing("\n", with: " "))") }
        }
    }
}
