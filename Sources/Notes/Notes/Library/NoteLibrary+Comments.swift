package import CRDTBridge
internal import NoteFiles
internal import RichText
internal import Wire

extension NoteLibrary {
    /// The threads of a note, in the order of the text.
    package func comments(on note: String) async throws(NoteFailure) -> [CommentThread] {
        let note = try open(note)
        return try crdt { try $0.comments(of: note.text) }
    }

    /// The ids under which the person of this profile writes, and wrote: who has one of them as author said it themselves.
    package var ownAuthors: Set<String> { WriterLock.identities(in: home) }

    /// Begins a thread about a place where the note says `quoted`.
    /// - Parameters:
    ///   - quoted: as it reads, also across paragraphs: any white space stands for any other.
    ///   - nth: how many places that say the same come before it. If there are fewer by now, the last one is meant.
    ///   - text: at most 10 000 UTF-16 code units.
    ///   - thread: the id that it gets. If there is such a thread already, that one is returned: a repeated request makes one thread.
    @discardableResult
    package func comment(
        on note: String, quoting quoted: String, nth: Int = 0, _ text: String, id thread: String? = nil
    ) async throws(NoteFailure) -> CommentThread {
        let id = try openForChange(note)
        try checkLength(text)
        if let thread, let known = try self.thread(thread, on: id) { return known }
        guard let range = try crdt({ try $0.tree(of: note) }).range(of: quoted, nth: nth) else {
            throw NoteFailure(
                .textUnknown, "the note does not say “\(quoted)”: quote words as they are there")
        }
        return try discuss(id, thread ?? CompactID.random().description) { bridge, thread, author, now in
            try bridge.addComment(thread, text, on: range, by: author, at: now, to: note)
        }
    }

    /// - Parameter reply: the id that the answer gets. If there is such an answer already, nothing is added.
    @discardableResult
    package func reply(
        to comment: String, on note: String, _ text: String, id reply: String? = nil
    ) async throws(NoteFailure) -> CommentThread {
        let id = try openForChange(note)
        try checkLength(text)
        if let reply, let known = try thread(comment, on: id), known.replies.contains(where: { $0.id == reply }) {
            return known
        }
        return try discuss(id, comment) { bridge, thread, author, now in
            let reply = reply ?? CompactID.random().description
            return try bridge.addReply(reply, text, by: author, at: now, to: thread, in: note)
        }
    }

    /// Corrects what this person said: the comment that began a thread, or the answer `reply` to it. An empty text, and the one that it has,
    /// change nothing; the ends of lines, and blanks around it, make no other text.
    /// - Parameters:
    ///   - text: at most 10 000 UTF-16 code units.
    ///   - base: what it may say besides `text`. If it says something else, it was corrected meanwhile, and stays so.
    @discardableResult
    package func correct(
        _ comment: String, reply: String? = nil, on note: String, _ text: String, base: [String]? = nil
    ) async throws(NoteFailure) -> CommentThread {
        let id = try openForChange(note)
        let text = text.asSaid
        guard let known = try thread(comment, on: id), let remark = known.remark(reply) else {
            throw Self.unknown(reply ?? comment)
        }
        try checkOwn(remark.author)
        try checkLength(text)
        let said = remark.text.asSaid
        guard !text.isEmpty, text != said else { return known }
        guard base?.contains(where: { $0.asSaid == said }) ?? true else {
            throw NoteFailure(.commentChanged, "somebody corrected the comment “\(reply ?? comment)” meanwhile")
        }
        return try discuss(id, comment) { bridge, thread, _, now in
            try bridge.editComment(thread, reply: reply, text, at: now, in: note)
        }
    }

    /// Removes an answer of this person. One that is not there stays away.
    package func deleteReply(_ reply: String, to comment: String, on note: String) async throws(NoteFailure) {
        let id = try openForChange(note)
        guard let remark = try thread(comment, on: id)?.remark(reply) else { return }
        try checkOwn(remark.author)
        try commit(to: id) { [try $0.deleteReply(reply, from: comment, in: note)] }
    }

    /// Removes a thread with everything that was said in it. One that is not there stays away.
    package func deleteComment(_ comment: String, on note: String) async throws(NoteFailure) {
        let id = try openForChange(note)
        guard try thread(comment, on: id) != nil else { return }
        try commit(to: id) { [try $0.deleteComment(comment, in: note)] }
    }

    /// Settles a thread, or opens it again.
    @discardableResult
    package func resolve(
        _ comment: String, on note: String, _ isResolved: Bool = true
    ) async throws(NoteFailure) -> CommentThread {
        try discuss(try openForChange(note), comment) { bridge, thread, author, now in
            try bridge.resolveComment(thread, isResolved, by: author.id, at: now, in: note)
        }
    }

    /// Adds a reaction of ours to a thread, or to a reply in it.
    @discardableResult
    package func react(
        _ emoji: String, to comment: String, reply: String? = nil, on note: String
    ) async throws(NoteFailure) -> CommentThread {
        guard (1...64).contains(emoji.utf8.count) else {
            throw NoteFailure(.badRequest, "a reaction is one emoji")
        }
        return try discuss(try openForChange(note), comment) { bridge, thread, author, now in
            try bridge.addReaction(
                CompactID.random().description, emoji, by: author, at: now, to: thread, reply: reply, in: note)
        }
    }

    /// Changes a thread, and gives it as it is then.
    private func discuss(
        _ note: NoteID, _ thread: String,
        _ change: @Sendable (isolated CRDTBridge, _ thread: String, CommentAuthor, _ now: Int64) throws -> [UInt8]?
    ) throws(NoteFailure) -> CommentThread {
        let author = CommentAuthor(id: try writer().id.text, name: person)
        let now = options.clock()
        try commit(to: note) { [try change($0, thread, author, now)] }
        guard let found = try self.thread(thread, on: note) else {
            throw Self.unknown(thread)
        }
        return found
    }

    private func checkOwn(_ author: CommentAuthor) throws(NoteFailure) {
        guard ownAuthors.contains(author.id) else {
            throw NoteFailure(.notOwn, "only who said it can change it: answer it instead")
        }
    }

    private func checkLength(_ text: String) throws(NoteFailure) {
        let limit = CRDTBridge.commentLengthLimit
        guard text.utf16.count <= limit else {
            throw NoteFailure(.commentTooLong, "a comment has at most \(limit) characters: shorten it, or make several")
        }
    }

    private static func unknown(_ comment: String) -> NoteFailure {
        NoteFailure(.commentUnknown, "there is no comment “\(comment)” on this note")
    }

    private func thread(_ id: String, on note: NoteID) throws(NoteFailure) -> CommentThread? {
        try crdt { try $0.comments(of: note.text) }.first { $0.id == id }
    }
}

extension CommentThread {
    /// Who said what: the comment that began the thread, or an answer; nil if there is none.
    fileprivate func remark(_ reply: String?) -> (author: CommentAuthor, text: String)? {
        guard let reply else { return (author, text) }
        return replies.first { $0.id == reply }.map { ($0.author, $0.text) }
    }
}

extension String {
    /// What somebody said in a comment, without what only the program that sent it adds.
    fileprivate var asSaid: String {
        let lines = replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        guard let first = lines.firstIndex(where: { !$0.isWhitespace }),
            let last = lines.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(lines[first...last])
    }
}
