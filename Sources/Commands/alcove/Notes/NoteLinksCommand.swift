import Notes

/// `alcove note links`
struct NoteLinksCommand: Command {
    static let reference = CommandReference(
        "note links", "NOTE [--json]",
        "show which notes a note links to, and which link to it",
        takes: .one("NOTE: a title, an id or the beginning of one"),
        options: NoteOptions.all + [NoteOptions.json],
        examples: ["alcove note links Groceries"])

    let arguments: Arguments
    private var operand: String { arguments.operands[0] }

    private struct Links: Encodable {
        var from: [Line]
        var to: [Line]
    }

    private struct Line: Encodable {
        var id: String
        var title: String?

        init(_ link: NoteLink) {
            id = link.note
            title = link.title
        }
    }

    func run() async throws {
        let links = try await NoteOptions.withLibrary(arguments) { library in
            let note = try await library.note(operand).id
            return Links(
                from: try await library.links(to: note).map(Line.init),
                to: try await library.links(from: note).map(Line.init))
        }
        if arguments.has("json") { return try Terminal.print(json: links) }
        for line in links.to { Terminal.print("to    \(line.id)  \(line.title ?? "(not here)")") }
        for line in links.from { Terminal.print("from  \(line.id)  \(line.title ?? "(not here)")") }
    }
}
