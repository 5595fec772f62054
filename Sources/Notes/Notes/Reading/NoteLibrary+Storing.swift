internal import CRDTBridge
internal import NoteFiles
internal import NoteIndex

extension NoteLibrary {
    /// The document as it is to be read from next time; nil keeps what is stored.
    /// - Parameter recordCount: records that make it worth while.
    func stateToStore(
        of document: DocumentID, _ open: OpenDocument, after recordCount: Int = OpenDocument.storeAfter
    ) throws(NoteFailure) -> SyncState? {
        let isWorthWhile = open.recordsSinceStored >= recordCount
        if open.refused.isEmpty, open.crowdedOut.isEmpty {
            guard isWorthWhile else { return nil }
            let state = try crdt { try $0.state(of: document.key) }
            return SyncState(state, at: open.reached, updated: options.clock())
        }
        let stored = try storedState(of: document)
        if isWorthWhile, open.crowdedOut.isEmpty,
            let state = try soundState(of: document, open, on: stored, after: max(recordCount, 1))
        {
            return state
        }
        // What is stored stays as it was. Only which updates are slow is worth knowing.
        guard open.hasNewlySlow else { return nil }
        var checkpoint = stored?.checkpoint ?? Checkpoint()
        let state = stored?.checkpoint == nil ? nil : stored?.document
        checkpoint.slow = open.reached.slow
        return SyncState(state ?? Self.emptyUpdate, at: checkpoint, updated: options.clock())
    }

    /// A Yjs update (V1) of nothing.
    private static let emptyUpdate: [UInt8] = [0, 0]

    /// What is stored, with all that the sound files have beyond it. A file with a refused update is read again each time, from where
    /// it was in what is stored: even what could be used of it may be something else once it is mended.
    private func soundState(
        of document: DocumentID, _ open: OpenDocument, on stored: SyncState?, after recordCount: Int
    ) throws(NoteFailure) -> SyncState? {
        var checkpoint = stored?.checkpoint ?? Checkpoint()
        let before = checkpoint
        let reading = try read(document, from: checkpoint.progress)
        checkpoint.note(reading, below: "\(path)/\(document)/")
        checkpoint.slow = open.reached.slow
        var sound: [FileUpdate] = []
        for update in reading.updates where !open.refused.contains(update.file) {
            if checkpoint.isSlow(update) {
                checkpoint.leaveOut(update.file, because: FileUpdate.slowness(options.patience))
            } else {
                sound.append(update)
            }
        }
        guard sound.count >= recordCount else { return nil }
        let key = "sound:"
        defer { try? crdt { $0.release(key) } }
        let made = try make(key, of: sound, on: stored?.checkpoint == nil ? nil : stored?.document)
        // What else there is comes with the next reading of the document.
        guard made.hasState, made.problems.isEmpty else { return nil }
        checkpoint.setBack(open.refused, to: before)
        return SyncState(try crdt { try $0.state(of: key) }, at: checkpoint, updated: options.clock())
    }

    /// Forgets which updates of a document take too long: a machine that was slow once hides nothing for good.
    func trySlowUpdatesAgain(of document: DocumentID) throws(NoteFailure) {
        let stored = try storedState(of: document)
        let checkpoint = stored?.checkpoint
        guard documents[document]?.reached.slow.isEmpty == false || checkpoint?.slow.isEmpty == false else { return }
        forgetOpen(document)
        var again: SyncState?
        if let stored, var checkpoint {
            checkpoint.forgetSlow()
            again = SyncState(stored.document, at: checkpoint, updated: options.clock())
        }
        let state = again
        try writeIndex { writer in
            try writer.removeProgress(of: document.key)
            guard let state else { return }
            switch document {
            case .note(let note): try writer.setState(state, of: note.text)
            case .folderTree: try writer.setFolderState(state)
            }
        }
    }
}
