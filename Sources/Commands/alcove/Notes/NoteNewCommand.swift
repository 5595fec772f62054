import Foundation
import Notes

/// `alcove note new`
struct NoteNewCommand: ReportingCommand {
    static let reference = CommandReference(
        "note new", "TITLE [TEXT | -]",
        "make a note; prints its id",
        takes: .some(1...2, "TITLE [TEXT | -]"),
        options: NoteOptions.all + [.value("folder", "FOLDER", "the folder of notes it goes to, by name or id")],
        examples: [
            "alcove note new Groceries \"* milk\"", "alcove note new \"Meeting notes\" - --folder Work < notes.md",
            "alcove note new Plans --dir ~/Sync/Notes",
        ])

    let arguments: Arguments
    private let title: String
    private let text: String

    init(arguments: Arguments) throws {
        let words = arguments.operands
        title = words[0]
        text = words.count > 1 ? try NoteInput.text(words[1]) : ""
        self.arguments = arguments
    }

    func result() async throws -> CommandResult {
        let note = try await NoteOptions.withLibrary(arguments, creates: true) { library in
            let folder = try await library.folderID(named: arguments["folder"])
            return try await library.create(title: title, folder: folder, markdown: text)
        }
        return CommandResult(.line(note.id), json: NoteLine(note))
    }
}

/// Markdown from the command line, or from standard input for `-`.
enum NoteInput {
    static func text(_ word: String) throws(CommandFailure) -> String {
        guard word == "-" else { return word }
        let limit = NoteLibrary.textLimit
        let bytes = try ByteInput("-").read(limit + 1)
        guard bytes.count <= limit else {
            throw CommandFailure(
                "standard input has more than \(limit >> 20) MiB, and a note has at most so much: make several notes of it",
                .dataError)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure("standard input is not UTF-8 text", .dataError)
        }
        return text
    }
}
