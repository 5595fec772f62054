import Notes

/// `alcove note append`
struct NoteAppendCommand: ReportingCommand {
    static let reference = CommandReference(
        "note append", "NOTE TEXT | NOTE -",
        "add Markdown at the end of a note",
        takes: .some(2...2, "NOTE TEXT | NOTE -"),
        options: NoteOptions.all,
        examples: ["alcove note append Groceries \"* bread\"", "date | alcove note append Diary -"])

    let arguments: Arguments
    private let operand: String
    private let text: String

    init(arguments: Arguments) throws {
        let words = arguments.operands
        operand = words[0]
        text = try NoteInput.text(words[1])
        self.arguments = arguments
    }

    func result() async throws -> CommandResult {
        let note = try await NoteOptions.withLibrary(arguments) { library in
            try await library.append(text, to: try await library.note(operand).id)
        }
        return CommandResult(json: NoteLine(note))
    }
}
