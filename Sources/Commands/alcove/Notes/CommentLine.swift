import CRDTBridge
import Notes

/// A thread of comments as it is printed.
struct CommentLine: Encodable {
    struct Reply: Encodable {
        var id: String
        var author: String
        var text: String
        var created: ISOTime
        var edited: ISOTime?
        /// Whether the person of this profile said it.
        var own: Bool
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
    var edited: ISOTime?
    /// Whether the person of this profile said it.
    var own: Bool
    var resolved: Bool
    var replies: [Reply]
    var reactions: [Reaction]

    /// - Parameter own: the ids under which the person of this profile writes.
    init(_ comment: CommentThread, own: Set<String>) {
        id = comment.id
        author = comment.author.name
        text = comment.text
        quoted = comment.quoted
        created = ISOTime(comment.created)
        edited = comment.edited.map(ISOTime.init)
        self.own = own.contains(comment.author.id)
        resolved = comment.isResolved
        replies = comment.replies.map {
            Reply(
                id: $0.id, author: $0.author.name, text: $0.text, created: ISOTime($0.created),
                edited: $0.edited.map(ISOTime.init), own: own.contains($0.author.id))
        }
        reactions = comment.reactions.map { Reaction(author: $0.author.name, emoji: $0.emoji, reply: $0.reply) }
    }

    /// The lines for a person.
    var plain: [TerminalText] {
        let state = (resolved ? "  (resolved)" : "") + (edited == nil ? "" : "  (edited)")
        let said = TerminalText.text(text, margin: "      ")
        let head: [TerminalText] = ["\(id)  \"\(quoted)\"\(state)", "    \(author): \(said)\(emoji(of: nil))"]
        return head
            + replies.map { reply in
                let state = reply.edited == nil ? "" : "  (edited)"
                return
                    "      \(reply.author): \(.text(reply.text, margin: "        "))\(emoji(of: reply.id))  \(reply.id)\(state)"
            }
    }

    private func emoji(of reply: String?) -> String {
        let here = reactions.filter { $0.reply == reply }
        return here.isEmpty ? "" : "  " + here.map { "\($0.emoji) \($0.author)" }.joined(separator: ", ")
    }
}
