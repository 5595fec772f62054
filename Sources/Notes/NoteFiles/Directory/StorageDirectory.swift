internal import Foundation
internal import Storage

/// A folder of notes that any syncer may carry: one append-only log a writer and document, and a few small files beside them.
///
/// Opening one and reading it changes nothing in it, and works in a folder that may only be read. Everything is written through a
/// ``DirectoryWriter``. All of it blocks; call it from where that is fine.
package struct StorageDirectory: Sendable {
    /// Notes of one directory.
    package static let noteLimit = 1_000_000

    /// As it was given; it may lead through symbolic links, what is below may not.
    package let path: String
    /// Names the directory on every device that has a copy of it. nil until somebody writes it.
    package let id: String?
    /// What stood in the way of its parts when it was opened, such as a file where a folder has to be. The others work.
    package let problems: [FileProblem]

    /// Opens a directory that is there, also one in which nobody has written yet. It changes nothing.
    package init(opening path: String) throws(NoteFilesError) {
        self.path = path
        let root: Folder
        do throws(FileError) {
            root = try Folder(path)
        } catch {
            guard error.code == .missing else { throw NoteFilesError(error) }
            throw NoteFilesError(
                .missing,
                "there is no folder of notes at \(path). Check the name, and whether its disk is there; the first new note "
                    + "makes one")
        }
        var problems = Self.obstacles(in: root)
        id = DirectoryIdentity.read(in: root, &problems)
        self.problems = problems
    }

    /// Opens a directory, and makes the folders and the identity that are missing. In a folder that may only be read, or
    /// that another program has locked, it does what ``init(opening:)`` does.
    package init(creating path: String) throws(NoteFilesError) {
        try Self.make(path)
        let directory = try StorageDirectory(opening: path)
        do {
            try directory.checkWritable()
            try directory.makeFolders()
        } catch  where error.code == .readOnly || error.code == .locked || error.code == .tooNew {
            self = directory
            return
        }
        try self.init(opening: path)
    }

    func root() throws(NoteFilesError) -> Folder {
        try NoteFilesError.wrapping { () throws(FileError) in try Folder(path) }
    }

    /// The notes that have a folder here. Names that begin with a dot are work in progress of other programs.
    package func notes() throws(NoteFilesError) -> [NoteID] {
        try names(in: "notes", atMost: Self.noteLimit).compactMap { try? NoteID($0) }.sorted()
    }

    /// Whether there is anything by the name of this note here, whatever it is.
    package func holds(_ note: NoteID) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: "\(path)/notes/\(note)")) != nil
    }

    /// What is new in the files of a document, piece by piece. A folder tree that nobody has written yet is empty; a note
    /// that is not there, or has no file yet, is ``NoteFilesErrorCode/missing``.
    /// - Parameter progress: how far reading came before.
    package func reader(
        of document: DocumentID, from progress: ReadingProgress = ReadingProgress()
    ) throws(NoteFilesError) -> DocumentReader {
        var folder = try root()
        do throws(FileError) {
            for step in document.steps { folder = try folder.folder(step) }
            let reader = DocumentReader(folder, from: progress)
            if case .note(let note) = document, reader.isEmpty {
                throw FileError(.missing, "the note \(note) has no files in \(path)")
            }
            return reader
        } catch {
            guard document == .folderTree else { throw NoteFilesError(error) }
            if error.code == .missing { return DocumentReader(nil, from: progress) }
            return DocumentReader(FileProblem(error, file: "\(path)/folders"), from: progress)
        }
    }

    /// What is new in the files of a document, at once. For a document of many megabytes take ``reader(of:from:)``.
    package func read(
        _ document: DocumentID, from progress: ReadingProgress = ReadingProgress()
    ) throws(NoteFilesError) -> Reading {
        var reader = try reader(of: document, from: progress)
        var reading = Reading()
        while let piece = reader.next() {
            switch piece {
            case .record(let record): reading.records.append(record)
            case .snapshot(let state): reading.snapshotStates.append(state)
            }
        }
        reading.summary = reader.summary
        return reading
    }

    /// Names in one of the folders, without those that begin with a dot. Empty if the folder is missing.
    func names(in folder: String, atMost limit: Int) throws(NoteFilesError) -> [String] {
        let root = try root()
        do throws(FileError) {
            return try root.folder(folder).names(atMost: limit).filter { !$0.hasPrefix(".") }
        } catch {
            if error.code == .missing { return [] }
            throw NoteFilesError(error)
        }
    }
}
