import Notes

/// `alcove folder list`
struct FolderListCommand: Command {
    static let name = "folder list"
    static let summary = "show the folders of notes"
    static let usage = "[--json]"
    static let options = NoteOptions.all + [NoteOptions.json]
    static let examples = ["alcove folder list"]

    private let arguments: Arguments

    init(_ arguments: Arguments) throws {
        _ = try arguments.operands(0...0, "folder list takes only options")
        self.arguments = arguments
    }

    private struct Line: Encodable {
        var id: String
        var name: String
        var parent: String?
        var folders: [Line]

        init(_ folder: NoteFolder) {
            id = folder.id
            name = folder.name
            parent = folder.parent
            folders = folder.folders.map(Line.init)
        }

        /// Indented by its depth.
        func plain(_ depth: Int = 0) -> [String] {
            ["\(id)  " + String(repeating: "  ", count: depth) + name] + folders.flatMap { $0.plain(depth + 1) }
        }
    }

    func run() async throws {
        let folders = try await NoteOptions.withLibrary(arguments) { try await $0.folders().map(Line.init) }
        if arguments.has("json") { return try Terminal.print(json: folders) }
        guard !folders.isEmpty else { return Terminal.print("No folders. Make one: alcove folder new NAME") }
        for line in folders.flatMap({ $0.plain() }) { Terminal.print(line) }
    }
}

/// `alcove folder new`
struct FolderNewCommand: Command {
    static let name = "folder new"
    static let summary = "make a folder of notes; prints its id"
    static let usage = "NAME [--in FOLDER]"
    static let options = NoteOptions.all + [.value("in", "FOLDER", "the folder it is in, by name or id")]
    static let examples = ["alcove folder new Work", "alcove folder new Projects --in Work"]

    private let arguments: Arguments
    private let title: String

    init(_ arguments: Arguments) throws {
        title = try arguments.operands(1...1, "the NAME")[0]
        self.arguments = arguments
    }

    func run() async throws {
        let folder = try await NoteOptions.withLibrary(arguments) { library in
            var parent: String?
            if let name = arguments["in"] { parent = try await library.folder(name).id }
            return try await library.createFolder(title, in: parent)
        }
        Terminal.print(folder.id)
    }
}

/// A command that changes one folder and says nothing.
struct FolderChangeCommand {
    let verb: String
    let summary: String
    let usage: String
    var words = 0...0
    var options: [Arguments.Option] = []
    let examples: [String]
    let change: (_ library: NoteLibrary, _ folder: String, _ words: ArraySlice<String>, Arguments) async throws -> Void

    static var all: [CommandEntry] { changes.map(\.entry) }

    private static var changes: [FolderChangeCommand] {
        [
            FolderChangeCommand(
                verb: "rename", summary: "give a folder another name", usage: "FOLDER NAME", words: 1...1,
                examples: ["alcove folder rename Work Office"]
            ) { library, folder, words, _ in try await library.renameFolder(folder, to: words.first ?? "") },
            FolderChangeCommand(
                verb: "move", summary: "put a folder into another one, or to the top",
                usage: "FOLDER INTO | FOLDER --top",
                words: 0...1, options: [.flag("top", "out of the folder it is in")],
                examples: ["alcove folder move Projects Work", "alcove folder move Projects --top"]
            ) { library, folder, words, arguments in
                guard (words.first == nil) == arguments.has("top") else {
                    throw UsageError("name the folder to put it into, or say --top")
                }
                var parent: String?
                if let name = words.first { parent = try await library.folder(name).id }
                try await library.moveFolder(folder, to: parent)
            },
            FolderChangeCommand(
                verb: "delete", summary: "delete a folder; its notes stay", usage: "FOLDER [--mode MODE]",
                options: [
                    .value(
                        "mode", "MODE",
                        "reparent: what is in it goes up (default); cascade: folders in it go too, notes up; simple: only it"
                    )
                ],
                examples: ["alcove folder delete Work", "alcove folder delete Work --mode cascade"]
            ) { library, folder, _, arguments in
                guard let mode = FolderDeletion(rawValue: arguments["mode"] ?? "reparent") else {
                    throw UsageError("--mode takes reparent, cascade or simple")
                }
                try await library.deleteFolder(folder, mode)
            },
        ]
    }

    private var entry: CommandEntry {
        CommandEntry(
            name: "folder " + verb, summary: summary, usage: usage, options: NoteOptions.all + options,
            examples: examples
        ) { arguments in
            let given = try arguments.operands(words.lowerBound + 1...words.upperBound + 1, usage)
            try await NoteOptions.withLibrary(arguments) { library in
                try await change(library, try await library.folder(given[0]).id, given[1...], arguments)
            }
        }
    }
}
