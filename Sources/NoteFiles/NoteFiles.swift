/// NoteFiles
