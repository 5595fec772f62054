internal import CRDTBridge
internal import NoteFiles
package import NoteIndex
package import RichText
internal import Wire

extension NoteLibrary {
    /// Makes a note.
    /// - Parameters:
    ///   - title: becomes its first paragraph; nil for a note that begins empty.
    ///   - markdown: what comes after the title.
    ///   - id: the id that it gets. If there is such a note already, that one is returned: a repeated request makes one note.
    package func create(
        title: String?, folder: String? = nil, markdown: String = "", id: String? = nil
    ) async throws(NoteFailure) -> NoteSummary {
        try checkOpen()
        if let folder { try checkFolder(folder) }
        let note = try NoteFailure.wrapping { try NoteID(id ?? CompactID.random().description) }
        try checkNotPurged(note)
        if id != nil, try openIfHere(note), try hasAnything(note) {
            return (try? summary(of: note.text)) ?? unindexedSummary(of: note)
        }
        var content = RichText.empty
        if let title { content = content.titled(try Self.line(title)) }
        return try make(note, content.appending(try Self.blocks(of: markdown)), in: folder)
    }

    /// Opens a note if there is anything by its name in the directory. The index may not have it yet: a process that was killed
    /// between the two left it so.
    func openIfHere(_ note: NoteID) throws(NoteFailure) -> Bool {
        guard directory.holds(note) else { return false }
        do throws(NoteFailure) {
            _ = try open(note.text)
            return true
        } catch {
            guard error.code == .noteUnknown else { throw error }
            return false
        }
    }

    /// Whether an open note has more than a folder.
    private func hasAnything(_ note: NoteID) throws(NoteFailure) -> Bool {
        try crdt { bridge in
            try bridge.metadata(of: note.text).created != nil || !bridge.tree(of: note.text).blocks.isEmpty
                || bridge.isMissingUpdates(note.text)
        }
    }

    /// Makes a note of a document, in one record.
    func make(_ note: NoteID, _ content: RichText, in folder: String?) throws(NoteFailure) -> NoteSummary {
        try Self.checkSize(of: content)
        let now = options.clock()
        let directory = directoryID
        documents[.note(note)] = OpenDocument(reached: Checkpoint(), indexed: [:])
        return try commit(to: note) { bridge in
            [
                try bridge.createNote(note.text, in: directory, folder: folder, created: now),
                try NoteFailure.writing {
                    try bridge.edit(note.text, RichText.difference(from: .empty, to: content))
                },
            ]
        }
    }

    /// The note with this id or this title, or the only one whose id or title begins so.
    package func note(_ reference: String) async throws(NoteFailure) -> NoteSummary {
        try checkOpen()
        let found = try indexed { try $0.resolve(reference) }
        let present = found.filter { !$0.isDeleted }
        guard let note = found.count == 1 ? found.first : present.count == 1 ? present.first : nil else {
            guard !found.isEmpty else { throw .unknown(reference) }
            throw NoteFailure(
                .noteAmbiguous, "“\(reference)” may mean several notes: give more of the id of the one that you mean",
                candidates: found)
        }
        return try summary(of: note.id)
    }

    /// Whether there is, or was, anything of this note here: also if it was not read yet, or was removed for good.
    package func contains(_ note: String) async throws(NoteFailure) -> Bool {
        try checkOpen()
        let id = try NoteFailure.wrapping { try NoteID(note) }
        return deletions.notes.contains(note) || directory.holds(id)
    }

    /// Pinned notes first, then the newest.
    package func list(_ filter: NoteFilter = NoteFilter()) async throws(NoteFailure) -> [NoteSummary] {
        try checkOpen()
        return try indexed { index in
            let problems = try index.problems()
            return try index.notes(filter.normalized).map { $0.with(problem: problems[$0.id]) }
        }.map(showingTitles)
    }

    /// The document of a note as it is now.
    package func content(of note: String) async throws(NoteFailure) -> RichText {
        try content(of: open(note))
    }

    /// The whole note as Markdown.
    package func markdown(of note: String) async throws(NoteFailure) -> String {
        try await content(of: note).markdown()
    }

    /// Adds blocks at the end.
    @discardableResult
    package func append(_ markdown: String, to note: String) async throws(NoteFailure) -> NoteSummary {
        let blocks = try Self.blocks(of: markdown)
        return try edit(note) { $0.appending(blocks) }
    }

    /// Changes the block that the title comes from.
    @discardableResult
    package func rename(_ note: String, to title: String) async throws(NoteFailure) -> NoteSummary {
        let title = try Self.line(title)
        return try edit(note) { $0.titled(title) }
    }

    private func edit(_ note: String, _ change: @Sendable (RichText) -> RichText) throws(NoteFailure) -> NoteSummary {
        let note = try openForChange(note)
        return try commitContent(to: note) { bridge in
            let content = try bridge.tree(of: note.text)
            let changed = change(content)
            try Self.checkSize(of: changed)
            let edits = RichText.difference(from: content, to: changed)
            return [try NoteFailure.writing { try bridge.edit(note.text, edits) }]
        }
    }

    // Checks.

    /// New content is written as the schema requires.
    static func blocks(of markdown: String) throws(NoteFailure) -> [RichText.Node] {
        try checkSize(of: markdown)
        guard markdown.contains(where: { !$0.isWhitespace }) else { return [] }
        return RichText(markdown: markdown).blocks
    }

    /// Bytes of the Markdown of one note, as a person gives it and as it is shown: what we write can be edited. Only what several people
    /// wrote at once may be more.
    package static let textLimit = 4 << 20

    static func checkSize(of markdown: String) throws(NoteFailure) {
        guard markdown.utf8.count > textLimit else { return }
        throw NoteFailure(
            .tooLarge,
            "a note has at most \(textLimit >> 20) MiB of Markdown, and this would be more: make several notes of it")
    }

    /// Refuses a document that could not be edited as Markdown any more.
    static func checkSize(of content: RichText) throws(NoteFailure) { try checkSize(of: content.markdown()) }

    /// A title or name on one line.
    static func line(_ text: String) throws(NoteFailure) -> String {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard !words.isEmpty else { throw NoteFailure(.badRequest, "a title or name needs at least one letter") }
        return String(words.joined(separator: " ").prefix(1000))
    }

    func checkNotPurged(_ note: NoteID) throws(NoteFailure) {
        guard deletions.notes.contains(note.text) else { return }
        throw NoteFailure(.noteDeleted, "the note “\(note)” was removed from \(path) for good: make a new one")
    }

    // Summaries.

    func summary(of id: String) throws(NoteFailure) -> NoteSummary {
        let found = try indexed { index in
            try index.summary(id).map { $0.with(problem: try index.problem(of: id)) }
        }
        guard let found else { throw .unknown(id) }
        return showingTitles(found)
    }

    /// For links to notes their titles.
    private func showingTitles(_ summary: NoteSummary) -> NoteSummary {
        let links = RichText.noteLinks(in: summary.title + "\n" + summary.preview).compactMap(\.note)
        guard !links.isEmpty else { return summary }
        let titles = (try? indexed { try $0.titles(of: links) }) ?? [:]
        var shown = summary
        shown.title = RichText.showingTitles(in: summary.title) { titles[$0] }
        shown.preview = RichText.showingTitles(in: summary.preview) { titles[$0] }
        return shown
    }
}

extension RichText {
    /// What a new note has.
    static let empty = RichText([.element(Element("paragraph"))])
}
