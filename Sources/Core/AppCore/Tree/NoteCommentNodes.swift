// What people say about a note: threads with their answers, and a form for the next one.

extension Presentation {
    func commentSection(_ note: NoteID, _ comments: [NoteComment], canWrite: Bool) -> SemanticNode {
        var children: [SemanticNode] = []
        if !comments.isEmpty {
            var threads = SemanticNode(
                .list, "note.threads", comments.map { thread($0, of: note, canWrite: canWrite) })
            threads.templates = [
                Offer(
                    .reply, .notes(.replyToComment(note: note, comment: "_", text: "")),
                    inputs: ["comment": .thing, "text": .longText]),
                Offer(
                    .edit, .notes(.correctComment(note: note, comment: "_", reply: nil, text: "")),
                    inputs: ["comment": .thing, "text": .longText]),
            ]
            children.append(threads)
        }
        return SemanticNode(.section, "note.comments", children + (canWrite ? commentForm(note) : []))
    }

    private func thread(_ comment: NoteComment, of note: NoteID, canWrite: Bool) -> SemanticNode {
        let id = "comment.\(comment.id)"
        let name = ["name": Words.Arg.words(comment.author.personWords)]
        var children = comment.replies.map { answer($0, to: comment.id, of: note, canWrite: canWrite) }
        children.append(
            .toggle(
                "\(id).resolve", .key("comment.resolve", name), isOn: comment.resolved,
                .notes(.resolveComment(note: note, comment: comment.id, on: !comment.resolved)), isEnabled: canWrite))
        children.append(
            .button(
                "\(id).delete", .key("comment.delete", name),
                .notes(.deleteComment(note: note, comment: comment.id)), isEnabled: canWrite))
        var node = SemanticNode(
            .item, id, comment.author.personWords, value: .text(comment.text),
            detail: Words(sentences: [
                .key("comment.about", ["quote": .said(comment.quote)]), comment.edited.map { _ in "comment.edited" },
            ]), at: comment.at, children)
        if canWrite { node.uses = comment.isOwn ? [.reply, .edit] : [.reply] }
        if canWrite, comment.replies.contains(where: \.isOwn) {
            node.templates = [
                Offer(
                    .edit, .notes(.correctComment(note: note, comment: comment.id, reply: "_", text: "")),
                    inputs: ["reply": .thing, "text": .longText])
            ]
        }
        return node
    }

    /// An answer. The person's own ones can be corrected and deleted.
    private func answer(
        _ reply: NoteComment.Reply, to comment: CommentID, of note: NoteID, canWrite: Bool
    ) -> SemanticNode {
        let id = "reply.\(reply.id)"
        var node = SemanticNode(
            .item, id, reply.author.personWords, value: .text(reply.text),
            detail: reply.edited.map { _ in "comment.edited" }, at: reply.at)
        guard reply.isOwn else { return node }
        if canWrite { node.uses = [.edit] }
        node.children = [
            .button(
                "\(id).delete", "reply.delete",
                .notes(.deleteReply(note: note, comment: comment, reply: reply.id)), isEnabled: canWrite)
        ]
        return node
    }

    private func commentForm(_ note: NoteID) -> [SemanticNode] {
        let (quote, text) = (view.notes.inspector.quoteForm, view.notes.inspector.commentForm)
        let nth = view.notes.inspector.quotePlace
        var said = SemanticNode.field(
            "note.comment.text", text: text, .notes(.editComment(quote: nil, text: "")), input: "text", kind: .longText)
        said.detail = view.notes.inspector.unsent.map { .all([$0, "note.comment.returned"]) }
        return [
            quoteField(quote), said,
            .button(
                "note.comment.submit", .notes(.commentNote(note: note, quote: quote, nth: nth, text: text)),
                isEnabled: !quote.trimmed.isEmpty && !text.trimmed.isEmpty),
        ]
    }

    /// Words are typed, or selected in the text: then their place is known, too.
    private func quoteField(_ quote: String) -> SemanticNode {
        let action = Action.notes(.editComment(quote: "", text: nil))
        var field = SemanticNode.field("note.comment.quote", text: quote, action, input: "quote")
        field.offers = [Offer(.setText, action, inputs: ["quote": .text, "nth": .number])]
        return field
    }
}
