internal import Storage

/// What a process leaves that ends between making a note's folder and writing the first record into it.
extension StorageDirectory {
    /// The notes that have a folder with no file in it: they were begun by somebody, here or elsewhere, and nothing of them is here.
    package func emptyNotes() throws(NoteFilesError) -> Set<NoteID> {
        let root = try root()
        var empty: Set<NoteID> = []
        for note in try notes() {
            let files = try? DirectoryWriter.files(of: note, in: root.folder("notes"))
            if files?.isEmpty == true { empty.insert(note) }
        }
        return empty
    }
}

extension DirectoryWriter {
    /// How long a folder without files is left alone, in nanoseconds: its files may be on their way.
    private static let patience: Int64 = 60_000_000_000

    /// Removes the folder of a note that was begun and never written: one without files that is a minute old, or one with nothing but a
    /// log of this writer in which no record is whole. Anything else stays, also if it comes meanwhile.
    /// - Returns: whether the folder is gone.
    package func clearUnwritten(_ note: NoteID) throws(NoteFilesError) -> Bool {
        let root = try writableRoot()
        return try withoutLog(of: .note(note)) { () throws(FileError) in
            let notes = try root.folder("notes")
            guard let status = try notes.status(of: note.text), status.kind == .folder else { return false }
            let files = try Self.files(of: note, in: notes)
            let age = SystemClock.milliseconds() * 1_000_000 - status.modified.allNanoseconds
            guard try files.isEmpty ? abs(age) > Self.patience : isUnwritten(files, of: note, in: notes) else {
                return false
            }
            let folder = try notes.folder(note.text)
            for (kind, name) in files { try folder.folder(kind).remove(name) }
            do throws(FileError) {
                for name in try folder.names(atMost: Self.entryLimit) { try folder.removeEmptyFolder(name) }
                try notes.removeEmptyFolder(note.text)
            } catch {
                // Something came meanwhile.
                return false
            }
            try notes.synchronize()
            return true
        }
    }

    private static let entryLimit = 64

    /// The files below the folder of a note, by the folder that they are in. A file elsewhere is one that nobody here may remove, so it
    /// is an error.
    static func files(of note: NoteID, in notes: Folder) throws(FileError) -> [(kind: String, name: String)] {
        let folder = try notes.folder(note.text)
        var files: [(String, String)] = []
        for kind in try folder.names(atMost: entryLimit) {
            files += try folder.folder(kind).names(atMost: entryLimit).map { (kind, $0) }
        }
        return files
    }

    private func isUnwritten(
        _ files: [(kind: String, name: String)], of note: NoteID, in notes: Folder
    ) throws(FileError) -> Bool {
        let folder = try notes.folder(note.text)
        for (kind, name) in files {
            guard kind == FileKind.logs.rawValue, LogName.milliseconds(of: name, by: id) != nil else { return false }
            var log = UpdateLogReader(try folder.folder(kind).open(name))
            guard try log.next() == nil, log.end == .torn || log.end == .boundary else { return false }
        }
        return true
    }
}
