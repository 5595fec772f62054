import Notes

/// `alcove note list`
struct NoteListCommand: Command {
    static let reference = CommandReference(
        "note list", "[--folder FOLDER] [--tag TAG]... [--deleted] [--json]",
        "show the notes: pinned ones first, then the newest",
        options: NoteOptions.all + [
            .value("folder", "FOLDER", "only what is in this folder, by name or id"),
            .value("tag", "TAG", "only notes with this tag; repeatable"),
            .value("without-tag", "TAG", "only notes without this tag; repeatable"),
            .flag("deleted", "the deleted ones"), NoteOptions.json,
        ],
        examples: ["alcove note list", "alcove note list --tag recipe --without-tag done --json"])

    let arguments: Arguments

    func run() async throws {
        let lines = try await NoteOptions.withLibrary(arguments) { library in
            try await library.list(try await filter(library)).map(NoteLine.init)
        }
        if arguments.has("json") { return try Terminal.print(json: lines) }
        guard !lines.isEmpty else { return Terminal.print("No notes here. Write one: alcove note new TITLE") }
        for line in lines { Terminal.print(.line(line.plain)) }
    }

    private func filter(_ library: NoteLibrary) async throws -> NoteFilter {
        var place = arguments.has("deleted") ? NoteFilter.Place.deleted : .all
        if let name = arguments["folder"] { place = .folder(try await library.folder(name).id) }
        return NoteFilter(
            place, tags: arguments.all("tag"), withoutTags: arguments.all("without-tag"))
    }
}
