import Notes

/// `alcove note watch`
struct NoteWatchCommand: Command {
    static let reference = CommandReference(
        "note watch", "[--json]",
        "print changes as they arrive, until Control-C",
        options: NoteOptions.all + [.flag("json", "print one JSON object a line")],
        examples: ["alcove note watch --dir ~/Sync/Notes"])

    let arguments: Arguments

    func run() async throws {
        let signals = await Signals()
        try await NoteOptions.withLibrary(arguments, watches: true) { library in
            let changes = library.changes()
            let printer = Task { for await change in changes { try show(change) } }
            Terminal.log(arguments.has("json") ? "" : "watching; Control-C ends it")
            await signals.wait()
            printer.cancel()
        }
    }

    /// A change, as a script reads it.
    private struct Line: Encodable {
        var time = ISOTime(NoteLibrary.now())
        var change: String
        var note: NoteLine?
        var id: String?
        var author: String?
        var remaining: Int?
        var problem: String?
    }

    private func show(_ change: NoteChange) throws {
        let line = Self.line(change)
        if arguments.has("json") { return try Terminal.print(json: line) }
        Terminal.print("\(WrittenTime.text(line.time.milliseconds))  \(Self.plain(line))")
    }

    private static func line(_ change: NoteChange) -> Line {
        switch change {
        case .note(let note, let author): Line(change: "note", note: NoteLine(note), id: note.id, author: author)
        case .removed(let note, forGood: true): Line(change: "removed", id: note)
        case .removed(let note, forGood: false): Line(change: "missing", id: note)
        case .folders: Line(change: "folders")
        case .sync(.ready): Line(change: "ready")
        case .sync(.catchingUp(let remaining)): Line(change: "catching_up", remaining: remaining)
        case .sync(.problem(let failure)): Line(change: "problem", problem: failure.message)
        }
    }

    private static func plain(_ line: Line) -> String {
        if let note = line.note {
            return "\(note.id)  \(note.title)\(line.author.map { "  by \($0)" } ?? "")"
                + (note.deleted ? "  (deleted)" : "")
        }
        if let problem = line.problem { return "! \(problem)" }
        if let remaining = line.remaining { return "reading, \(remaining) notes to go" }
        guard let id = line.id else { return line.change == "folders" ? "folders changed" : line.change }
        return line.change == "removed"
            ? "\(id)  removed for good" : "\(id)  its files are gone; it is back when they are"
    }
}
