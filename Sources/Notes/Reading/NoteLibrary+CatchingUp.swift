internal import CRDTBridge
internal import NoteFiles
internal import NoteIndex

/// The notes that somebody removed for good, as far as the deletion logs were read.
struct Deletions {
    var progress = ReadingProgress()
    var notes: Set<String> = []
}

extension NoteLibrary {
    /// So many notes are brought up to date in one step, and one transaction of the index.
    private static let batch = 64

    /// Reads what is new in all files now, without waiting for the watch.
    public func catchUp() async throws(NoteFailure) {
        try checkOpen()
        unnamed = []
        readPeople()
        readDeletions()
        doWithout("folders") { () throws(NoteFailure) in try readFolders() }
        let notes = try NoteFailure.wrapping { try directory.notes() }.filter { !deletions.notes.contains($0.text) }
        try forget(except: Set(notes.map(\.text)))
        let marks = try indexedMarks()
        let changed = notes.filter { hasChanged($0, since: marks[$0.text]) }
        try await bringUpToDate(changed)
        tell(settled)
    }

    /// Reads a part of the directory; without one that cannot be read the rest goes on.
    func doWithout(_ part: String, _ read: () throws(NoteFailure) -> Void) {
        do throws(NoteFailure) {
            try read()
            missing[part] = nil
        } catch {
            missing[part] = NoteFailure(error.code, "\(path)/\(part): \(error.message)")
        }
    }

    /// How the library is when it has read everything that it can.
    var settled: NoteSync { missing.min { $0.key < $1.key }.map { .problem($0.value) } ?? .ready }

    /// Takes in what is new in the files of these notes, many of them in several steps.
    func bringUpToDate(_ notes: [NoteID]) async throws(NoteFailure) {
        for start in stride(from: 0, to: notes.count, by: Self.batch) {
            if notes.count > Self.batch { tell(.catchingUp(remaining: notes.count - start)) }
            try takeIn(notes[start..<min(start + Self.batch, notes.count)])
            // Whoever wants to read a note meanwhile gets a turn.
            await Task.yield()
            try checkOpen()
        }
    }

    func tell(_ sync: NoteSync) {
        guard sync != self.sync else { return }
        self.sync = sync
        broadcast.send(.sync(sync))
    }

    /// One that cannot be read does not stop the others.
    private func takeIn(_ notes: ArraySlice<NoteID>) throws(NoteFailure) {
        var entries: [IndexEntry] = []
        var authors: [String: String] = [:]
        for note in notes where !deletions.notes.contains(note.text) {
            let wasOpen = documents[.note(note)] != nil
            do {
                let refreshment = try refresh(.note(note))
                guard refreshment.isNews else { continue }
                entries.append(try entry(for: note))
                authors[note.text] = refreshment.author
                if wasOpen { forward(refreshment.foreign, of: note) } else { close(.note(note)) }
            } catch  where error.code == .noteUnknown {
                try forget(note)
            } catch {
                entries.append(try entry(for: note, because: error))
                forgetOpen(.note(note))
            }
        }
        try publish(entries, authors: authors)
    }

    /// Lets go of a document that nobody asked for by itself, so that many of them need no more room than one.
    private func close(_ document: DocumentID) {
        documents[document] = nil
        try? crdt { $0.release(document.key) }
    }

    private func hasChanged(_ note: NoteID, since marks: FileMarks?) -> Bool {
        guard let marks else { return true }
        // What is in the place of a note may be no folder.
        guard let reading = try? directory.read(.note(note), from: ReadingProgress(marks)) else {
            return marks != ["": .unreadable]
        }
        var seen = Checkpoint()
        seen.note(reading, below: "\(path)/\(DocumentID.note(note))/")
        return seen.marks != marks
    }

    private func indexedMarks() throws(NoteFailure) -> [String: FileMarks] {
        let rows = try indexed { try $0.progress() }
        var marks: [String: FileMarks] = [:]
        for row in rows {
            let file = row.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).joined(
                separator: "/")
            marks[row.document, default: [:]][file] = FileMark(row)
        }
        return marks
    }

    /// Forgets notes whose folders are gone.
    private func forget(except present: Set<String>) throws(NoteFailure) {
        for id in try indexed({ try $0.noteIDs() }) where !present.contains(id) {
            try forget(try NoteFailure.wrapping { try NoteID(id) })
        }
    }

    func forget(_ note: NoteID) throws(NoteFailure) {
        close(.note(note))
        // What is gone for good gets no more; a folder that is only away does when it is back.
        if deletions.notes.contains(note.text) { unwritten[note] = nil }
        guard try indexed({ try $0.summary(note.text) }) != nil else { return }
        try writeIndex { try $0.remove(note.text) }
        broadcast.send(.removed(note: note.text))
    }

    func readDeletions() {
        doWithout("deleted") { () throws(NoteFailure) in
            let reading = try NoteFailure.wrapping { try directory.deletions(from: deletions.progress) }
            for deletion in reading.entries where !deletions.notes.contains(deletion.note.text) {
                try forget(deletion.note)
                deletions.notes.insert(deletion.note.text)
            }
            deletions.progress = reading.progress
        }
    }
}
