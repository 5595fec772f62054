internal import RichText
internal import ScriptEngine

/// Comments are kept in the note itself. All times are milliseconds since 1970; every change gives its update.
extension CRDTBridge {
    /// What a comment or reply may have, in UTF-16 code units.
    public static var commentLengthLimit: Int { 10_000 }

    /// All threads in the order of the text that they were made on.
    public func comments(of id: String) throws(CRDTError) -> [CommentThread] {
        var json = try json(try call(.comments, on: id), of: id)
        var threads: [CommentThread] = []
        try read(id) { () throws(JSONCursor.Malformed) in
            try json.array { cursor throws(JSONCursor.Malformed) in
                if let thread = CommentThread(try cursor.object()) { threads.append(thread) }
            }
        }
        return threads.sorted {
            ($0.anchor?.lowerBound ?? .max, $0.created, $0.id) < ($1.anchor?.lowerBound ?? .max, $1.created, $1.id)
        }
    }

    /// Starts a thread about a stretch of text: its entry and a mark on the text, in one transaction.
    public func addComment(
        _ thread: String, _ text: String, on range: TextRange, by author: CommentAuthor, at time: Int64, to id: String
    ) throws(CRDTError) -> [UInt8]? {
        try checkLength(text, of: id)
        let selection = Selection(range, in: try tree(of: id))
        guard !selection.isEmpty, let start = selection.start, let end = selection.end else {
            throw CRDTError(.misfit, "\(id): there is no text to comment on at this place")
        }
        var fields = author.fields
        fields.merge(entry(text, at: time)) { $1 }
        fields["noteId"] = .string(id)
        fields["originalText"] = .string(selection.text)
        fields["resolved"] = false
        let mark = CommentMark(thread: thread)
        return try change(id, "add", thread) { json in
            json.object(fields)
            json.raw(",\(start),\(end),")
            json.edits(selection.marking(mark.name, mark.value))
        }
    }

    /// Answers a thread.
    public func addReply(
        _ reply: String, _ text: String, by author: CommentAuthor, at time: Int64, to thread: String, in id: String
    ) throws(CRDTError) -> [UInt8]? {
        try checkLength(text, of: id)
        var fields = author.fields
        fields.merge(entry(text, at: time)) { $1 }
        fields["id"] = .string(reply)
        fields["threadId"] = .string(thread)
        return try change(id, "reply", thread) { $0.object(fields) }
    }

    /// Changes the text of a thread's comment, or of a reply, and says so in the field `edited`: `modified` also changes when a thread is
    /// settled, and other programs begin a thread with an empty text.
    public func editComment(
        _ thread: String, reply: String? = nil, _ text: String, at time: Int64, in id: String
    ) throws(CRDTError) -> [UInt8]? {
        try checkLength(text, of: id)
        let time = RichText.Value.number(Double(time))
        return try set(["content": .string(text), "modified": time, "edited": time], thread, reply, in: id)
    }

    /// Closes a thread, or with `isResolved` false opens it again.
    public func resolveComment(
        _ thread: String, _ isResolved: Bool = true, by author: String, at time: Int64, in id: String
    ) throws(CRDTError) -> [UInt8]? {
        let fields: [String: RichText.Value] = [
            "resolved": .bool(isResolved), "modified": .number(Double(time)),
            "resolvedBy": isResolved ? .string(author) : .null,
            "resolvedAt": isResolved ? .number(Double(time)) : .null,
        ]
        return try set(fields, thread, nil, in: id)
    }

    /// Puts an emoji on a thread or a reply.
    public func addReaction(
        _ reaction: String, _ emoji: String, by author: CommentAuthor, at time: Int64, to thread: String,
        reply: String? = nil, in id: String
    ) throws(CRDTError) -> [UInt8]? {
        let fields: [String: RichText.Value] = [
            "id": .string(reaction), "emoji": .string(emoji), "authorId": .string(author.id),
            "authorName": .string(author.name), "created": .number(Double(time)),
            "targetType": .string(reply == nil ? "thread" : "reply"), "targetId": .string(reply ?? thread),
        ]
        return try change(id, "react", thread) { $0.object(fields) }
    }

    /// Takes a reaction away. Nil if it was gone.
    public func removeReaction(_ reaction: String, from thread: String, in id: String) throws(CRDTError) -> [UInt8]? {
        try change(id, "unreact", thread) { $0.string(reaction) }
    }

    /// Deletes a reply, with the reactions to it. Nil if it was gone.
    public func deleteReply(_ reply: String, from thread: String, in id: String) throws(CRDTError) -> [UInt8]? {
        try change(id, "deleteReply", thread) { $0.string(reply) }
    }

    /// Deletes a thread, with all in it and its mark in the text.
    public func deleteComment(_ thread: String, in id: String) throws(CRDTError) -> [UInt8]? {
        let edits = try tree(of: id).unmarking(CommentMark(thread: thread).name)
        return try change(id, "delete", thread) { $0.edits(edits) }
    }

    private func set(
        _ fields: [String: RichText.Value], _ thread: String, _ reply: String?, in id: String
    ) throws(CRDTError) -> [UInt8]? {
        try change(id, "set", thread) { json in
            json.value(reply.map(RichText.Value.string) ?? .null)
            json.raw(",")
            json.object(fields)
        }
    }

    private func change(
        _ id: String, _ kind: String, _ thread: String, _ rest: (inout JSONText) -> Void
    ) throws(CRDTError) -> [UInt8]? {
        var json = JSONText()
        json.raw("[\"\(kind)\",")
        json.string(thread)
        json.raw(",")
        rest(&json)
        json.raw("]")
        return try update(try call(.changeComments, on: id, json.text), of: id)
    }

    private func entry(_ text: String, at time: Int64) -> [String: RichText.Value] {
        let time = RichText.Value.number(Double(time))
        return ["content": .string(text), "created": time, "modified": time]
    }

    private func checkLength(_ text: String, of id: String) throws(CRDTError) {
        guard text.utf16.count <= Self.commentLengthLimit else {
            throw CRDTError(.tooLarge, "\(id): a comment has at most \(Self.commentLengthLimit) characters")
        }
    }
}
