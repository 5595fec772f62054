internal import CRDTBridge
internal import NoteFiles
internal import NoteIndex
internal import RichText

extension NoteLibrary {
    /// Reads every file of the directory anew and compares it with the index.
    /// - Parameter rebuildingIndex: makes the index anew from the files alone.
    public func verify(rebuildingIndex: Bool = false) async throws(NoteFailure) -> NoteVerification {
        try checkOpen()
        if rebuildingIndex {
            try NoteFailure.wrapping { try index.clear() }
            for document in documents.keys { forgetOpen(document) }
        }
        try await catchUp()
        let notes = try NoteFailure.wrapping { try directory.notes() }.filter { !deletions.notes.contains($0.text) }
        var verification = NoteVerification(notes: notes.count, records: 0, problems: [])
        for note in notes {
            do {
                try verify(note, &verification)
            } catch {
                // What is in the place of this note cannot be read at all; the others can.
                verification.problems.append(
                    .init(file: "\(DocumentID.note(note))", note: note.text, text: error.message))
            }
            await Task.yield()
        }
        try verify(.folderTree, under: "check:folders", &verification)
        try crdt { $0.release("check:folders") }
        for id in try indexed({ try $0.noteIDs() }) where !notes.contains(where: { $0.text == id }) {
            verification.problems.append(.init(note: id, text: "the index has it, the files do not: \(Self.mending)"))
        }
        let presences = try NoteFailure.wrapping { try directory.presences() }
        verification.problems += presences.problems.map { .init(file: relative($0.file), text: $0.text) }
        return verification
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
        let note: String? = if case .note(let id) = document { id.text } else { nil }
        let reading = try NoteFailure.wrapping { try directory.read(document) }
        verification.records += reading.records.count
        verification.problems += reading.problems.map { .init(file: relative($0.file), note: note, text: $0.text) }
        for file in reading.incompleteFiles {
            let text = "it ends in the middle of a record: wait until it has been copied whole"
            verification.problems.append(.init(file: "\(document)/\(file)", note: note, text: text))
        }
        let updates =
            reading.snapshotStates.map { ($0.payload, $0.file) } + reading.records.map { ($0.payload, $0.file) }
        for index in try crdt({ try $0.load(key, updates.map(\.0)) }) {
            let text = "an update in it is damaged and was left out: get the file from where it was written again"
            verification.problems.append(.init(file: "\(document)/\(updates[index].1)", note: note, text: text))
        }
        if try crdt({ try $0.isMissingUpdates(key) }) {
            let text = "changes that others build on are not here: wait until all files have been copied"
            verification.problems.append(.init(file: "\(document)", note: note, text: text))
        }
    }

    private func relative(_ file: String) -> String {
        file.hasPrefix(path) ? String(file.dropFirst(path.count).drop { $0 == "/" }) : file
    }
}
