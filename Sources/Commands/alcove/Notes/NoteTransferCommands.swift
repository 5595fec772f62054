import Notes
import Wire

/// `alcove note export`
struct NoteExportCommand: Command {
    static let reference = CommandReference(
        "note export", "DIR [--note NOTE]...",
        "write notes as Markdown files, with their folders and pictures",
        takes: .one("the folder DIR to write to"),
        options: NoteOptions.all + [
            .value("note", "NOTE", "only this one; repeatable (default: all)"), NoteOptions.json,
        ],
        examples: ["alcove note export ~/backup", "alcove note export . --note Groceries"])

    let arguments: Arguments
    private var folder: String { arguments.operands[0] }

    func run() async throws {
        let transfer = try await NoteOptions.withLibrary(arguments) { library in
            var notes: [String] = []
            for operand in arguments.all("note") { notes.append(try await library.note(operand).id) }
            try OutputFolder.prepare(folder)
            return try await library.export(notes.isEmpty ? nil : notes, to: folder)
        }
        try TransferReport(transfer, json: arguments.has("json")).print("written to \(folder)")
    }
}

/// `alcove note import`
struct NoteImportCommand: Command {
    static let reference = CommandReference(
        "note import", "FILE | DIR [--folder FOLDER]",
        "make notes of Markdown files, or bring those made before up to date",
        takes: .one("a Markdown FILE, or a folder DIR of them"),
        options: NoteOptions.all + [
            .value("folder", "FOLDER", "the folder of notes they go to, by name or id"), NoteOptions.json,
        ],
        examples: ["alcove note import recipes/", "alcove note import plan.md --folder Work"])

    let arguments: Arguments
    private var path: String { arguments.operands[0] }

    func run() async throws {
        let transfer = try await NoteOptions.withLibrary(arguments, creates: true) { library in
            let folder = try await library.folderID(named: arguments["folder"])
            return try await library.importMarkdown(path, into: folder)
        }
        try TransferReport(transfer, json: arguments.has("json")).print("imported")
    }
}

/// What became of an export or import.
private struct TransferReport: Encodable {
    var notes: [NoteLine]
    var media: Int
    var problems: [String]
    var updated: Int
    var unchanged: Int
    var kept: [String]
    private let json: Bool

    private enum CodingKeys: CodingKey { case notes, media, problems, updated, unchanged, kept }

    init(_ transfer: NoteTransfer, json: Bool) {
        notes = transfer.notes.map(NoteLine.init)
        media = transfer.media
        problems = transfer.problems
        (updated, unchanged, kept) = (transfer.updated, transfer.unchanged, transfer.kept)
        self.json = json
    }

    func print(_ what: String) throws {
        if json {
            try Terminal.print(json: self)
        } else {
            let pictures = media == 0 ? "" : media == 1 ? ", 1 picture" : ", \(media) pictures"
            let new = notes.count - updated
            let others = [(updated, "brought up to date"), (unchanged, "unchanged")].filter { $0.0 > 0 }
            let more = others.map { ", \($0.0) \($0.1)" }.joined()
            Terminal.print("\(new == 1 ? "1 note" : "\(new) notes")\(pictures) \(what)\(more)")
            if !kept.isEmpty { Terminal.print("kept as text, because notes have nothing like it:") }
            for line in kept { Terminal.print("  \(PrintableText.line(line))") }
        }
        for problem in problems { Terminal.complain(of: problem) }
        if !problems.isEmpty {
            throw CommandFailure("not everything could be taken; the lines above say what", .dataError)
        }
    }
}
