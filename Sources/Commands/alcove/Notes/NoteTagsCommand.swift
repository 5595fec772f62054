import Notes

/// `alcove note tags`
struct NoteTagsCommand: Command {
    static let name = "note tags"
    static let summary = "show all tags and how many notes have them, or the tags of one note"
    static let usage = "[NOTE] [--json]"
    static let options = NoteOptions.all + [NoteOptions.json]
    static let examples = ["alcove note tags", "alcove note tags Groceries"]

    private let arguments: Arguments
    private let operand: String?

    init(_ arguments: Arguments) throws {
        operand = try arguments.operands(0...1, "at most one NOTE").first
        self.arguments = arguments
    }

    private struct Line: Encodable {
        var tag: String
        var notes: Int?
    }

    func run() async throws {
        let lines = try await NoteOptions.withLibrary(arguments) { library in
            guard let operand else { return try await library.tags().map { Line(tag: $0.name, notes: $0.count) } }
            return try await library.tags(of: try await library.note(operand).id).map { Line(tag: $0) }
        }
        if arguments.has("json") { return try Terminal.print(json: lines) }
        for line in lines { Terminal.print("#\(line.tag)\(line.notes.map { "  \($0)" } ?? "")") }
    }
}
