internal import CRDTBridge
internal import NoteFiles
internal import NoteIndex
internal import RichText

/// All that the index keeps of one note; it is written in one transaction.
struct IndexEntry: Sendable {
    var id: String
    /// Nil keeps what is there.
    var note: IndexedNote?
    /// What changed of how far the files are read.
    var progress: [IndexedProgress] = []
    /// Files that are not there any more.
    var gone: [String] = []
    /// Nil keeps what is there.
    var state: SyncState?
    var problem: String?

    init(id: String, note: IndexedNote?, problem: String?) {
        (self.id, self.note, self.problem) = (id, note, problem)
    }

    mutating func see(_ marks: FileMarks, of document: DocumentID, instead known: FileMarks) {
        progress = marks.filter { known[$0] != $1 }.map { $1.progress(of: $0, document: document) }
        gone = known.keys.filter { marks[$0] == nil }.map { "\(document)/\($0)" }
    }
}

extension NoteLibrary {
    /// Reads the index. If it was damaged it is empty now: then everything is read anew.
    func indexed<Value: Sendable>(_ body: @Sendable (borrowing IndexReader) throws -> Value) throws(NoteFailure)
        -> Value
    {
        try NoteFailure.wrapping { try againIfDamaged { try index.read(body) } }
    }

    func writeIndex(_ body: @Sendable (borrowing IndexWriter) throws -> Void) throws(NoteFailure) {
        try NoteFailure.wrapping { try againIfDamaged { try index.write(body) } }
    }

    private func againIfDamaged<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch NoteIndexError.startedAnew {
            documents = [:]
            Task { try? await self.catchUp() }
            return try body()
        }
    }

    /// What the index is to show of a note that is open and fresh.
    func entry(for id: NoteID) throws(NoteFailure) -> IndexEntry {
        let document = DocumentID.note(id)
        guard var open = documents[document] else { throw NoteFailure(.failed, "the note \(id) is not open") }
        let note = try indexedNote(id, open.reached)
        let problem = try problem(of: id, open.reached)
        let marks = open.reached.marks
        var entry = IndexEntry(id: id.text, note: note, problem: problem)
        entry.see(marks, of: document, instead: open.indexed)
        open.indexed = marks
        if open.recordsSinceStored >= OpenDocument.storeAfter {
            let state = try crdt { try $0.state(of: document.key) }
            entry.state = SyncState(state, at: open.reached, updated: options.clock())
            open.recordsSinceStored = 0
        }
        documents[document] = open
        return entry
    }

    /// What the index is to show of a note that cannot be shown. It is tried again when its files change.
    func entry(for id: NoteID, because failure: NoteFailure) throws(NoteFailure) -> IndexEntry {
        let document = DocumentID.note(id)
        let isKnown = try indexed { try $0.summary(id.text) } != nil
        let note = isKnown ? nil : IndexedNote(id: id.text, title: "Untitled", created: 0, modified: 0)
        var entry = IndexEntry(id: id.text, note: note, problem: failure.about(document).message)
        // A disk that is full, or a lock, says nothing about the files.
        if failure.isAboutFiles {
            let marks = documents[document]?.reached.marks ?? ["": .unreadable]
            entry.see(marks, of: document, instead: try indexedMarks(of: document))
        }
        return entry
    }

    private func problem(of id: NoteID, _ reached: Checkpoint) throws(NoteFailure) -> String? {
        if let problem = reached.firstProblem { return "notes/\(id)/\(problem)" }
        guard try crdt({ try $0.isMissingUpdates(id.text) }) else { return nil }
        return "parts of this note are not here yet: wait until its files have been copied"
    }

    /// What a note has to show. A problem that leaves nothing of it is an error.
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

    /// Puts entries into the index and tells whoever listens.
    func publish(_ entries: [IndexEntry], authors: [String: String] = [:]) throws(NoteFailure) {
        guard !entries.isEmpty else { return }
        try writeIndex { writer in
            for entry in entries {
                if let note = entry.note { try writer.upsert(note) }
                for progress in entry.progress { try writer.setProgress(progress) }
                for path in entry.gone { try writer.removeProgress(ofFile: path) }
                if let state = entry.state { try writer.setState(state, of: entry.id) }
                try writer.setProblem(entry.problem, of: entry.id)
            }
        }
        for entry in entries {
            guard let summary = try? summary(of: entry.id) else { continue }
            broadcast.send(.note(summary, author: authors[entry.id]))
        }
    }
}
