internal import CRDTBridge
internal import NoteFiles
internal import NoteIndex
internal import RichText

extension NoteLibrary {
    /// Reads every file of the directory anew, with what took too long before, and compares it with the index.
    /// - Parameter rebuildingIndex: makes the index anew from the files alone.
    package func verify(rebuildingIndex: Bool = false) async throws(NoteFailure) -> NoteVerification {
        try checkOpen()
        if rebuildingIndex {
            try NoteFailure.wrapping { try index.clear() }
            for document in documents.keys { forgetOpen(document) }
        }
        if let unwritten = flushEverything() { tell(.problem(unwritten)) }
        let here = try NoteFailure.wrapping { try directory.notes() }
        for document in here.map(DocumentID.note) + [.folderTree] { try trySlowUpdatesAgain(of: document) }
        try await catchUp()
        let notes = try clearUnwritten(NoteFailure.wrapping { try directory.notes() })
        let present = notes.filter { !deletions.notes.contains($0.text) }
        var verification = NoteVerification(notes: present.count, records: 0, problems: [])
        for note in present {
            verifying(.note(note), &verification) { verification throws(NoteFailure) in
                try verify(note, &verification)
            }
            await Task.yield()
        }
        verifying(.folderTree, &verification) { verification throws(NoteFailure) in
            try verify(.folderTree, under: "check:folders", &verification)
        }
        try crdt { $0.release("check:folders") }
        let ids = Set(present.map(\.text))
        for id in try indexed({ try $0.noteIDs() }) where !ids.contains(id) {
            verification.problems.append(.init(note: id, text: "the index has it, the files do not: \(Self.mending)"))
        }
        verification.problems += hidden(notes.filter { deletions.notes.contains($0.text) })
        let others = directory.problems + ((try? directory.presences())?.problems ?? [])
        let parts =
            others.map { NoteVerification.Problem(file: relative($0.file), text: $0.explained) }
            + missing.sorted { $0.key < $1.key }.map { .init(file: $0.key, text: $0.value.message) }
        // A part may have been in the way of the directory and of its reader.
        for part in parts where !verification.problems.contains(where: { $0.file == part.file }) {
            verification.problems.append(part)
        }
        return verification
    }

    /// Clears what a process left that was killed before it wrote the first record of a note. What cannot be cleared because the
    /// directory may not be written is passed over: nothing of a note is missing where no file is.
    /// - Returns: the notes that have files.
    private func clearUnwritten(_ notes: [NoteID]) throws(NoteFailure) -> [NoteID] {
        let empty = try NoteFailure.wrapping { try directory.emptyNotes() }
        var cleared: Set<NoteID> = []
        for note in notes where empty.contains(note) || hasNothingWhole(note) {
            if let isCleared = try? clearingWriter().clearUnwritten(note), isCleared {
                cleared.insert(note)
                try forget(note)
            }
        }
        return notes.filter { !cleared.contains($0) && !empty.contains($0) }
    }

    private func hasNothingWhole(_ note: NoteID) -> Bool {
        guard var reader = try? directory.reader(of: .note(note)) else { return false }
        return reader.next() == nil
    }

    /// What cannot be read at all does not stop the rest.
    private func verifying(
        _ document: DocumentID, _ verification: inout NoteVerification,
        _ body: (inout NoteVerification) throws(NoteFailure) -> Void
    ) {
        do throws(NoteFailure) {
            try body(&verification)
        } catch {
            verification.problems.append(.init(file: "\(document)", note: Self.note(document), text: error.message))
        }
    }

    /// Notes that were removed for good, though their files are still here.
    private func hidden(_ notes: [NoteID]) -> [NoteVerification.Problem] {
        guard !notes.isEmpty else { return [] }
        return deletions.progress.files.keys.sorted().flatMap { file in
            // As if this file alone were new.
            var others = deletions.progress
            others.forget(file)
            let removed = Set(((try? directory.deletions(from: others))?.entries ?? []).map(\.note))
            return notes.filter(removed.contains).map { note in
                NoteVerification.Problem(
                    file: file, note: note.text,
                    text: "it says that this note was removed for good, but its files are still here; it is not shown")
            }
        }
    }

    private static func note(_ document: DocumentID) -> String? {
        if case .note(let id) = document { id.text } else { nil }
    }

    private static let mending = "rebuild the index with `alcove note verify --rebuild`"

    private func verify(_ note: NoteID, _ verification: inout NoteVerification) throws(NoteFailure) {
        let key = "check:\(note)"
        defer { try? crdt { $0.release(key) } }
        try verify(.note(note), under: key, &verification)
        let row = try indexed { try $0.note(note.text) }
        let (content, metadata) = try crdt { (try $0.tree(of: key), try $0.metadata(of: key)) }
        guard let row else {
            verification.problems.append(
                .init(note: note.text, text: "the index does not have it: \(Self.mending)"))
            return
        }
        let agrees =
            row.title == String(content.title.prefix(1000)) && row.folder == metadata.folder
            && row.isDeleted == metadata.isDeleted && row.isPinned == metadata.isPinned
            && content.contentText.hasPrefix(row.text)
        if !agrees {
            verification.problems.append(
                .init(note: note.text, text: "the index shows something else than the files: \(Self.mending)"))
        }
    }

    /// Makes the document from its files alone, under a name of its own.
    private func verify(
        _ document: DocumentID, under key: String, _ verification: inout NoteVerification
    ) throws(NoteFailure) {
        let note = Self.note(document)
        let reading = try read(document, from: ReadingProgress())
        verification.records += reading.records.count
        verification.problems += reading.problems.map {
            .init(file: relative($0.file), note: note, text: $0.explained)
        }
        for file in reading.incompleteFiles {
            let text = "it ends in the middle of a record: wait until it has been copied whole"
            verification.problems.append(.init(file: "\(document)/\(file)", note: note, text: text))
        }
        let made = try make(key, of: reading.updates)
        for (file, text) in made.problems.sorted(by: { $0.key < $1.key }) {
            verification.problems.append(.init(file: "\(document)/\(file)", note: note, text: text))
        }
        if try crdt({ try $0.isMissingUpdates(key) }) {
            let text = "changes that others build on are not here: wait until all files have been copied"
            verification.problems.append(.init(file: "\(document)", note: note, text: text))
        }
        if try !agreesWithStoredState(document, key) {
            let text = "the index keeps another state than the files give: \(Self.mending)"
            verification.problems.append(.init(file: note == nil ? "\(document)" : nil, note: note, text: text))
        }
    }

    /// Whether the state that the index keeps, with what the files have beyond it, is what all files give.
    private func agreesWithStoredState(_ document: DocumentID, _ key: String) throws(NoteFailure) -> Bool {
        guard let stored = try storedState(of: document) else { return true }
        guard let checkpoint = stored.checkpoint else { return false }
        let other = "stored:"
        defer { try? crdt { $0.release(other) } }
        let rest = try read(document, from: checkpoint.progress)
        guard try make(other, of: rest.updates, on: stored.document).hasState else { return false }
        return try crdt { bridge in
            guard case .note = document else {
                return try bridge.folders(of: key).folders == bridge.folders(of: other).folders
            }
            return try bridge.tree(of: key) == bridge.tree(of: other)
                && bridge.metadata(of: key) == bridge.metadata(of: other)
                && bridge.comments(of: key) == bridge.comments(of: other)
        }
    }

    private func relative(_ file: String) -> String {
        file.hasPrefix(path) ? String(file.dropFirst(path.count).drop { $0 == "/" }) : file
    }
}
