import Foundation
import Notes

/// `alcove note edit`
struct NoteEditCommand: ReportingCommand {
    static let reference = CommandReference(
        "note edit", "NOTE [--yes]",
        "edit a note as Markdown in your editor; what others write meanwhile stays",
        takes: .one("NOTE: a title, an id or the beginning of one"),
        options: NoteOptions.all + [.flag("yes", "also if the editor leaves nothing of the note")],
        examples: ["alcove note edit Groceries", "EDITOR=nano alcove note edit Groceries --dir ~/Sync/Notes"])

    let arguments: Arguments
    private var operand: String { arguments.operands[0] }

    func result() async throws -> CommandResult {
        let editor = try TextEditor()
        let drafts = NoteOptions.draftsFolder(arguments)
        let note = try await NoteOptions.withLibrary(arguments) { library in
            let shown = try await library.textToEdit(of: try await library.note(operand).id)
            for path in Draft.abandoned(in: drafts) {
                Terminal.complain(
                    "an edit ended before it was saved. What was written is in \(path): remove it when you have it")
            }
            let draft = try Draft(shown.markdown, in: drafts)
            let note: NoteSummary
            do {
                try await editor.edit(draft)
                note = try await save(draft, shown, in: library)
            } catch let failure as CommandFailure {
                throw draft.keep(because: failure)
            } catch let failure as NoteFailure {
                throw draft.keep(because: CommandFailure(failure))
            }
            draft.discard()
            return note
        }
        return CommandResult(json: NoteLine(note))
    }

    private func save(_ draft: Draft, _ shown: NoteText, in library: NoteLibrary) async throws -> NoteSummary {
        let edited = try draft.text()
        guard edited != shown.markdown else {
            Terminal.complain("nothing was changed")
            return shown.note
        }
        if edited.isBlank, !shown.markdown.isBlank, !arguments.has("yes") { try confirmEmptying(shown.note.title) }
        return try await library.replace(shown.note.id, markdown: edited, base: shown.revision).text.note
    }

    /// An editor that fails may leave an empty file.
    private func confirmEmptying(_ title: String) throws(CommandFailure) {
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure(
                "the editor left nothing of the note, so it stays as it was; say --yes if that is meant", .failure)
        }
        Terminal.ask("The editor left nothing of “\(title)”. Empty the note? [y]es, [n]o: ")
        guard let answer = readLine(), answer.lowercased().hasPrefix("y") else {
            throw CommandFailure("the note stays as it was", .failure)
        }
    }
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
