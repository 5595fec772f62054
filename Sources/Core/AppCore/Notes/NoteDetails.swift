// What is around the text of a note, as the host tells it while somebody looks at it.

/// Notes that are linked with a note, and what people say about it. Links to notes that are not in the list are left out when they are
/// shown.
package struct NoteDetails: Sendable, Hashable, Codable {
    /// Notes that its text leads to, in the order of the text.
    package var links: [NoteID]
    /// Notes whose text leads to it.
    package var backlinks: [NoteID]
    /// In the order of the text that they are about.
    package var comments: [NoteComment]

    package init(links: [NoteID] = [], backlinks: [NoteID] = [], comments: [NoteComment] = []) {
        self.links = links
        self.backlinks = backlinks
        self.comments = comments
    }

    /// The comment that began a thread, or an answer in it: what it says, and whether the person said it.
    func remark(_ comment: CommentID, _ reply: ReplyID?) -> (text: String, isOwn: Bool)? {
        let thread = comments.first { $0.id == comment }
        guard let reply else { return thread.map { ($0.text, $0.isOwn) } }
        return thread?.replies.first { $0.id == reply }.map { ($0.text, $0.isOwn) }
    }

    /// As it may be kept and shown here.
    var fitted: NoteDetails {
        var known: Set<String> = []
        let isNew = { (id: String) in known.insert(id).inserted }
        return NoteDetails(
            links: Array(links.uniqued.prefix(NotebookLimits.links)),
            backlinks: Array(backlinks.uniqued.prefix(NotebookLimits.links)),
            comments: comments.prefix(NotebookLimits.comments).filter { isNew($0.id.text) }.map { comment in
                var fitted = comment.fitted
                fitted.replies.removeAll { !isNew($0.id.text) }
                return fitted
            })
    }
}

package typealias CommentID = Identifier<NoteComment>
package typealias ReplyID = Identifier<NoteComment.Reply>

/// What somebody says about a piece of a note, with the answers to it. Nothing proves that the names are the authors' own.
package struct NoteComment: Sendable, Hashable, Codable, Identifiable {
    package struct Reply: Sendable, Hashable, Codable, Identifiable {
        package let id: ReplyID
        package var author: String
        package var text: String
        package var at: Timestamp
        /// Whether the person said it; `nil` if not, and from services that do not say it.
        package var own: Bool?
        /// When it was corrected last.
        package var edited: Timestamp?

        package init(
            id: ReplyID, author: String, text: String, at: Timestamp, own: Bool = false, edited: Timestamp? = nil
        ) {
            self.id = id
            self.author = author
            self.text = text
            self.at = at
            self.own = own ? true : nil
            self.edited = edited
        }

        var isOwn: Bool { own == true }

        fileprivate var fitted: Reply {
            var reply = self
            reply.author = author.noteTitle
            reply.text = text.commentText
            return reply
        }
    }

    package let id: CommentID
    package var author: String
    package var text: String
    /// What it is about, as the note said it then.
    package var quote: String
    package var at: Timestamp
    /// Whether the person began the thread; `nil` if not, and from services that do not say it.
    package var own: Bool?
    /// When what began it was corrected last.
    package var edited: Timestamp?
    /// Whether it is settled.
    package var resolved: Bool
    package var replies: [Reply]

    package init(
        id: CommentID, author: String, text: String, quote: String, at: Timestamp, own: Bool = false,
        edited: Timestamp? = nil, resolved: Bool = false, replies: [Reply] = []
    ) {
        self.id = id
        self.author = author
        self.text = text
        self.quote = quote
        self.at = at
        self.own = own ? true : nil
        self.edited = edited
        self.resolved = resolved
        self.replies = replies
    }

    var isOwn: Bool { own == true }

    fileprivate var fitted: NoteComment {
        var comment = self
        comment.author = author.noteTitle
        comment.text = text.commentText
        comment.quote = quote.noteQuote
        comment.replies = replies.suffix(NotebookLimits.replies).map(\.fitted)
        return comment
    }
}

/// A stretch of work on a note: an entry of its history.
package struct NoteVersion: Sendable, Hashable, Codable {
    package var start: Timestamp
    /// When the last change of it was made. It names the state of the note that it led to.
    package var end: Timestamp
    package var changes: Int
    package var authors: [String]

    package init(start: Timestamp, end: Timestamp, changes: Int, authors: [String]) {
        self.start = start
        self.end = end
        self.changes = changes
        self.authors = authors
    }

    var fitted: NoteVersion {
        NoteVersion(
            start: start, end: end, changes: max(changes, 1),
            authors: authors.prefix(NotebookLimits.authors).map(\.noteTitle))
    }
}

/// A note whose surroundings the host tells, because some view shows them.
package struct FollowedNote: Sendable, Hashable, Codable {
    package let note: NoteID
    /// The ``Effect/Kind/followNote(note:)``; `nil` once it has failed.
    package var effect: EffectID?
    /// `nil` until the host has told them.
    package var details: NoteDetails?
    package var failure: Failure?
}

package struct FollowedNotes: Sendable, Hashable, AddedLater {
    package var all: [FollowedNote] = []

    package init() {}

    package subscript(note: NoteID) -> FollowedNote? { all.first { $0.note == note } }

    mutating func update(where fits: (FollowedNote) -> Bool, _ change: (inout FollowedNote) -> Void) {
        if let index = all.firstIndex(where: fits) { change(&all[index]) }
    }
}

extension String {
    /// A comment, or an answer to one: what differs only in the ends of its lines, or in blanks around it, is the same.
    var commentText: String {
        replacing("\r\n", with: "\n").replacing("\r", with: "\n").trimmed.limited(to: NotebookLimits.commentBytes)
    }

    /// A piece of a note that a comment is about.
    var noteQuote: String { replacing("\n", with: " ").withoutControls.limited(to: NotebookLimits.quoteBytes) }
}

extension Array where Element: Hashable {
    /// Without what came before.
    fileprivate var uniqued: [Element] {
        var known: Set<Element> = []
        return filter { known.insert($0).inserted }
    }
}
