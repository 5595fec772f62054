import Notes

/// A command that changes one note and says nothing.
struct NoteChangeCommand {
    /// The word after `note`.
    let verb: String
    let summary: String
    /// What follows the note.
    var usage = ""
    /// How many words that may be.
    var words = 0...0
    var options: [Arguments.Option] = []
    let examples: [String]
    let change: (_ library: NoteLibrary, _ note: String, _ words: ArraySlice<String>, Arguments) async throws -> Void

    static var all: [CommandEntry] { changes.map(\.entry) }

    private static var changes: [NoteChangeCommand] {
        [
            NoteChangeCommand(
                verb: "rename", summary: "give a note another title", usage: "TITLE", words: 1...1,
                examples: ["alcove note rename Groceries \"Groceries for Sunday\""]
            ) { library, note, words, _ in try await library.rename(note, to: words.first ?? "") },
            NoteChangeCommand(
                verb: "move", summary: "put a note into a folder, or out of any", usage: "FOLDER | --top", words: 0...1,
                options: [.flag("top", "out of its folder")],
                examples: ["alcove note move Groceries Household", "alcove note move Groceries --top"]
            ) { library, note, words, arguments in
                guard (words.first == nil) == arguments.has("top") else {
                    throw UsageError("name the folder, or say --top")
                }
                var folder: String?
                if let name = words.first { folder = try await library.folder(name).id }
                try await library.move(note, to: folder)
            },
            NoteChangeCommand(
                verb: "pin", summary: "keep a note at the top of the list, or not any more",
                options: [.flag("off", "unpin it")],
                examples: ["alcove note pin Groceries", "alcove note pin Groceries --off"]
            ) { library, note, _, arguments in try await library.pin(note, !arguments.has("off")) },
            NoteChangeCommand(
                verb: "delete", summary: "put a note among the deleted ones, or remove it for good",
                options: [
                    .flag("forever", "remove a deleted note and its files, on every device"),
                    .flag("yes", "really remove it for good"),
                ],
                examples: ["alcove note delete Groceries", "alcove note delete Groceries --forever --yes"]
            ) { library, note, _, arguments in
                guard arguments.has("forever") else { return _ = try await library.delete(note) }
                guard arguments.has("yes") else {
                    throw UsageError("this removes the note and its history for good; say --yes")
                }
                try await library.purge(note)
            },
            NoteChangeCommand(
                verb: "restore", summary: "bring a deleted note back", examples: ["alcove note restore Groceries"]
            ) { library, note, _, _ in try await library.restore(note) },
        ]
    }

    private var entry: CommandEntry {
        let usage = usage.isEmpty ? "NOTE" : "NOTE " + usage
        return CommandEntry(
            name: "note " + verb, summary: summary, usage: usage, options: NoteOptions.all + options, examples: examples
        ) { arguments in
            let given = try arguments.operands(words.lowerBound + 1...words.upperBound + 1, usage)
            try await NoteOptions.withLibrary(arguments) { library in
                try await change(library, try await library.note(given[0]).id, given[1...], arguments)
            }
        }
    }
}
