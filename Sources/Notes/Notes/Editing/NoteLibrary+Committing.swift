internal import CRDTBridge
internal import NoteFiles
internal import NoteIndex
internal import RichText

extension NoteLibrary {
    /// Opens a note that is here, with all that is in its files by now.
    func open(_ id: String) throws(NoteFailure) -> NoteID {
        try checkOpen()
        let note = try NoteFailure.wrapping { try NoteID(id) }
        guard !deletions.notes.contains(id) else { throw .unknown(id) }
        do {
            let refreshment = try refresh(.note(note))
            if refreshment.isNews { showInIndex(note, author: refreshment.author) }
        } catch  where error.code == .noteUnknown {
            try forget(note)
            throw .unknown(id)
        } catch {
            // Else a document that became unusable would stay so.
            forgetOpen(.note(note))
            throw error.about(.note(note))
        }
        return note
    }

    /// Opens a note to change it. A deleted one is read-only.
    func openForChange(_ id: String) throws(NoteFailure) -> NoteID {
        let note = try open(id)
        if try isDeleted(note) {
            throw NoteFailure(
                .noteDeleted,
                "the note “\(id)” is deleted: restore it before you change it, with `alcove note restore \(id)`")
        }
        return note
    }

    /// Makes changes to an open note, as one record, and tells everybody. When it returns they are durable; if it throws, the
    /// note is as it was. That the index cannot be written is a problem of the library, and no error.
    /// - Parameter make: gives the updates of the changes that it made.
    @discardableResult
    func commit(
        to note: NoteID, _ make: @Sendable (isolated CRDTBridge) throws -> [[UInt8]?]
    ) throws(NoteFailure) -> NoteSummary {
        do {
            guard let update = try crdt({ try $0.joined(make($0)) }) else { return try summary(of: note.text) }
            try write(update, to: note)
            forward([update], of: note)
        } catch {
            // It has the change, but the files do not.
            forgetOpen(.note(note))
            throw error
        }
        showInIndex(note)
        return (try? summary(of: note.text)) ?? unindexedSummary(of: note)
    }

    /// Like ``commit(to:_:)``, with the time of the change as a part of it.
    @discardableResult
    func commitContent(
        to note: NoteID, _ make: @Sendable (isolated CRDTBridge) throws -> [[UInt8]?]
    ) throws(NoteFailure) -> NoteSummary {
        let now = options.clock()
        return try commit(to: note) { bridge in
            let updates = try make(bridge).compactMap(\.self)
            return updates.isEmpty ? [] : updates + [try bridge.setMetadata(of: note.text, [.modified(now)])]
        }
    }

    /// Appends a record, with what live sessions left to be written before it: the change may build on that.
    private func write(_ update: [UInt8], to note: NoteID) throws(NoteFailure) {
        let waiting = unwritten[note].map { [$0] } ?? []
        edited.remove(note)
        let record = waiting.isEmpty ? update : try crdt { try $0.merge(waiting + [update]) }
        let writer = try writer()
        _ = try NoteFailure.wrapping { try writer.append(record, to: .note(note)) }
        unwritten[note] = nil
    }

    /// Writes what live sessions left to be written. It stays until it is.
    func flush(_ note: NoteID, author: String? = nil) throws(NoteFailure) {
        guard let update = stamped(note) else { return }
        let writer = try writer()
        _ = try NoteFailure.wrapping { try writer.append(update, to: .note(note)) }
        unwritten[note] = nil
        showInIndex(note, author: author)
    }

    /// What live sessions left to be written, with the time if this person changed something.
    private func stamped(_ note: NoteID) -> [UInt8]? {
        guard let waiting = unwritten[note] else { return nil }
        let now = options.clock()
        guard edited.remove(note) != nil,
            let stamp = try? crdt({ try $0.setMetadata(of: note.text, [.modified(now)]) }),
            let both = try? crdt({ try $0.merge([waiting, stamp]) })
        else { return waiting }
        unwritten[note] = both
        forward([stamp], of: note)
        return both
    }

    /// - Returns: why something could not be written.
    func flushEverything() -> NoteFailure? {
        var failure: NoteFailure?
        for note in unwritten.keys {
            do throws(NoteFailure) { try flush(note) } catch { failure = error }
        }
        return failure
    }

    /// Puts what was read or written into the index. The files have it already, so a failure is only told, and it is tried again.
    private func showInIndex(_ note: NoteID, author: String? = nil) {
        do throws(NoteFailure) {
            for _ in 0..<Self.indexingLimit {
                let author = try refresh(.note(note)).author ?? author
                let authors = author.map { [note: $0] } ?? [:]
                if try publish([try entry(for: note)], authors: authors).isEmpty { return }
            }
            try mistrustIndex(of: [note])
        } catch {
            tell(.problem(error))
            catchUpLater()
        }
    }

    /// What the index would say of a new note if it could be written.
    func unindexedSummary(of note: NoteID) -> NoteSummary {
        let shown = try? crdt { (try $0.tree(of: note.text), try $0.metadata(of: note.text)) }
        return NoteSummary(
            id: note.text, title: shown?.0.title ?? "", preview: shown?.0.snippet ?? "", folder: shown?.1.folder,
            created: shown?.1.created ?? 0, modified: shown?.1.modified ?? 0, tags: shown?.0.tags ?? [])
    }

    /// The document is made anew from the files when it is needed.
    func forgetOpen(_ document: DocumentID) {
        documents[document] = nil
        try? crdt { $0.release(document.key) }
    }
}

extension CRDTBridge {
    /// Several updates as one; nil if there is none.
    fileprivate func joined(_ updates: [[UInt8]?]) throws -> [UInt8]? {
        let updates = updates.compactMap(\.self)
        return updates.count > 1 ? try merge(updates) : updates.first
    }
}

extension NoteFailure {
    static func unknown(_ note: String) -> NoteFailure {
        NoteFailure(.noteUnknown, "there is no note “\(note)” here: `alcove note list` shows those that are")
    }
}
