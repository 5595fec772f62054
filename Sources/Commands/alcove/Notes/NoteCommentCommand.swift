import CRDTBridge
import Notes

/// `alcove note comment`
struct NoteCommentCommand: Command {
    static let reference = CommandReference(
        "note comment",
        "NOTE [--on QUOTE TEXT | --reply COMMENT TEXT | --correct COMMENT TEXT | --delete COMMENT --answer REPLY"
            + " | --react EMOJI --to COMMENT | --resolve COMMENT]",
        "read and write comments in the margin of a note",
        takes: .some(1...2, "NOTE, and the text of what you say"),
        options: NoteOptions.all + [
            .value("on", "QUOTE", "comment on the first place where the note says this"),
            .value("reply", "COMMENT", "answer a comment"),
            .value("correct", "COMMENT", "correct a comment, or (with --answer) a reply, of your own"),
            .value("delete", "COMMENT", "delete a reply of your own to this comment: --answer says which"),
            .value("react", "EMOJI", "react to a comment, or (with --answer) to a reply"),
            .value("to", "COMMENT", "the comment to react to"),
            .value("answer", "REPLY", "the reply that is meant, instead of the comment"),
            .value("resolve", "COMMENT", "settle a comment"),
            .value("reopen", "COMMENT", "open a settled comment again"), NoteOptions.json,
        ],
        examples: [
            "alcove note comment Groceries", "alcove note comment Groceries --on milk \"Oat milk?\"",
            "alcove note comment Groceries --reply 8FJ2n4hKTq2o0mM9sZkq3g \"Yes\"",
            "alcove note comment Groceries --correct 8FJ2n4hKTq2o0mM9sZkq3g \"Oat milk, or soy?\"",
        ])

    private let arguments: Arguments
    private let operand: String
    private let request: Request

    private enum Request {
        case list
        case begin(quote: String, text: String)
        case reply(comment: String, text: String)
        case correct(comment: String, reply: String?, text: String)
        case delete(comment: String, reply: String)
        case react(emoji: String, comment: String, reply: String?)
        case resolve(comment: String, Bool)
    }

    init(arguments: Arguments) throws {
        let words = arguments.operands
        operand = words[0]
        self.arguments = arguments
        let asked = ["on", "reply", "correct", "delete", "react", "resolve", "reopen"].filter { arguments[$0] != nil }
        guard asked.count <= 1 else { throw UsageError("one at a time: --\(asked.joined(separator: " or --"))") }
        // What would be left out of account is refused.
        for (option, takers) in [("answer", ["correct", "delete", "react"]), ("to", ["react"])] {
            guard arguments[option] == nil || takers.contains(asked.first ?? "") else {
                throw UsageError("--\(option) goes with --\(takers.joined(separator: " or --")) only")
            }
        }
        request = try Self.request(asked.first, arguments, text: words.count > 1 ? words[1] : nil)
    }

    private static func request(_ asked: String?, _ arguments: Arguments, text: String?) throws -> Request {
        guard let asked, let value = arguments[asked] else {
            if text != nil { throw UsageError("say what the text is about: --on QUOTE, or --reply COMMENT") }
            return .list
        }
        switch (asked, text) {
        case ("on", let text?): return .begin(quote: value, text: try said(text, with: asked))
        case ("reply", let text?): return .reply(comment: value, text: try said(text, with: asked))
        case ("correct", let text?):
            return .correct(comment: value, reply: arguments["answer"], text: try said(text, with: asked))
        case ("on", nil), ("reply", nil), ("correct", nil):
            throw UsageError("--\(asked) needs the text of what you say")
        case (_, _?): throw UsageError("--\(asked) takes no text")
        case ("delete", nil):
            guard let reply = arguments["answer"] else { throw UsageError("--delete needs --answer REPLY") }
            return .delete(comment: value, reply: reply)
        case ("react", nil):
            guard let comment = arguments["to"] else { throw UsageError("--react needs --to COMMENT") }
            return .react(emoji: value, comment: comment, reply: arguments["answer"])
        default: return .resolve(comment: value, asked == "resolve")
        }
    }

    private static func said(_ word: String, with option: String) throws -> String {
        let text = try NoteInput.text(word)
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw UsageError("the text is empty: --\(option) needs what you say")
        }
        return text
    }

    func run() async throws {
        let lines = try await NoteOptions.withLibrary(arguments) { library in
            let comments = try await answer(library, try await library.note(operand).id)
            let own = await library.ownAuthors
            return comments.map { CommentLine($0, own: own) }
        }
        if arguments.has("json") { return try Terminal.print(json: lines) }
        for line in lines { line.plain.forEach { Terminal.print($0) } }
    }

    /// Does what was asked, and returns what there is to show.
    private func answer(_ library: NoteLibrary, _ note: String) async throws -> [CommentThread] {
        switch request {
        case .list: try await library.comments(on: note)
        case .begin(let quote, let text): [try await library.comment(on: note, quoting: quote, text)]
        case .reply(let comment, let text): [try await library.reply(to: comment, on: note, text)]
        case .correct(let comment, let reply, let text):
            [try await library.correct(comment, reply: reply, on: note, text)]
        case .delete(let comment, let reply): try await delete(reply, to: comment, library, note)
        case .react(let emoji, let comment, let reply):
            [try await library.react(emoji, to: comment, reply: reply, on: note)]
        case .resolve(let comment, let on): [try await library.resolve(comment, on: note, on)]
        }
    }

    private func delete(
        _ reply: String, to comment: String, _ library: NoteLibrary, _ note: String
    ) async throws -> [CommentThread] {
        try await library.deleteReply(reply, to: comment, on: note)
        return try await library.comments(on: note).filter { $0.id == comment }
    }
}
