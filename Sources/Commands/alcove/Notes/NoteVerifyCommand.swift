import Notes

/// `alcove note verify`
struct NoteVerifyCommand: Command {
    static let reference = CommandReference(
        "note verify", "[--rebuild] [--json]",
        "check every file of the notes and every row of the index",
        options: NoteOptions.all + [.flag("rebuild", "make the index anew from the files alone"), NoteOptions.json],
        examples: ["alcove note verify", "alcove note verify --dir ~/Sync/Notes --rebuild --json"])

    let arguments: Arguments

    private struct Report: Encodable {
        struct Problem: Encodable {
            var file: String?
            var note: String?
            var text: String
        }

        var ok: Bool
        var notes: Int
        var records: Int
        var problems: [Problem]
    }

    func run() async throws {
        let found = try await NoteOptions.withLibrary(arguments) { library in
            try await library.verify(rebuildingIndex: arguments.has("rebuild"))
        }
        if arguments.has("json") {
            try Terminal.print(
                json: Report(
                    ok: found.isOK, notes: found.notes, records: found.records,
                    problems: found.problems.map { Report.Problem(file: $0.file, note: $0.note, text: $0.text) }))
        } else {
            Terminal.print("\(Self.count(found.notes, "note")) in \(Self.count(found.records, "record"))")
            for problem in found.problems {
                let words = [problem.file ?? problem.note, problem.text].compactMap(\.self).joined(separator: ": ")
                Terminal.print("! \(words)")
            }
        }
        guard found.isOK else {
            throw CommandFailure(
                "\(Self.count(found.problems.count, "problem")); the other notes are not affected", .dataError)
        }
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
