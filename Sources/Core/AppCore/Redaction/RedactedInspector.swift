// What is around notes, without what people said and are called.

extension FollowedNote {
    var redacted: FollowedNote {
        var followed = self
        followed.details = details?.redacted
        followed.failure = failure?.redacted
        return followed
    }
}

extension NoteDetails {
    var redacted: NoteDetails {
        NoteDetails(links: links, backlinks: backlinks, comments: comments.map(\.redacted))
    }
}

extension NoteComment {
    fileprivate var redacted: NoteComment {
        var comment = self
        comment.author = author.redacted
        comment.text = text.redacted
        comment.quote = quote.redacted
        comment.replies = replies.map(\.redacted)
        return comment
    }
}

extension NoteComment.Reply {
    fileprivate var redacted: NoteComment.Reply {
        var reply = self
        reply.author = author.redacted
        reply.text = text.redacted
        return reply
    }
}

extension NoteVersion {
    var redacted: NoteVersion {
        NoteVersion(start: start, end: end, changes: changes, authors: authors.map(\.redacted))
    }
}

extension NoteInspector {
    var redacted: NoteInspector {
        var inspector = self
        inspector.versions = versions?.map(\.redacted)
        inspector.shown?.text = shown?.text?.redacted
        inspector.quoteForm = quoteForm.redacted
        inspector.commentForm = commentForm.redacted
        inspector.unsent = unsent?.redacted
        return inspector
    }
}
