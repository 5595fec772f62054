internal import CRDTBridge
internal import NoteFiles
internal import NoteIndex

/// What reading the files of a document brought.
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
        open.take(reading, of: document, in: path)
        meet(reading.records)
        open.authors?.note(reading.records, name: author)
        // What was stopped halfway is made anew.
        guard apply(reading.updates, to: document, &open) else { return try load(document) }
        documents[document] = open
        return describe(reading, isNews: open.reached.marks != open.indexed || open.reached.problems != before)
    }

    /// Makes the document of the stored state and of what the files have beyond it.
    /// - Parameter distrusting: makes it of the files alone.
    private func load(_ document: DocumentID, distrusting: Bool = false) throws(NoteFailure) -> Refreshment {
        let stored = try storedState(of: document)
        let checkpoint = distrusting ? nil : stored?.checkpoint
        let state = checkpoint == nil ? nil : stored?.document
        var open = OpenDocument(reached: checkpoint ?? Checkpoint(), indexed: try indexedMarks(of: document))
        let reading = try read(document, from: open.reached.progress)
        open.take(reading, of: document, in: path)
        // Also if nothing can be made of it, so that it is known which files these were.
        documents[document] = open
        let made = try make(document.key, of: reading.updates, on: state, unwritten(of: document))
        // What the checkpoint says was read is in the state: without the one the other is untrue.
        guard made.hasState else { return try load(document, distrusting: true) }
        open.reached.problems.merge(made.problems) { $1 }
        let isStoredAgain = made.wasSlow || stored != nil && checkpoint == nil
        if isStoredAgain { open.recordsSinceStored = OpenDocument.storeAfter }
        documents[document] = open
        return describe(reading, isNews: isStoredAgain || open.reached.marks != open.indexed)
    }

    func storedState(of document: DocumentID) throws(NoteFailure) -> SyncState? {
        try indexed { index in
            switch document {
            case .note(let note): try index.state(of: note.text)
            case .folderTree: try index.folderState()
            }
        }
    }

    /// What the index knows of the files of a document.
    func indexedMarks(of document: DocumentID) throws(NoteFailure) -> FileMarks {
        let rows = try indexed { try $0.progress(ofDocument: document.key) }
        return FileMarks(rows.map { (String($0.path.dropFirst("\(document)/".count)), FileMark($0)) }) { $1 }
    }

    func read(_ document: DocumentID, from progress: ReadingProgress) throws(NoteFailure) -> Reading {
        try NoteFailure.wrapping { try directory.read(document, from: progress) }
    }

    /// - Returns: false if it came to nothing for another reason than what an update is: then no update is to blame.
    private func apply(_ updates: [FileUpdate], to document: DocumentID, _ open: inout OpenDocument) -> Bool {
        guard !updates.isEmpty else { return true }
        do {
            _ = try bridge.assumeIsolated { try $0.apply($0.merge(updates.map(\.payload)), to: document.key) }
            return true
        } catch {
            guard CRDTError.isDamage(error) else { return false }
        }
        // One of them is damaged; the others are not.
        for update in updates {
            do {
                _ = try bridge.assumeIsolated { try $0.apply(update.payload, to: document.key) }
            } catch {
                guard CRDTError.isDamage(error) else { return false }
                open.reached.problems[update.file] = FileUpdate.damage
            }
        }
        return true
    }

    private func describe(_ reading: Reading, isNews: Bool) -> Refreshment {
        var refreshment = Refreshment(isNews: isNews)
        let foreign = reading.records.filter { $0.writer?.instance != directoryWriter?.id.text }
        refreshment.foreign = foreign.map(\.payload) + reading.snapshotStates.map(\.payload)
        refreshment.author = foreign.max { $0.timestamp < $1.timestamp }.flatMap { people.name(of: $0.writer) }
        return refreshment
    }

    private func unwritten(of document: DocumentID) -> [UInt8]? {
        guard case .note(let note) = document else { return nil }
        return unwritten[note]
    }
}

extension OpenDocument {
    fileprivate mutating func take(_ reading: Reading, of document: DocumentID, in directory: String) {
        reached.note(reading, below: "\(directory)/\(document)/")
        recordsSinceStored += reading.records.count + reading.snapshotStates.count
    }
}
