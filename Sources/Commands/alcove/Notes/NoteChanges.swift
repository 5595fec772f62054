import AppCore
import Notes

extension LibraryChange {
    /// What changes one note.
    static var ofNotes: [LibraryChange] {
        [
            LibraryChange(
                .note, verb: "rename", summary: "give a note another title", usage: "TITLE", words: 1...1,
                examples: ["alcove note rename Groceries \"Groceries for Sunday\""]
            ) { library, note, words, _ in
                CommandResult(json: NoteLine(try await library.rename(note, to: words.first ?? "")))
            },
            LibraryChange(
                .note, verb: "move", summary: "put a note into a folder, or out of any", usage: "FOLDER | --top",
                words: 0...1,
                options: [.flag("top", "out of its folder")],
                examples: ["alcove note move Groceries Household", "alcove note move Groceries --top"]
            ) { library, note, words, arguments in
                guard (words.first == nil) == arguments.has("top") else {
                    throw UsageError("name the folder, or say --top")
                }
                let folder = try await library.folderID(named: words.first)
                return CommandResult(json: NoteLine(try await library.move(note, to: folder)))
            },
            LibraryChange(
                .note, verb: "pin", summary: "keep a note at the top of the list, or not any more",
                options: [.flag("off", "unpin it")],
                examples: ["alcove note pin Groceries", "alcove note pin Groceries --off"]
            ) { library, note, _, arguments in
                CommandResult(json: NoteLine(try await library.pin(note, !arguments.has("off"))))
            },
            LibraryChange(
                .note, verb: "delete", summary: "put a note among the deleted ones, or remove it for good",
                options: [
                    .flag("forever", "remove a deleted note and its files, on every device"),
                    .flag("yes", "really remove it for good"),
                ],
                examples: ["alcove note delete Groceries", "alcove note delete Groceries --forever --yes"]
            ) { library, note, _, arguments in
                guard arguments.has("forever") else {
                    return CommandResult(json: NoteLine(try await library.delete(note)))
                }
                guard arguments.has("yes") else {
                    throw UsageError("this removes the note and its history for good; say --yes")
                }
                try await library.purge(note)
                return CommandResult(json: ["id": .string(note), "removed": .bool(true)])
            },
            LibraryChange(
                .note, verb: "restore", summary: "bring a deleted note back",
                examples: ["alcove note restore Groceries"]
            ) { library, note, _, _ in CommandResult(json: NoteLine(try await library.restore(note))) },
        ]
    }
}
