// What the person says about a note. What cannot be said comes back to them, with the reason.

extension AppState {
    mutating func editComment(_ quote: String?, _ nth: Int?, _ text: String?, _ context: DispatchContext) {
        views.update(context.view ?? .main) {
            guard $0.inspected != nil else { return }
            if let quote {
                $0.notes.inspector.quoteForm = quote.noteQuote
                $0.notes.inspector.quotePlace = nth.map { max(0, $0) }
            }
            if let text {
                $0.notes.inspector.commentForm = text.limited(to: NotebookLimits.commentBytes)
                $0.notes.inspector.unsent = nil
            }
        }
    }

    mutating func comment(
        on note: NoteID, _ quote: String, _ nth: Int?, _ text: String, _ context: inout DispatchContext
    ) {
        let (quote, text) = (quote.noteQuote.trimmed, text.commentText)
        guard !quote.isEmpty, !text.isEmpty else { return }
        let comment = CommentID(context.fresh.compactUUID)
        let nth = nth.map { max(0, $0) }
        guard say(.comment(comment: comment, quote: quote, nth: nth, text: text), on: note, &context) else { return }
        views.update(context.view ?? .main) { $0.notes.inspector.emptyForm() }
    }

    mutating func reply(to comment: CommentID, on note: NoteID, _ text: String, _ context: inout DispatchContext) {
        let text = text.commentText
        guard !text.isEmpty else { return }
        let reply = ReplyID(context.fresh.compactUUID)
        say(.reply(comment: comment, reply: reply, text: text), on: note, &context)
    }

    /// What is not shown may be there all the same: then the service decides. An older correction that waits for room on the disk would come
    /// after this one, so it is given up.
    mutating func correct(
        _ comment: CommentID, _ reply: ReplyID?, on note: NoteID, _ text: String, _ context: inout DispatchContext
    ) {
        let text = text.commentText
        let known = notes.followed[note]?.details?.remark(comment, reply)
        let waiting = pendingCorrection(of: comment, reply, on: note)
        guard !text.isEmpty, text != waiting?.text ?? known?.text else { return }
        // The one that is given up may be on the disk already.
        let base = waiting.map { waiting in waiting.base.map { ($0 + [waiting.text]).suffix(NotebookLimits.bases) } }
        let operation = NoteOperation.correct(
            comment: comment, reply: reply, text: text, base: base.map { $0.map(Array.init) } ?? known.map { [$0.text] }
        )
        guard known?.isOwn ?? true else { return giveBack(operation, on: note, because: .notOwn, context) }
        if say(operation, on: note, &context), let waiting { settle(waiting.effect, &context) }
    }

    /// It may be somebody else's; what is not shown the service decides about.
    mutating func deleteReply(
        _ reply: ReplyID, to comment: CommentID, on note: NoteID, _ context: inout DispatchContext
    ) {
        let known = notes.followed[note]?.details?.remark(comment, reply)
        guard known?.isOwn ?? true else { return notify(.problem, Words(Failure(.notOwn)), context) }
        say(.deleteReply(comment: comment, reply: reply), on: note, &context)
    }

    private func pendingCorrection(
        of comment: CommentID, _ reply: ReplyID?, on note: NoteID
    ) -> (effect: EffectID, text: String, base: [String]?)? {
        for effect in pendingEffects.inOrder {
            if case .changeNote(note, .correct(comment, reply, let text, let base)) = effect.kind {
                return (effect.id, text, base)
            }
        }
        return nil
    }

    /// The host tells what is around the note a moment later; the next correction is based on this one.
    mutating func corrected(_ effect: EffectID, on note: NoteID, _ context: inout DispatchContext) {
        guard case .changeNote(_, .correct(let comment, let reply, let text, let base?)) = settle(effect, &context)
        else { return }
        notes.followed.update(where: { $0.note == note }) {
            guard let known = $0.details?.remark(comment, reply), base.contains(known.text) else { return }
            $0.details?.say(text, comment, reply)
        }
    }

    // MARK: - What comes of it

    /// Changes what is said about a note. False if that is not possible: then the person is told why.
    @discardableResult mutating func say(
        _ change: NoteOperation, on note: NoteID, _ context: inout DispatchContext
    ) -> Bool {
        let failure: Failure.Code? =
            switch notes.list[note] {
            case nil: notes.isListed ? .noteUnknown : .other
            case let known? where known.deleted: .noteDeleted
            case _?: change.said.map(\.isCommentTooLong) == true ? .commentTooLong : nil
            }
        if let failure {
            giveBack(change, on: note, because: failure, context)
            return false
        }
        self.change(note, change, &context)
        return true
    }

    private mutating func giveBack(
        _ change: NoteOperation, on note: NoteID, because code: Failure.Code, _ context: DispatchContext
    ) { giveBack(change, on: note, because: Words(Failure(code)), context) }

    /// What could not be said stands in the form for a comment again, where that note is on the screen; otherwise the notice says it.
    mutating func giveBack(
        _ change: NoteOperation, on note: NoteID, because reason: Words, _ context: DispatchContext
    ) {
        guard let said = change.said else { return notify(.problem, reason, context) }
        var context = context
        let asker = context.view ?? .main
        let canWrite = notes.list[note]?.deleted == false
        let form = views.first { $0.id == asker && $0.inspected == note } ?? views.first { $0.inspected == note }
        guard canWrite, let form, let text = form.notes.inspector.form(with: said) else {
            return notify(.problem, .all([reason, .key("note.comment.unsent", ["text": .said(said)])]), context)
        }
        let quote = change.quote ?? change.thread.flatMap { notes.followed[note]?.details?.quote(of: $0) }
        views.update(form.id) {
            $0.notes.inspector.commentForm = text
            $0.notes.inspector.unsent = reason
            guard $0.notes.inspector.quoteForm.trimmed.isEmpty, let quote else { return }
            $0.notes.inspector.quoteForm = quote.words
            $0.notes.inspector.quotePlace = quote.nth
        }
        if form.id != asker { context.answer(to: form.id) }
        notify(.problem, .all([reason, "note.comment.returned"]), context)
    }
}

extension NoteInspector {
    fileprivate mutating func emptyForm() {
        (quoteForm, quotePlace, commentForm, unsent) = ("", nil, "", nil)
    }

    /// What stands in the form if something comes back to it; `nil` if that would be too much to be sent.
    fileprivate func form(with said: String) -> String? {
        if commentForm.trimmed.isEmpty || commentForm.commentText == said { return said }
        let both = "\(said)\n\n\(commentForm)"
        return both.isCommentTooLong ? nil : both
    }
}

extension NoteOperation {
    /// The words of the person in it.
    fileprivate var said: String? {
        switch self {
        case .comment(_, _, _, let text), .reply(_, _, let text), .correct(_, _, let text, _): text
        default: nil
        }
    }

    fileprivate var quote: (words: String, nth: Int?)? {
        if case .comment(_, let quote, let nth, _) = self { (quote, nth) } else { nil }
    }

    /// The thread that it says something in.
    fileprivate var thread: CommentID? {
        switch self {
        case .reply(let comment, _, _), .correct(let comment, _, _, _): comment
        default: nil
        }
    }
}

extension NoteDetails {
    fileprivate func quote(of comment: CommentID) -> (words: String, nth: Int?)? {
        comments.first { $0.id == comment }.map { ($0.quote, nil) }
    }

    fileprivate mutating func say(_ text: String, _ comment: CommentID, _ reply: ReplyID?) {
        guard let thread = comments.firstIndex(where: { $0.id == comment }) else { return }
        guard let reply else { return comments[thread].text = text }
        guard let answer = comments[thread].replies.firstIndex(where: { $0.id == reply }) else { return }
        comments[thread].replies[answer].text = text
    }
}

extension String {
    /// Whether no service takes so much as a comment.
    fileprivate var isCommentTooLong: Bool { utf16.count > NotebookLimits.commentLength }
}
