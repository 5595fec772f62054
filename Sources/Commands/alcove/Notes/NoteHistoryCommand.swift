import Notes

/// `alcove note history`
struct NoteHistoryCommand: Command {
    static let reference = CommandReference(
        "note history", "NOTE [--json]",
        "show when a note was written, and by whom",
        takes: .one("NOTE: a title, an id or the beginning of one"),
        options: NoteOptions.all + [NoteOptions.json],
        examples: ["alcove note history Groceries", "alcove note show Groceries --at 2026-11-21T22:05:09.120Z"])

    let arguments: Arguments
    private var operand: String { arguments.operands[0] }

    private struct Line: Encodable {
        var id: String
        var start: ISOTime
        var end: ISOTime
        var updates: Int
        var authors: [String]

        init(_ session: NoteHistory.Session) {
            id = session.id
            start = ISOTime(session.start)
            end = ISOTime(session.end)
            updates = session.updates
            authors = session.authors
        }
    }

    func run() async throws {
        let lines = try await NoteOptions.withLibrary(arguments) { library in
            try await library.history(of: try await library.note(operand).id).sessions.map(Line.init)
        }
        if arguments.has("json") { return try Terminal.print(json: lines) }
        for line in lines {
            let changes = line.updates == 1 ? "1 change" : "\(line.updates) changes"
            let times = [line.start, line.end].map { WrittenTime.text($0.milliseconds) }.joined(separator: "  ")
            Terminal.print("\(times)  \(changes)  \(line.authors.joined(separator: ", "))")
        }
    }
}
