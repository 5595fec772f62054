internal import NoteIndex
internal import RichText

extension NoteLibrary {
    /// Notes with all of these words in their text or in comments on it, titles first. `#tag` finds a tag, `"two words"` a phrase, `word*` a
    /// beginning.
    package func search(_ query: String, limit: Int = 50) async throws(NoteFailure) -> [NoteFound] {
        try checkOpen()
        return try indexed { index in
            try index.search(query, limit: limit).map {
                NoteFound(id: $0.id, title: $0.title, snippet: $0.snippet, isComment: $0.isComment)
            }
        }
    }

    /// All tags of notes that are not deleted, by name.
    package func tags() async throws(NoteFailure) -> [NoteTag] {
        try checkOpen()
        return try indexed { try $0.tags().map { NoteTag(name: $0.name, count: $0.count) } }
    }

    /// The tags of one note, in their order.
    package func tags(of note: String) async throws(NoteFailure) -> [String] {
        _ = try open(note)
        return try indexed { try $0.tags(of: note) }
    }

    /// The notes that this one links to.
    package func links(from note: String) async throws(NoteFailure) -> [NoteLink] {
        _ = try open(note)
        return try indexed { index in
            let links = try index.links(from: note)
            let titles = try index.titles(of: links)
            return links.map { NoteLink(note: $0, title: titles[$0]) }
        }
    }

    /// The notes that link to this one.
    package func links(to note: String) async throws(NoteFailure) -> [NoteLink] {
        _ = try open(note)
        return try indexed { try $0.links(to: note).map { NoteLink(note: $0.id, title: $0.title) } }
    }

    /// The tasks of one note in their order, or of all notes.
    package func tasks(of note: String? = nil) async throws(NoteFailure) -> [NoteTask] {
        try checkOpen()
        if let note { _ = try open(note) }
        return try indexed { index in
            let tasks =
                try note.map { note in try index.tasks(of: note).map { (note: note, task: $0) } } ?? index.tasks()
            return tasks.map { NoteTask(note: $0.note, state: $0.task.state, text: $0.task.text) }
        }
    }
}

extension NoteFilter {
    /// The same with tags as the index has them, however a person wrote them: in any case, with or without `#`.
    var normalized: NoteFilter {
        NoteFilter(
            place, tags: tags.map { RichText.tagName($0) }, withoutTags: withoutTags.map { RichText.tagName($0) })
    }
}
