import AppCore
import CRDTBridge
import Notes

/// What is around a note: told now and after each change.
extension AppHost {
    /// Until the effect is called off, or the note is gone.
    func followDetails(_ id: EffectID, _ note: NoteID) async throws -> Event {
        let library = try await notes.library()
        let changes = library.changes()
        var told = try await library.details(of: note)
        dispatch(.event(.noteDetails(effect: id, details: told)))
        for await change in changes {
            var now = told
            switch change {
            case .note(let changed, _) where changed.id == note.text: now = try await library.details(of: note)
            // It may link to the note, or do so no longer.
            case .note: now.backlinks = try await library.links(to: note.text).map { NoteID($0.note) }
            case .removed(note.text, _): throw NoteFailure(.noteUnknown, "the note \(note) is gone")
            case .removed, .folders, .sync: continue
            }
            guard now != told else { continue }
            told = now
            dispatch(.event(.noteDetails(effect: id, details: told)))
        }
        return .effectDone(effect: id)
    }
}

extension NoteLibrary {
    fileprivate func details(of note: NoteID) async throws(NoteFailure) -> NoteDetails {
        let own = ownAuthors
        return NoteDetails(
            links: try await links(from: note.text).map { NoteID($0.note) },
            backlinks: try await links(to: note.text).map { NoteID($0.note) },
            comments: try await comments(on: note.text).prefix(NotebookLimits.comments).compactMap {
                NoteComment($0, own: own)
            })
    }

    /// The newest entries of a note's history.
    func versions(of note: NoteID) async throws(NoteFailure) -> [NoteVersion] {
        try await history(of: note.text).sessions.suffix(NotebookLimits.versions).map(NoteVersion.init)
    }
}

extension NoteComment {
    /// `nil` if its id is none: it was made by another program.
    /// - Parameter own: the ids under which the person writes.
    fileprivate init?(_ thread: CommentThread, own: Set<String>) {
        guard CommentID.isValid(thread.id) else { return nil }
        self.init(
            id: CommentID(thread.id), author: thread.author.name, text: thread.text, quote: thread.quoted,
            at: Timestamp(milliseconds: thread.created), own: own.contains(thread.author.id),
            edited: thread.edited.map(Timestamp.init(milliseconds:)), resolved: thread.isResolved,
            replies: thread.replies.suffix(NotebookLimits.replies).filter { ReplyID.isValid($0.id) }.map {
                Reply($0, own: own)
            })
    }
}

extension NoteComment.Reply {
    fileprivate init(_ reply: CommentThread.Reply, own: Set<String>) {
        self.init(
            id: ReplyID(reply.id), author: reply.author.name, text: reply.text,
            at: Timestamp(milliseconds: reply.created), own: own.contains(reply.author.id),
            edited: reply.edited.map(Timestamp.init(milliseconds:)))
    }
}

extension NoteVersion {
    fileprivate init(_ session: NoteHistory.Session) {
        self.init(
            start: Timestamp(milliseconds: session.start), end: Timestamp(milliseconds: session.end),
            changes: session.updates, authors: session.authors)
    }
}
