import Notes

/// `alcove note append`
struct NoteAppendCommand: Command {
    static let reference = CommandReference(
        "note append", "NOTE TEXT | NOTE -",
        "add Markdown at the end of a note",
        takes: .some(2...2, "NOTE TEXT | NOTE -"),
        options: NoteOptions.all + [NoteOptions.json],
        examples: ["alcove note append Groceries \"* bread\"", "date | alcove note append Diary -"])

    private let arguments: Arguments
    private let operand: String
    private let text: String

    init(arguments: Arguments) throws {
        let words = arguments.operands
        operand = words[0]
        text = try NoteInput.text(words[1])
        self.arguments = arguments
    }

    func run() async throws {
        let note = try await NoteOptions.withLibrary(arguments) { library in
            try await library.append(text, to: try await library.note(operand).id)
        }
        if arguments.has("json") { try Terminal.print(json: NoteLine(note)) }
    }
}
