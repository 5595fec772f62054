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
    package func catchUp() async throws(NoteFailure) {
        try checkOpen()
        unnamed = []
        readPeople()
        readDeletions()
        doWithout("folders") { () throws(NoteFailure) in try readFolders() }
        // In this order: a note that another process makes meanwhile has its files before it is in the index.
        let known = try indexed { try $0.noteIDs() }
        let notes = try NoteFailure.wrapping { try directory.notes() }.filter { !deletions.notes.contains($0.text) }
        try forget(known, except: Set(notes.map(\.text)))
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
            if !error.isAboutFiles { catchUpLater() }
        }
    }

    /// Reads everything once more after a while, and while that fails more and more seldom: what could not be put into the index
    /// is not forgotten until the next change.
    func catchUpLater() {
        isLate = true
        guard catchingUp == nil, !isClosed else { return }
        catchingUp = Task { [weak self] in
            var pause = Duration.milliseconds(100)
            repeat {
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(30))
            } while await self?.isStillLate() == true
        }
    }

    private func isStillLate() async -> Bool {
        isLate = false
        do throws(NoteFailure) {
            try await catchUp()
        } catch {
            guard error.code != .closed else { return false }
            tell(.problem(error))
            isLate = true
        }
        if !isLate { catchingUp = nil }
        return isLate
    }

    /// How the library is when it has read everything that it can.
    var settled: NoteSync { missing.min { $0.key < $1.key }.map { .problem($0.value) } ?? .ready }

    /// Takes in what is new in the files of these notes, many of them in several steps.
    func bringUpToDate(_ notes: [NoteID]) async throws(NoteFailure) {
        for start in stride(from: 0, to: notes.count, by: Self.batch) {
            if notes.count > Self.batch { tell(.catchingUp(remaining: notes.count - start)) }
            try takeIn(notes[start..<min(start + Self.batch, notes.count)])
            // A request to read a note is served in between.
            await Task.yield()
            try checkOpen()
        }
    }

    func tell(_ sync: NoteSync) {
        guard sync != self.sync else { return }
        self.sync = sync
        broadcast.send(.sync(sync))
    }

    private func takeIn(_ notes: ArraySlice<NoteID>) throws(NoteFailure) {
        var left = Array(notes)
        var authors: [NoteID: String] = [:]
        for _ in 0..<Self.indexingLimit where !left.isEmpty {
            left = try publish(try entries(for: left, &authors), authors: authors)
        }
        if !left.isEmpty { try mistrustIndex(of: left) }
    }

    /// What the index is to show of those notes that have news. One that cannot be read does not stop the others.
    private func entries(
        for notes: [NoteID], _ authors: inout [NoteID: String]
    ) throws(NoteFailure) -> [IndexEntry] {
        var entries: [IndexEntry] = []
        for note in notes where !deletions.notes.contains(note.text) {
            let staysOpen = documents[.note(note)] != nil || sessions[note] != nil
            defer { if !staysOpen { forgetOpen(.note(note)) } }
            do {
                let refreshment = try refresh(.note(note))
                if let author = refreshment.author { authors[note] = author }
                if refreshment.isNews {
                    entries.append(try entry(for: note))
                } else {
                    tellOfNote(note, author: refreshment.author)
                }
            } catch  where error.code == .noteUnknown {
                try forget(note, isNoticed: true)
            } catch {
                entries.append(try entry(for: note, because: error))
                forgetOpen(.note(note))
            }
        }
        return entries
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
    private func forget(_ known: [String], except present: Set<String>) throws(NoteFailure) {
        for id in known where !present.contains(id) {
            try forget(try NoteFailure.wrapping { try NoteID(id) })
        }
    }

    /// - Parameter isNoticed: whether its files went just now; another process may have told the index already.
    func forget(_ note: NoteID, isNoticed: Bool = false) throws(NoteFailure) {
        forgetOpen(.note(note))
        // What is gone for good gets no more; a folder that is only away does when it is back.
        if deletions.notes.contains(note.text) { unwritten[note] = nil }
        let isIndexed = try indexed { try $0.summary(note.text) } != nil
        if isIndexed { try writeIndex { try $0.remove(note.text) } }
        if isIndexed || isNoticed { tellOfLoss(note) }
    }

    /// - Parameter isNoticed: as for ``forget(_:isNoticed:)``.
    func readDeletions(isNoticed: Bool = false) {
        doWithout("deleted") { () throws(NoteFailure) in
            let reading = try NoteFailure.wrapping { try directory.deletions(from: deletions.progress) }
            for deletion in reading.entries where deletions.notes.insert(deletion.note.text).inserted {
                do throws(NoteFailure) {
                    try forget(deletion.note, isNoticed: isNoticed)
                } catch {
                    // It is read again, and has to be news then.
                    deletions.notes.remove(deletion.note.text)
                    throw error
                }
            }
            deletions.progress = reading.progress
        }
    }
}
