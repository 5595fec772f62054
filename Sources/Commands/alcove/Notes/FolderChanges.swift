import AppCore
import Notes

extension LibraryChange {
    /// What changes one folder.
    static var ofFolders: [LibraryChange] {
        [
            LibraryChange(
                .folder, verb: "rename", summary: "give a folder another name", usage: "NAME", words: 1...1,
                examples: ["alcove folder rename Work Office"]
            ) { library, folder, words, _ in
                try await library.renameFolder(folder, to: words.first ?? "")
                return CommandResult(json: FolderLine(try await library.folder(folder)))
            },
            LibraryChange(
                .folder, verb: "move", summary: "put a folder into another one, or to the top",
                usage: "INTO | --top",
                words: 0...1, options: [.flag("top", "out of the folder it is in")],
                examples: ["alcove folder move Projects Work", "alcove folder move Projects --top"]
            ) { library, folder, words, arguments in
                guard (words.first == nil) == arguments.has("top") else {
                    throw UsageError("name the folder to put it into, or say --top")
                }
                let parent = try await library.folderID(named: words.first)
                try await library.moveFolder(folder, to: parent)
                return CommandResult(json: FolderLine(try await library.folder(folder)))
            },
            LibraryChange(
                .folder, verb: "delete", summary: "delete a folder; its notes stay",
                usage: "[--mode reparent|cascade|simple]",
                options: [
                    .value(
                        "mode", "reparent|cascade|simple",
                        "reparent: what is in it goes up (default); cascade: folders in it go too, notes up; simple: only it"
                    )
                ],
                examples: ["alcove folder delete Work", "alcove folder delete Work --mode cascade"]
            ) { library, folder, _, arguments in
                guard let mode = FolderDeletion(rawValue: arguments["mode"] ?? "reparent") else {
                    throw UsageError("--mode takes reparent, cascade or simple")
                }
                try await library.deleteFolder(folder, mode)
                return CommandResult(json: ["id": .string(folder), "deleted": .bool(true)])
            },
        ]
    }
}
