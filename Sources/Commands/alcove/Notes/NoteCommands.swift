/// Everything that begins with `note` or `folder`.
enum NoteCommands {
    static var all: [CommandEntry] {
        CommandEntry.each([
            NoteNewCommand.self, NoteListCommand.self, NoteShowCommand.self, NoteEditCommand.self,
            NoteAppendCommand.self,
        ]) + LibraryChange.ofNotes.map(\.entry)
            + CommandEntry.each([
                NoteSearchCommand.self, NoteTagsCommand.self, NoteLinksCommand.self, NoteHistoryCommand.self,
                NoteCommentCommand.self, NoteExportCommand.self, NoteImportCommand.self, NoteWatchCommand.self,
                NoteVerifyCommand.self, FolderListCommand.self, FolderNewCommand.self,
            ]) + LibraryChange.ofFolders.map(\.entry)
    }
}
