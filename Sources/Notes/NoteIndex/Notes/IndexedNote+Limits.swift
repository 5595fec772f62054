extension IndexedNote {
    /// What the index keeps of it, in the form in which it is read back.
    var limited: IndexedNote {
        var note = self
        note.title = title.kept(IndexLimits.title)
        note.preview = preview.kept(IndexLimits.preview)
        if text.utf8.count > IndexLimits.text {
            note.text = String(decoding: text.utf8.prefix(IndexLimits.text), as: UTF8.self)
        }
        var seen: Set<String> = []
        note.tags = tags.prefix(IndexLimits.items).map { $0.lowercased().kept(IndexLimits.tag) }
            .filter { seen.insert($0).inserted }
        note.links = Set(links.prefix(IndexLimits.items)).sorted()
        note.tasks = tasks.prefix(IndexLimits.items).map { IndexedTask($0.state, $0.text.kept(IndexLimits.line)) }
        note.threads = threads.prefix(IndexLimits.items).map(\.limited)
        return note
    }
}

extension IndexedThread {
    fileprivate var limited: IndexedThread {
        var thread = self
        thread.comment = comment.limited
        thread.quoted = quoted.kept(IndexLimits.comment)
        thread.anchorStart = Array(anchorStart.prefix(IndexLimits.anchor))
        thread.anchorEnd = Array(anchorEnd.prefix(IndexLimits.anchor))
        thread.reactions = reactions.prefix(IndexLimits.answers).map(\.limited)
        thread.replies = replies.prefix(IndexLimits.answers).map { reply in
            IndexedReply(
                id: reply.id, comment: reply.comment.limited,
                reactions: reply.reactions.prefix(IndexLimits.answers).map(\.limited))
        }
        return thread
    }
}

extension IndexedComment {
    fileprivate var limited: IndexedComment {
        var comment = self
        comment.authorName = authorName.kept(IndexLimits.line)
        comment.authorHandle = authorHandle.kept(IndexLimits.line)
        comment.text = text.kept(IndexLimits.comment)
        return comment
    }
}

extension IndexedReaction {
    fileprivate var limited: IndexedReaction {
        var reaction = self
        reaction.emoji = emoji.kept(IndexLimits.tag)
        reaction.authorName = authorName.kept(IndexLimits.line)
        return reaction
    }
}

extension String {
    fileprivate func kept(_ characters: Int) -> String {
        // Most are short, and counting bytes costs nothing.
        utf8.count <= characters ? self : String(prefix(characters))
    }
}
