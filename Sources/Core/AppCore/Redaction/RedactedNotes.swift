// Notes without what they say and are called. Equal tags stay equal, so that filters behave as they did; different ones
// of the same length become one.

extension Notebook {
    var redacted: Notebook {
        var notes = self
        notes.failure = failure?.redacted
        notes.list = NoteList()
        notes.list.put(list.inOrder.map(\.redacted))
        notes.folders = FolderTree(folders.inOrder.map(\.folder.redacted))
        notes.editors = editors.map(\.redacted)
        notes.followed.all = followed.all.map(\.redacted)
        notes.drafts = drafts.map(\.redacted)
        return notes
    }
}

extension ListedNote {
    var redacted: ListedNote {
        var note = self
        note.title = title.redacted
        note.preview = preview.redacted
        note.tags = tags.map(\.redacted)
        return note
    }
}

extension ListedFolder {
    var redacted: ListedFolder { ListedFolder(id: id, name: name.redacted, parent: parent) }
}

extension NotebookFilter {
    var redacted: NotebookFilter { NotebookFilter(show, folder: folder, tag: tag?.redacted) }
}

extension NoteHit {
    var redacted: NoteHit { NoteHit(note: note, title: title.redacted, snippet: snippet.redacted) }
}

extension NoteSpan {
    var redacted: NoteSpan { NoteSpan(text: text.redacted, author: author?.redacted) }
}

extension NoteEditor {
    var redacted: NoteEditor {
        var editor = self
        editor.text?.spans = text?.spans.map(\.redacted) ?? []
        editor.failure = failure?.redacted
        return editor
    }
}

extension NoteDraft {
    var redacted: NoteDraft {
        var draft = self
        draft.text = text.redacted
        draft.saving?.text = saving?.text.redacted ?? ""
        draft.failure = failure?.redacted
        return draft
    }
}

extension NoteOperation {
    var redacted: NoteOperation {
        switch self {
        case .rename(let title): .rename(title: title.redacted)
        case .comment(let comment, let quote, let nth, let text):
            .comment(comment: comment, quote: quote.redacted, nth: nth, text: text.redacted)
        case .reply(let comment, let reply, let text): .reply(comment: comment, reply: reply, text: text.redacted)
        case .correct(let comment, let reply, let text, let base):
            .correct(comment: comment, reply: reply, text: text.redacted, base: base?.map(\.redacted))
        case .move, .pin, .delete, .restore, .purge, .restoreVersion, .resolve, .deleteComment, .deleteReply: self
        }
    }
}

extension FolderOperation {
    var redacted: FolderOperation {
        switch self {
        case .create(let name, let parent): .create(name: name.redacted, parent: parent)
        case .rename(let name): .rename(name: name.redacted)
        case .move, .delete: self
        }
    }
}

extension NoteAction {
    var redacted: NoteAction {
        switch self {
        case .createNote(let title, let folder): .createNote(title: title.redacted, folder: folder)
        case .editNote(let text): .editNote(text: text.redacted)
        case .appendToNote(let note, let text): .appendToNote(note: note, text: text.redacted)
        case .renameNote(let note, let title): .renameNote(note: note, title: title.redacted)
        case .importNote(let name, let bytes, let handle, let folder):
            .importNote(name: name.redacted, bytes: bytes, handle: handle.redacted, folder: folder)
        case .editComment(let quote, let nth, let text):
            .editComment(quote: quote?.redacted, nth: nth, text: text?.redacted)
        case .commentNote(let note, let quote, let nth, let text):
            .commentNote(note: note, quote: quote.redacted, nth: nth, text: text.redacted)
        case .replyToComment(let note, let comment, let text):
            .replyToComment(note: note, comment: comment, text: text.redacted)
        case .correctComment(let note, let comment, let reply, let text):
            .correctComment(note: note, comment: comment, reply: reply, text: text.redacted)
        case .searchNotes(let query): .searchNotes(query: query.redacted)
        case .filterNotes(let filter): .filterNotes(filter: filter.redacted)
        case .editFolder(let name): .editFolder(name: name.redacted)
        case .createFolder(let name, let parent): .createFolder(name: name.redacted, parent: parent)
        case .renameFolder(let folder, let name): .renameFolder(folder: folder, name: name.redacted)
        case .openNotes, .closeNotes, .retryNotes, .openNote, .closeNote, .saveNote, .discardDraft, .keepDraft,
            .moveNote, .pinNote, .deleteNote, .restoreNote, .purgeNote, .showMoreNotes, .moveFolder, .deleteFolder,
            .shareNote, .stopSharingNote, .exportNotes, .inspectNotes, .listVersions, .showVersion,
            .askToRestoreVersion, .restoreVersion,
            .resolveComment, .deleteComment, .deleteReply:
            self
        }
    }
}
