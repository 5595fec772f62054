import Notes

/// `alcove note append`
struct NoteAppendCommand: Command {
    static let name = "note append"
    static let summary = "add Markdown at the end of a note"
    static let usage = "NOTE TEXT | NOTE -"
    static let options = NoteOptions.all + [NoteOptions.json]
    static let examples = ["alcove note append Groceries \"* bread\"", "date | alcove note append Diary -"]

    private let arguments: Arguments
    private let operand: String
    private let text: String

    init(_ arguments: Arguments) throws {
        let words = try arguments.operands(2...2, Self.usage)
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
