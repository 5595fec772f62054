internal import CRDTBridge
internal import NoteFiles
internal import NoteIndex

/// What a look into the files of a document brought.
struct Refreshment {
    /// Whether the index may show something else now.
    var isNews: Bool
    /// What others wrote, as updates.
    var foreign: [[UInt8]] = []
    /// Who wrote last of the others.
    var author: String?
}

extension NoteLibrary {
    /// Opens a document unless it is open, and takes in what is new in its files.
    @discardableResult
    func refresh(_ document: DocumentID) throws(NoteFailure) -> Refreshment {
        let isLoaded = try crdt { $0.isLoaded(document.key) }
        guard isLoaded, var open = documents[document] else { return try load(document) }
        let before = open.reached.problems
        let reading = try read(document, from: open.reached.progress)
        open.take(reading)
        try meet(reading.records)
        open.authors?.note(reading.records, name: author)
        let isChanged = try apply(reading.updates, to: document, &open)
        documents[document] = open
        return describe(reading, isNews: isChanged || open.reached.problems != before)
    }

    /// Makes the document of the stored state and of what the files have beyond it.
    private func load(_ document: DocumentID) throws(NoteFailure) -> Refreshment {
        let (stored, rows) = try indexed { index in
            let rows = try index.progress(ofDocument: document.key)
            switch document {
            case .note(let note): return (try index.state(of: note.text), rows)
            case .folderTree: return (try index.folderState(), rows)
            }
        }
        let marks = rows.map { (String($0.path.dropFirst("\(document)/".count)), FileMark($0)) }
        var open = OpenDocument(reached: Checkpoint(stored), indexed: FileMarks(marks) { $1 })
        let reading = try read(document, from: open.reached.progress)
        open.take(reading)
        let updates = reading.updates
        let others = [stored?.document ?? [], unwritten(of: document)].filter { !$0.isEmpty }
        let refused = try crdt { try $0.load(document.key, updates.map(\.payload) + others) }
        for index in refused where index < updates.count { open.refuse(updates[index].file) }
        documents[document] = open
        return describe(reading, isNews: open.reached.progress.marks != open.indexed)
    }

    private func read(_ document: DocumentID, from progress: ReadingProgress) throws(NoteFailure) -> Reading {
        try NoteFailure.wrapping { try directory.read(document, from: progress) }
    }

    /// - Returns: whether anything changed.
    private func apply(
        _ updates: [(payload: [UInt8], file: String)], to document: DocumentID, _ open: inout OpenDocument
    ) throws(NoteFailure) -> Bool {
        guard !updates.isEmpty else { return false }
        let payloads = updates.map(\.payload)
        if let changes = try? crdt({ try $0.apply($0.merge(payloads), to: document.key) }) { return !changes.isEmpty }
        // One of them is damaged; the others are not.
        var isChanged = false
        for (update, file) in updates {
            do {
                let changes = try crdt { try $0.apply(update, to: document.key) }
                isChanged = isChanged || !changes.isEmpty
            } catch {
                open.refuse(file)
            }
        }
        return isChanged
    }

    private func describe(_ reading: Reading, isNews: Bool) -> Refreshment {
        var refreshment = Refreshment(isNews: isNews)
        let foreign = reading.records.filter { $0.writer?.instance != directoryWriter?.id.text }
        refreshment.foreign = foreign.map(\.payload) + reading.snapshotStates.map(\.payload)
        refreshment.author = foreign.max { $0.timestamp < $1.timestamp }.flatMap { people.name(of: $0.writer) }
        return refreshment
    }

    private func unwritten(of document: DocumentID) -> [UInt8] {
        guard case .note(let note) = document else { return [] }
        return unwritten[note] ?? []
    }
}

extension OpenDocument {
    fileprivate mutating func take(_ reading: Reading) {
        reached.note(reading)
        recordsSinceStored += reading.records.count + reading.snapshotStates.count
    }

    /// An update in this file could not be applied.
    fileprivate mutating func refuse(_ file: String) {
        reached.problems[file] =
            "an update in it is damaged and was left out: get the file from where it was written again"
    }
}

extension Reading {
    /// Everything that there is to apply, with the files that it is from.
    fileprivate var updates: [(payload: [UInt8], file: String)] {
        snapshotStates.map { ($0.payload, $0.file) } + records.map { ($0.payload, $0.file) }
    }
}
