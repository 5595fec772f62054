import Foundation
import Notes

/// `alcove note edit`
struct NoteEditCommand: Command {
    static let name = "note edit"
    static let summary = "edit a note as Markdown in your editor; what others write meanwhile stays"
    static let usage = "NOTE"
    static let options = NoteOptions.all
    static let examples = ["alcove note edit Groceries", "EDITOR=nano alcove note edit Groceries --dir ~/Sync/Notes"]

    private let arguments: Arguments
    private let operand: String

    init(_ arguments: Arguments) throws {
        operand = try arguments.operands(1...1, "NOTE: a title, an id or the beginning of one")[0]
        self.arguments = arguments
    }

    func run() async throws {
        let editor = try TextEditor()
        try await NoteOptions.withLibrary(arguments) { library in
            let shown = try await library.text(of: try await library.note(operand).id)
            guard !shown.note.isDeleted else {
                throw CommandFailure(
                    "\"\(shown.note.title)\" is deleted; first: alcove note restore \(shown.note.id)", .failure)
            }
            let draft = try TextEditor.Draft(shown.markdown)
            try await editor.edit(draft)
            let edited = try draft.text()
            guard edited != shown.markdown else {
                draft.discard()
                return Terminal.complain("nothing was changed")
            }
            do {
                try await library.replace(shown.note.id, markdown: edited, base: shown.revision)
            } catch let error as NoteFailure {
                throw CommandFailure(
                    "\(error.message)\n       what you wrote is in \(draft.path)", ExitCode(error.code))
            }
            draft.discard()
        }
    }
}
