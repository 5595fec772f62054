/// A change to a note that is not one of its text. To do it twice is to do it once.
///
/// JSON: `{"type":"rename","title":…}`, `{"type":"move","folder":…}`, `{"type":"pin","on":…}`, `{"type":"delete"}`,
/// `{"type":"restore"}`, `{"type":"purge"}`, `{"type":"restore_version","at":…}`,
/// `{"type":"comment","comment":…,"quote":…,"nth":…,"text":…}`,
/// `{"type":"reply","comment":…,"reply":…,"text":…}`, `{"type":"correct","comment":…,"reply":…,"text":…,"base":[…]}`,
/// `{"type":"resolve","comment":…,"on":…}`, `{"type":"delete_comment","comment":…}`,
/// `{"type":"delete_reply","comment":…,"reply":…}`.
package enum NoteOperation: Sendable, Hashable, Tagged {
    case rename(title: String)
    /// Without `folder` to the top.
    case move(folder: FolderID?)
    case pin(on: Bool)
    /// Into the trash.
    case delete
    case restore
    /// For good; only from the trash.
    case purge
    /// Has the text say again what it said then; what it says now stays in its history.
    case restoreVersion(at: Timestamp)
    /// Begins a thread about a place where the text says `quote`: the first, or after `nth` others.
    case comment(comment: CommentID, quote: String, nth: Int? = nil, text: String)
    case reply(comment: CommentID, reply: ReplyID, text: String)
    /// Has what the person said themselves say something else: the comment that began a thread, or the answer `reply`.
    ///
    /// `base` is what it may say when this is done, besides `text`; if it says something else, somebody corrected it meanwhile, and the service
    /// fails with `comment_changed`. `nil` if the core does not know it.
    case correct(comment: CommentID, reply: ReplyID?, text: String, base: [String]? = nil)
    /// Settles a thread, or opens it again.
    case resolve(comment: CommentID, on: Bool)
    case deleteComment(comment: CommentID)
    /// Takes away one answer of the person's own.
    case deleteReply(comment: CommentID, reply: ReplyID)
}

/// A change to a folder. To do it twice is to do it once.
///
/// JSON: `{"type":"create","name":…,"parent":…}`, `{"type":"rename","name":…}`, `{"type":"move","parent":…}`,
/// `{"type":"delete","mode":…}`.
package enum FolderOperation: Sendable, Hashable, Tagged {
    case create(name: String, parent: FolderID?)
    case rename(name: String)
    case move(parent: FolderID?)
    case delete(mode: FolderRemoval)
}
