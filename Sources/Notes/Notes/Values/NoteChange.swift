package import NoteIndex

/// Something that changed, here or elsewhere.
package enum NoteChange: Hashable, Sendable {
    /// A note is new or changed.
    /// - Parameter author: the name of who changed it; nil if it was this process, or is unknown.
    case note(NoteSummary, author: String?)
    /// A note is not here any more.
    /// - Parameter forGood: whether somebody removed it; otherwise its files are gone, and may come back.
    case removed(note: String, forGood: Bool)
    /// The tree of folders changed.
    case folders
    /// How far what we show is behind the files.
    case sync(NoteSync)
}

/// How far a library is with the files of its directory.
package enum NoteSync: Hashable, Sendable {
    case ready
    /// So many notes have files that are not read yet.
    case catchingUp(remaining: Int)
    /// The directory cannot be read, or cannot be written.
    case problem(NoteFailure)
}
