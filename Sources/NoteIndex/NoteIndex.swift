/// NoteIndex
