/// What a person does with notes. A new note or folder takes its id from ``Input/fresh``.
package enum NoteAction: Sendable, Hashable, Codable {
    /// Shows the list, and follows the folder from now on.
    case openNotes
    /// Follows the folder no longer.
    case closeNotes
    /// Tries again what is wrong with the folder or the note on the screen.
    case retryNotes

    // One note.

    /// Makes a note and shows it. Without `folder` it is at the top.
    case createNote(title: String, folder: FolderID?)
    case openNote(note: NoteID)
    /// Leaves the note; what was written is saved.
    case closeNote
    /// What stands in the editor: the whole note as Markdown.
    case editNote(text: String)
    case saveNote
    /// Forgets what was written in a note and not saved.
    case discardDraft(note: NoteID)
    /// Makes a new note of what was written in one that can no longer be written.
    case keepDraft(note: NoteID)
    /// Adds a paragraph at the end of any note.
    case appendToNote(note: NoteID, text: String)
    case renameNote(note: NoteID, title: String)
    /// Without `folder` to the top.
    case moveNote(note: NoteID, folder: FolderID?)
    case pinNote(note: NoteID, on: Bool)
    /// Puts it into the trash.
    case deleteNote(note: NoteID)
    case restoreNote(note: NoteID)
    /// Deletes for good what is in the trash, on every device.
    case purgeNote(note: NoteID)

    // Around one note.

    /// Shows what is around the notes of this view: comments, history, links.
    case inspectNotes(on: Bool)
    /// Asks for the history of the note on the screen.
    case listVersions
    /// Shows the note as it was at the end of an entry of its history; without `at` as it is.
    case showVersion(at: Timestamp?)
    /// Asks whether the note is really to say again what is shown, or gives that up.
    case askToRestoreVersion(on: Bool)
    /// Has it say that again.
    case restoreVersion(note: NoteID, at: Timestamp)
    /// What the next comment is about, and what it says. `nth` says which of several places with these words is meant, 0 the first.
    case editComment(quote: String?, nth: Int? = nil, text: String?)
    case commentNote(note: NoteID, quote: String, nth: Int? = nil, text: String)
    case replyToComment(note: NoteID, comment: CommentID, text: String)
    /// Corrects what the person said themselves: the comment that began a thread, or an answer in it.
    case correctComment(note: NoteID, comment: CommentID, reply: ReplyID?, text: String)
    case resolveComment(note: NoteID, comment: CommentID, on: Bool)
    case deleteComment(note: NoteID, comment: CommentID)
    /// Deletes one answer of the person's own.
    case deleteReply(note: NoteID, comment: CommentID, reply: ReplyID)

    // The list.

    case searchNotes(query: String)
    case filterNotes(filter: NotebookFilter)
    case showMoreNotes

    // In and out.

    /// Writes a note, or all, as Markdown files with their pictures, and shows the folder that they are in.
    case exportNotes(note: NoteID?)
    /// Makes a note of a Markdown file that the host has; `handle` is where.
    case importNote(name: String, bytes: Int64, handle: String, folder: FolderID?)

    // Folders.

    case editFolder(name: String)
    case createFolder(name: String, parent: FolderID?)
    case renameFolder(folder: FolderID, name: String)
    case moveFolder(folder: FolderID, parent: FolderID?)
    case deleteFolder(folder: FolderID, mode: FolderRemoval)

    // Together.

    /// Has both people of a room edit a note at the same time, whenever they are connected.
    case shareNote(room: RoomID, note: NoteID)
    case stopSharingNote(room: RoomID, note: NoteID)
}

/// What becomes of what is in a folder that is deleted.
package enum FolderRemoval: String, Sendable, Hashable, Codable, CaseIterable {
    /// It stays where it is, without a folder to show it in.
    case simple
    /// The folders in it go too, and all their notes to the folder above.
    case cascade
    /// Folders and notes go to the folder above.
    case reparent
}
