import CRDTBridge
import Notes

/// `alcove note comment`
struct NoteCommentCommand: Command {
    static let reference = CommandReference(
        "note comment",
        "NOTE [--on QUOTE TEXT | --reply COMMENT TEXT | --react EMOJI --to COMMENT | --resolve COMMENT]",
        "read and write comments in the margin of a note",
        takes: .some(1...2, "NOTE, and the text of what you say"),
        options: NoteOptions.all + [
            .value("on", "QUOTE", "comment on the first place where the note says this"),
            .value("reply", "COMMENT", "answer a comment"),
            .value("react", "EMOJI", "react to a comment, or (with --answer) to a reply"),
            .value("to", "COMMENT", "the comment to react to"),
            .value("answer", "REPLY", "the reply to react to"),
            .value("resolve", "COMMENT", "settle a comment"),
            .value("reopen", "COMMENT", "open a settled comment again"), NoteOptions.json,
        ],
        examples: [
            "alcove note comment Groceries", "alcove note comment Groceries --on milk \"Oat milk?\"",
            "alcove note comment Groceries --reply 8FJ2n4hKTq2o0mM9sZkq3g \"Yes\"",
        ])

    private let arguments: Arguments
    private let operand: String
    private let request: Request

    private enum Request {
        case list
        case begin(quote: String, text: String)
        case reply(comment: String, text: String)
        case react(emoji: String, comment: String, reply: String?)
        case resolve(comment: String, Bool)
    }

    init(arguments: Arguments) throws {
        let words = arguments.operands
        operand = words[0]
        self.arguments = arguments
        let asked = ["on", "reply", "react", "resolve", "reopen"].filter { arguments[$0] != nil }
        guard asked.count <= 1 else { throw UsageError("one at a time: --\(asked.joined(separator: " or --"))") }
        request = try Self.request(asked.first, arguments, text: words.count > 1 ? words[1] : nil)
    }

    private static func request(_ asked: String?, _ arguments: Arguments, text: String?) throws -> Request {
        guard let asked, let value = arguments[asked] else {
            if text != nil { throw UsageError("say what the text is about: --on QUOTE, or --reply COMMENT") }
            return .list
        }
        switch (asked, text) {
        case ("on", let text?): return .begin(quote: value, text: try NoteInput.text(text))
        case ("reply", let text?): return .reply(comment: value, text: try NoteInput.text(text))
        case ("on", nil), ("reply", nil): throw UsageError("--\(asked) needs the text of what you say")
        case (_, _?): throw UsageError("--\(asked) takes no text")
        case ("react", nil):
            guard let comment = arguments["to"] else { throw UsageError("--react needs --to COMMENT") }
            return .react(emoji: value, comment: comment, reply: arguments["answer"])
        default: return .resolve(comment: value, asked == "resolve")
        }
    }

    func run() async throws {
        let comments = try await NoteOptions.withLibrary(arguments) { library in
            try await answer(library, try await library.note(operand).id)
        }
        if arguments.has("json") { return try Terminal.print(json: comments.map(CommentLine.init)) }
        for comment in comments { CommentLine(comment).plain.forEach { Terminal.print($0) } }
    }

    /// Does what was asked, and returns what there is to show.
    private func answer(_ library: NoteLibrary, _ note: String) async throws -> [CommentThread] {
        switch request {
        case .list: try await library.comments(on: note)
        case .begin(let quote, let text): [try await library.comment(on: note, quoting: quote, text)]
        case .reply(let comment, let text): [try await library.reply(to: comment, on: note, text)]
        case .react(let emoji, let comment, let reply):
            [try await library.react(emoji, to: comment, reply: reply, on: note)]
        case .resolve(let comment, let on): [try await library.resolve(comment, on: note, on)]
        }
    }
}

/// A thread of comments as it is printed.
struct CommentLine: Encodable {
    struct Reply: Encodable {
        var id: String
        var author: String
        var text: String
        var created: ISOTime
    }

    struct Reaction: Encodable {
        var author: String
        var emoji: String
        var reply: String?
    }

    var id: String
    var author: String
    var text: String
    var quoted: String
    var created: ISOTime
    var resolved: Bool
    var replies: [Reply]
    var reactions: [Reaction]

    init(_ comment: CommentThread) {
        id = comment.id
        author = comment.author.name
        text = comment.text
        quoted = comment.quoted
        created = ISOTime(comment.created)
        resolved = comment.isResolved
        replies = comment.replies.map {
            Reply(id: $0.id, author: $0.author.name, text: $0.text, created: ISOTime($0.created))
        }
        reactions = comment.reactions.map { Reaction(author: $0.author.name, emoji: $0.emoji, reply: $0.reply) }
    }

    /// The lines for a person.
    var plain: [TerminalText] {
        let state = resolved ? "  (resolved)" : ""
        let said = TerminalText.text(text, margin: "      ")
        let head: [TerminalText] = ["\(id)  \"\(quoted)\"\(state)", "    \(author): \(said)\(emoji(of: nil))"]
        return head
            + replies.map { reply in
                "      \(reply.author): \(.text(reply.text, margin: "        "))\(emoji(of: reply.id))  \(reply.id)"
            }
    }

    private func emoji(of reply: String?) -> String {
        let here = reactions.filter { $0.reply == reply }
        return here.isEmpty ? "" : "  " + here.map { "\($0.emoji) \($0.author)" }.joined(separator: ", ")
    }
}
