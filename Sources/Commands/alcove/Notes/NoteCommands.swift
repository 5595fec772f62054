/// Everything that begins with `note` or `folder`.
enum NoteCommands {
    static var all: [CommandEntry] {
        [
            CommandEntry(NoteNewCommand.self), CommandEntry(NoteListCommand.self), CommandEntry(NoteShowCommand.self),
            CommandEntry(NoteEditCommand.self), CommandEntry(NoteAppendCommand.self),
        ] + LibraryChange.ofNotes.map(\.entry) + [
            CommandEntry(NoteSearchCommand.self), CommandEntry(NoteTagsCommand.self),
            CommandEntry(NoteLinksCommand.self), CommandEntry(NoteHistoryCommand.self),
            CommandEntry(NoteCommentCommand.self), CommandEntry(NoteExportCommand.self),
            CommandEntry(NoteImportCommand.self), CommandEntry(NoteWatchCommand.self),
            CommandEntry(NoteVerifyCommand.self), CommandEntry(FolderListCommand.self),
            CommandEntry(FolderNewCommand.self),
        ] + LibraryChange.ofFolders.map(\.entry)
    }
}
