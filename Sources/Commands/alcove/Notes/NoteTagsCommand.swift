import Notes

/// `alcove note tags`
struct NoteTagsCommand: Command {
    static let reference = CommandReference(
        "note tags", "[NOTE] [--json]",
        "show all tags and how many notes have them, or the tags of one note",
        takes: .optional("at most one NOTE"),
        options: NoteOptions.all + [NoteOptions.json],
        examples: ["alcove note tags", "alcove note tags Groceries"])

    let arguments: Arguments
    private var operand: String? { arguments.operands.first }

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
        guard !lines.isEmpty else { return Terminal.print("No tags. A # before a word in a note makes one") }
        for line in lines { Terminal.print("#\(line.tag)\(line.notes.map { "  \($0)" } ?? "")") }
    }
}
