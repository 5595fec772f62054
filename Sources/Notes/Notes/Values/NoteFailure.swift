package import NoteIndex

/// Why a request to the notes failed.
package struct NoteFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable, Codable {
        /// No note has this id or title.
        case noteUnknown = "note_unknown"
        /// Several notes have this title, or ids that begin so: see ``NoteFailure/candidates``.
        case noteAmbiguous = "note_ambiguous"
        /// The files of this note cannot be read as a note.
        case noteUnreadable = "note_unreadable"
        /// A deleted note is read-only until it is restored.
        case noteDeleted = "note_deleted"
        /// Only a deleted note can be removed for good.
        case noteNotDeleted = "note_not_deleted"
        case folderUnknown = "folder_unknown"
        /// A folder cannot be inside itself.
        case folderCycle = "folder_cycle"
        case commentUnknown = "comment_unknown"
        /// It says something else by now than what its correction was based on.
        case commentChanged = "comment_changed"
        case commentTooLong = "comment_too_long"
        /// What somebody else said in a comment is theirs.
        case notOwn = "not_own"
        /// The text that a comment should be about is not in the note.
        case textUnknown = "text_unknown"
        /// The revision that an edit is based on is not known on this machine.
        case revisionUnknown = "revision_unknown"
        /// The storage directory is not there, or is not a storage directory.
        case directoryUnreadable = "directory_unreadable"
        /// The storage directory can be read only: by its permissions, its version, or because it is being migrated.
        case directoryUnwritable = "directory_unwritable"
        case diskFull = "disk_full"
        case fileUnreadable = "file_unreadable"
        case tooLarge = "too_large"
        /// An argument is not what it should be.
        case badRequest = "bad_request"
        case closed
        case failed
    }

    package var code: Code
    /// One sentence for a person: what is wrong, with the path of the file if there is one, and what to do.
    package var message: String
    /// The notes that an ambiguous name may mean.
    package var candidates: [NoteSummary]

    package init(_ code: Code, _ message: String, candidates: [NoteSummary] = []) {
        self.code = code
        self.message = message
        self.candidates = candidates
    }

    package var description: String { message }
}
