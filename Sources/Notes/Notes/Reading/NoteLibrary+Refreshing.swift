internal import CRDTBridge
internal import NoteFiles
internal import NoteIndex

/// What reading the files of a document brought.
struct Refreshment {
    /// Whether the index may show something else now.
    var isNews: Bool
    /// Who wrote last of the others.
    var author: String?
}

extension NoteLibrary {
    /// Opens a document unless it is open, takes in what is new in its files, and hands it on to those who edit it with us.
    @discardableResult
    func refresh(_ document: DocumentID) throws(NoteFailure) -> Refreshment {
        let isLoaded = try crdt { $0.isLoaded(document.key) }
        guard isLoaded, var open = documents[document] else { return try load(document) }
        let before = open.reached.problems
        let reading = try read(document, from: open.reached.progress)
        if hasRoomAgain(open, reading) { return try load(document) }
        let updates = open.take(reading, of: document, in: path, patience: options.patience)
        meet(reading.records)
        open.authors?.note(reading.records, name: author)
        // Applying stopped halfway, so the document is made anew.
        guard let applied = apply(updates, to: document, &open) else { return try load(document) }
        documents[document] = open
        if case .note(let note) = document {
            // What we wrote was handed on when it was made.
            let ours = Set(reading.records.filter(isOurs).map(\.file))
            forward(applied.filter { !ours.contains($0.file) }.map(\.payload), of: note)
        }
        return describe(reading, isNews: open.reached.marks != open.indexed || open.reached.problems != before)
    }

    /// Whether what was left out because of other files is to be tried again. What this profile writes does not make room for it.
    private func hasRoomAgain(_ open: OpenDocument, _ reading: Reading) -> Bool {
        guard !open.crowdedOut.isEmpty else { return false }
        let (before, now) = (open.reached.progress.files, reading.progress.files)
        let ours = WriterLock.identities(in: home)
        return Set(before.keys).union(now.keys).contains { file in
            before[file] != now[file] && RecordWriter(ofFile: file).map { !ours.contains($0.instance) } != false
        }
    }

    /// Makes the document of the stored state and of what the files have beyond it.
    /// - Parameter distrusting: makes it of the files alone.
    private func load(_ document: DocumentID, distrusting: Bool = false) throws(NoteFailure) -> Refreshment {
        let stored = try storedState(of: document)
        let checkpoint = distrusting ? nil : stored?.checkpoint
        let state = checkpoint == nil ? nil : stored?.document
        var open = OpenDocument(reached: checkpoint ?? Checkpoint(), indexed: try indexedMarks(of: document))
        // What was found to be slow stays so, whatever became of the stored state.
        open.reached.slow =
            (stored?.checkpoint?.slow ?? [:]).merging(documents[document]?.reached.slow ?? [:]) { $1 }
        let reading = try read(document, from: open.reached.progress)
        let updates = open.take(reading, of: document, in: path, patience: options.patience)
        // Also if nothing can be made of it, so that it is known which files these were.
        documents[document] = open
        let made = try make(document.key, of: updates, on: state, unwritten(of: document))
        // What the checkpoint says was read is in the state. So the checkpoint is wrong without the state.
        guard made.hasState || distrusting else { return try load(document, distrusting: true) }
        open.take(made)
        let isStoredAgain = !made.slow.isEmpty || stored != nil && checkpoint == nil
        if isStoredAgain { open.recordsSinceStored = OpenDocument.storeAfter }
        documents[document] = open
        if case .note(let note) = document { forwardWhatIsMissing(of: note) }
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

    func read(_ document: DocumentID, from progress: ReadingProgress) throws(NoteFailure) -> Reading {
        try NoteFailure.wrapping { try directory.read(document, from: progress) }
    }

    /// - Returns: the updates that were not refused; nil if it came to nothing for another reason than what an update is: then
    ///   no update is to blame.
    private func apply(
        _ updates: [FileUpdate], to document: DocumentID, _ open: inout OpenDocument
    ) -> [FileUpdate]? {
        guard !updates.isEmpty else { return [] }
        do {
            _ = try bridge.assumeIsolated { try $0.apply($0.merge(updates.map(\.payload)), to: document.key) }
            return updates
        } catch {
            guard CRDTError.isDamage(error) else { return nil }
        }
        // One of them is damaged; the others are not.
        var applied: [FileUpdate] = []
        for update in updates {
            do {
                _ = try bridge.assumeIsolated { try $0.apply(update.payload, to: document.key) }
                applied.append(update)
            } catch {
                guard CRDTError.isDamage(error) else { return nil }
                open.refuse(update.file)
            }
        }
        return applied
    }

    private func describe(_ reading: Reading, isNews: Bool) -> Refreshment {
        let foreign = reading.records.filter { !isOurs($0) }
        return Refreshment(
            isNews: isNews,
            author: foreign.max { $0.timestamp < $1.timestamp }.flatMap { people.name(of: $0.writer) })
    }

    private func isOurs(_ record: LogRecord) -> Bool {
        directoryWriter.map { record.writer?.instance == $0.id.text } ?? false
    }

    private func unwritten(of document: DocumentID) -> [UInt8]? {
        guard case .note(let note) = document else { return nil }
        return unwritten[note]
    }
}

extension OpenDocument {
    /// Takes in what a reading found.
    /// - Returns: the updates to apply: without those that are known to take too long.
    fileprivate mutating func take(
        _ reading: Reading, of document: DocumentID, in directory: String, patience: Duration
    ) -> [FileUpdate] {
        let before = reached.progress
        reached.note(reading, below: "\(directory)/\(document)/")
        recordsSinceStored += reading.records.count + reading.snapshotStates.count
        refused = refused.filter { reached.progress.files[$0] == before.files[$0] }
        let updates = reading.updates
        guard !reached.slow.isEmpty else { return updates }
        return updates.filter { update in
            guard reached.isSlow(update) else { return true }
            reached.leaveOut(update.file, because: FileUpdate.slowness(patience))
            return false
        }
    }

    fileprivate mutating func take(_ made: MadeDocument) {
        refused.formUnion(made.refused)
        crowdedOut = made.crowdedOut
        for (file, problem) in made.problems { reached.leaveOut(file, because: problem) }
        for (file, digests) in made.slow { reached.remember(slow: digests, of: file) }
        if !made.slow.isEmpty { hasNewlySlow = true }
    }

    fileprivate mutating func refuse(_ file: String) {
        refused.insert(file)
        reached.leaveOut(file, because: FileUpdate.damage)
    }
}
