import Notes

/// `alcove folder list`
struct FolderListCommand: Command {
    static let reference = CommandReference(
        "folder list", "[--json]",
        "show the folders of notes",
        options: NoteOptions.all + [NoteOptions.json],
        examples: ["alcove folder list"])

    let arguments: Arguments

    func run() async throws {
        let folders = try await NoteOptions.withLibrary(arguments) { try await $0.folders().map(FolderLine.init) }
        if arguments.has("json") { return try Terminal.print(json: folders) }
        guard !folders.isEmpty else { return Terminal.print("No folders. Make one: alcove folder new NAME") }
        for line in folders.flatMap({ $0.plain() }) { Terminal.print(.line(line)) }
    }
}

/// A folder of notes, as a list shows it, or as a script reads it.
struct FolderLine: Encodable {
    var id: String
    var name: String
    var parent: String?
    var folders: [FolderLine]

    init(_ folder: NoteFolder) {
        id = folder.id
        name = folder.name
        parent = folder.parent
        folders = folder.folders.map(FolderLine.init)
    }

    /// Indented by its depth.
    func plain(_ depth: Int = 0) -> [String] {
        ["\(id)  " + String(repeating: "  ", count: depth) + name] + folders.flatMap { $0.plain(depth + 1) }
    }
}

/// `alcove folder new`
struct FolderNewCommand: ReportingCommand {
    static let reference = CommandReference(
        "folder new", "NAME [--in FOLDER]",
        "make a folder of notes; prints its id",
        takes: .one("the NAME"),
        options: NoteOptions.all + [.value("in", "FOLDER", "the folder it is in, by name or id")],
        examples: ["alcove folder new Work", "alcove folder new Projects --in Work"])

    let arguments: Arguments
    private var title: String { arguments.operands[0] }

    func result() async throws -> CommandResult {
        let folder = try await NoteOptions.withLibrary(arguments, creates: true) { library in
            let parent = try await library.folderID(named: arguments["in"])
            return try await library.createFolder(title, in: parent)
        }
        return CommandResult(.line(folder.id), json: FolderLine(folder))
    }
}
