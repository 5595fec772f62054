internal import CRDTBridge
internal import NoteFiles
package import NoteIndex

extension NoteLibrary {
    /// - Parameter folder: nil takes it out of its folder.
    @discardableResult
    package func move(_ note: String, to folder: String?) async throws(NoteFailure) -> NoteSummary {
        let note = try openForChange(note)
        if let folder { try checkFolder(folder) }
        return try set(note, [.folder(folder)])
    }

    @discardableResult
    package func pin(_ note: String, _ isPinned: Bool = true) async throws(NoteFailure) -> NoteSummary {
        try set(openForChange(note), [.pinned(isPinned)])
    }

    /// Puts a note among the deleted ones, where it is read-only. It is not pinned any more.
    @discardableResult
    package func delete(_ note: String) async throws(NoteFailure) -> NoteSummary {
        let note = try open(note)
        guard try !isDeleted(note) else { return try summary(of: note.text) }
        return try set(note, [.deleted(true), .pinned(false), .modified(options.clock())])
    }

    @discardableResult
    package func restore(_ note: String) async throws(NoteFailure) -> NoteSummary {
        let note = try open(note)
        guard try isDeleted(note) else { return try summary(of: note.text) }
        return try set(note, [.deleted(false), .modified(options.clock())])
    }

    /// Removes a deleted note and its files for good, on every device.
    package func purge(_ note: String) async throws(NoteFailure) {
        let note = try open(note)
        guard try isDeleted(note) else {
            throw NoteFailure(.noteNotDeleted, "only a deleted note can be removed for good: delete “\(note)” first")
        }
        let writer = try writer()
        try NoteFailure.wrapping { try writer.delete(note) }
        deletions.notes.insert(note.text)
        try forget(note)
    }

    func isDeleted(_ note: NoteID) throws(NoteFailure) -> Bool {
        try crdt { try $0.metadata(of: note.text) }.isDeleted
    }

    private func set(_ note: NoteID, _ changes: [NoteMetadataChange]) throws(NoteFailure) -> NoteSummary {
        try commit(to: note) { [try $0.setMetadata(of: note.text, changes)] }
    }
}
