internal import CRDTBridge
internal import NoteFiles
internal import NoteIndex
internal import RichText

/// All that the index keeps of one note; it is written in one transaction.
struct IndexEntry: Sendable {
    let id: NoteID
    /// Nil keeps what is there.
    var note: IndexedNote?
    /// How far the files are read.
    var marks: FileMarks
    /// What the index knew of that when this was made. If it knows something else by now, this may be the older of the two.
    var known: FileMarks
    /// Nil keeps what is there.
    var state: SyncState?
    var problem: String?
}

extension NoteLibrary {
    /// Reads the index. If it was damaged it is empty now: then everything is read anew.
    func indexed<Value: Sendable>(_ body: @Sendable (borrowing IndexReader) throws -> Value) throws(NoteFailure)
        -> Value
    {
        try NoteFailure.wrapping { try againIfDamaged { try index.read(body) } }
    }

    func writeIndex<Value: Sendable>(
        _ body: @Sendable (borrowing IndexWriter) throws -> Value
    ) throws(NoteFailure) -> Value {
        try NoteFailure.wrapping { try againIfDamaged { try index.write(body) } }
    }

    private func againIfDamaged<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch NoteIndexError.startedAnew {
            documents = [:]
            catchUpLater()
            return try body()
        }
    }

    /// What the index is to show of a note that is open and fresh.
    func entry(for id: NoteID) throws(NoteFailure) -> IndexEntry {
        let document = DocumentID.note(id)
        guard let open = documents[document] else { throw NoteFailure(.failed, "the note \(id) is not open") }
        var entry = IndexEntry(
            id: id, note: try indexedNote(id, open.reached), marks: open.reached.marks, known: open.indexed,
            problem: try problem(of: id, open.reached))
        // Last: it may need the room of the document.
        entry.state = try stateToStore(of: document, open)
        return entry
    }

    /// What the index is to show of a note that cannot be shown. It is tried again when its files change.
    func entry(for id: NoteID, because failure: NoteFailure) throws(NoteFailure) -> IndexEntry {
        let document = DocumentID.note(id)
        let known = try indexedMarks(of: document)
        let isKnown = try indexed { try $0.summary(id.text) } != nil
        let note = isKnown ? nil : IndexedNote(id: id.text, title: "Untitled", created: 0, modified: 0)
        // A disk that is full, or a lock, says nothing about the files.
        let marks = failure.isAboutFiles ? documents[document]?.reached.marks ?? ["": .unreadable] : known
        return IndexEntry(
            id: id, note: note, marks: marks, known: known, problem: failure.about(document).message)
    }

    /// What the index knows of the files of a document.
    func indexedMarks(of document: DocumentID) throws(NoteFailure) -> FileMarks {
        try indexed { try $0.marks(of: document) }
    }

    private func problem(of id: NoteID, _ reached: Checkpoint) throws(NoteFailure) -> String? {
        if let problem = reached.firstProblem { return "notes/\(id)/\(problem)" }
        guard try crdt({ try $0.isMissingUpdates(id.text) }) else { return nil }
        return "parts of this note are not here yet: wait until its files have been copied"
    }

    /// What a note has to show. A problem that leaves nothing to show is an error.
    func content(of note: NoteID) throws(NoteFailure) -> RichText {
        let content: RichText
        do throws(NoteFailure) {
            content = try crdt { try $0.tree(of: note.text) }
        } catch {
            forgetOpen(.note(note))
            throw error.about(.note(note))
        }
        guard content.blocks.isEmpty, let problem = documents[.note(note)]?.reached.firstProblem else { return content }
        throw NoteFailure(.noteUnreadable, "\(DocumentID.note(note))/\(problem)")
    }

    /// Nil if there is nothing to show: such a note never takes the place of one that was read before.
    private func indexedNote(_ id: NoteID, _ checkpoint: Checkpoint) throws(NoteFailure) -> IndexedNote? {
        let (content, metadata, comments) = try crdt {
            (try $0.tree(of: id.text), try $0.metadata(of: id.text), try $0.comments(of: id.text))
        }
        if content.blocks.isEmpty, metadata.created == nil, try indexed({ try $0.summary(id.text) }) != nil {
            return nil
        }
        let text = content.contentText
        return IndexedNote(
            id: id.text, title: content.title, folder: metadata.folder,
            created: metadata.created ?? checkpoint.first ?? 0, modified: metadata.modified ?? checkpoint.last ?? 0,
            isDeleted: metadata.isDeleted, isPinned: metadata.isPinned, text: text,
            preview: RichText.snippet(of: text), tags: RichText.tags(in: text),
            links: RichText.noteLinks(in: text).compactMap(\.note),
            tasks: content.tasks.map { IndexedTask($0.state, $0.text) },
            threads: comments.map(IndexedThread.init))
    }

    /// Puts entries into the index and tells the listeners.
    /// - Returns: the notes of which another process has told the index since these entries were made. They are to be read again, or
    ///   an older text would stand in the index as if it were the newest.
    func publish(_ entries: [IndexEntry], authors: [NoteID: String] = [:]) throws(NoteFailure) -> [NoteID] {
        guard !entries.isEmpty else { return [] }
        let overtaken = try writeIndex { writer in try entries.filter { try !writer.put($0) }.map(\.id) }
        for entry in entries where !overtaken.contains(entry.id) {
            documents[.note(entry.id)]?.wasIndexed(entry.marks, isStored: entry.state != nil)
            _ = told.update(.note(entry.id), .read(entry.marks))
            guard let summary = try? summary(of: entry.id.text) else { continue }
            broadcast.send(.note(summary, author: authors[entry.id]))
        }
        for note in overtaken { documents[.note(note)]?.indexed = try indexedMarks(of: .note(note)) }
        return overtaken
    }

    /// Makes the index look at these notes again, because other processes report them at the same time and the last report may be an older one.
    func mistrustIndex(of notes: [NoteID]) throws(NoteFailure) {
        try writeIndex { writer in for note in notes { try writer.removeProgress(of: note.text) } }
        for note in notes { documents[.note(note)]?.indexed = [:] }
        catchUpLater()
    }

    /// So often a note is read again because the index was told of it meanwhile.
    static let indexingLimit = 16
}

extension IndexWriter {
    /// - Returns: false if the index knows something else of the files than when the entry was made. Nothing is written then.
    ///
    /// Not inlined, because the optimiser of Swift 6.3.1 crashes when it tries.
    @inline(never) fileprivate func put(_ entry: IndexEntry) throws -> Bool {
        let document = DocumentID.note(entry.id)
        guard try reader.marks(of: document) == entry.known else { return false }
        if let note = entry.note { try upsert(note) }
        try setMarks(entry.marks, of: document, instead: entry.known)
        if let state = entry.state { try setState(state, of: entry.id.text) }
        try setProblem(entry.problem, of: entry.id.text)
        return true
    }

    func setMarks(_ marks: FileMarks, of document: DocumentID, instead known: FileMarks) throws {
        for (file, mark) in marks where known[file] != mark {
            try setProgress(mark.progress(of: file, document: document))
        }
        for file in known.keys where marks[file] == nil { try removeProgress(ofFile: "\(document)/\(file)") }
    }
}

extension IndexReader {
    /// What is known of the files of a document.
    func marks(of document: DocumentID) throws -> FileMarks {
        let rows = try progress(ofDocument: document.key)
        return FileMarks(rows.map { (String($0.path.dropFirst("\(document)/".count)), FileMark($0)) }) { $1 }
    }
}
