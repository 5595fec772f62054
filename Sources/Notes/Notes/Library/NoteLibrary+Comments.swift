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

    /// Begins a thread about the first place where the note says `quoted`.
    /// - Parameter text: at most 10 000 UTF-16 code units.
    @discardableResult
    package func comment(
        on note: String, quoting quoted: String, _ text: String
    ) async throws(NoteFailure) -> CommentThread {
        let id = try openForChange(note)
        guard let range = try crdt({ try $0.tree(of: note) }).firstRange(of: quoted) else {
            throw NoteFailure(
                .textUnknown, "the note does not say “\(quoted)”: quote words of one paragraph as they are there")
        }
        return try discuss(id, CompactID.random().description) { bridge, thread, author, now in
            try bridge.addComment(thread, text, on: range, by: author, at: now, to: note)
        }
    }

    @discardableResult
    package func reply(
        to comment: String, on note: String, _ text: String
    ) async throws(NoteFailure) -> CommentThread {
        try discuss(try openForChange(note), comment) { bridge, thread, author, now in
            try bridge.addReply(CompactID.random().description, text, by: author, at: now, to: thread, in: note)
        }
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
        guard let found = try crdt({ try $0.comments(of: note.text) }).first(where: { $0.id == thread }) else {
            throw NoteFailure(.commentUnknown, "there is no comment “\(thread)” on this note")
        }
        return found
    }
}

extension RichText {
    /// The first place in one text node where this is said.
    fileprivate func firstRange(of quoted: String) -> TextRange? {
        let wanted = Array(quoted.utf16)
        guard !wanted.isEmpty else { return nil }
        return Self.firstRange(of: wanted, in: blocks, at: [])
    }

    private static func firstRange(of wanted: [UInt16], in nodes: [Node], at path: Path) -> TextRange? {
        for (index, node) in nodes.enumerated() {
            switch node {
            case .element(let element):
                if let range = firstRange(of: wanted, in: element.children, at: path + [index]) { return range }
            case .text(let runs):
                let units = runs.flatMap { run -> [UInt16] in
                    if case .text(let text) = run.content { Array(text.utf16) } else { [0xfffc] }
                }
                guard let found = units.firstRange(of: wanted) else { continue }
                let here = path + [index]
                return TextRange(
                    from: TextPosition(here, found.lowerBound), to: TextPosition(here, found.upperBound))
            }
        }
        return nil
    }
}
