internal import Storage

/// What is new in the activity or deletion logs of all writers.
package struct LineReading<Entry: Sendable>: Sendable {
    package internal(set) var entries: [Entry] = []
    /// What to read from next time.
    package internal(set) var progress = ReadingProgress()
    package internal(set) var problems: [FileProblem] = []
}

extension StorageDirectory {
    private static let lineLogLimit: Int64 = 64 << 20

    /// What writers announced since. A log that its owner shortened is read anew, so entries may come again.
    package func activity(
        from progress: ReadingProgress = ReadingProgress()
    ) throws(NoteFilesError) -> LineReading<ActivityEntry> {
        // The last is where one app for phones puts its own.
        try lines(in: [["activity"], [".notecove", "activity"]], from: progress, ActivityEntry.init)
    }

    /// Which notes were removed for good since.
    package func deletions(
        from progress: ReadingProgress = ReadingProgress()
    ) throws(NoteFilesError) -> LineReading<Deletion> {
        try lines(in: [["deleted"]], from: progress, mayBeMended: true, Deletion.init)
    }

    /// - Parameter mayBeMended: whether a file with a line that says nothing is read from its start once it changes: the line may
    ///   have been damaged, and may not be any more. What it had comes again then.
    private func lines<Entry>(
        in folders: [[String]], from progress: ReadingProgress, mayBeMended: Bool = false,
        _ parse: (Substring) -> Entry?
    ) throws(NoteFilesError) -> LineReading<Entry> {
        var reading = LineReading<Entry>()
        for steps in folders {
            var folder = try root()
            var names: [String] = []
            do throws(FileError) {
                for step in steps { folder = try folder.folder(step) }
                names = try folder.names(atMost: DocumentReader.fileLimit)
            } catch {
                let file = ([path] + steps).joined(separator: "/")
                if error.code != .missing { reading.problems.append(FileProblem(error, file: file)) }
            }
            for name in names.sorted() where !name.hasPrefix(".") && name.hasSuffix(LineLogName.suffix) {
                let path = (steps + [name]).joined(separator: "/")
                do throws(FileError) {
                    let (lines, read) = try Self.lines(of: name, in: folder, from: progress.files[path])
                    reading.progress.files[path] = read
                    let entries = lines.compactMap(parse)
                    reading.entries += entries
                    if mayBeMended, entries.count < lines.count { reading.progress.startOver(path) }
                } catch {
                    reading.progress.files[path] = progress.files[path]
                    reading.problems.append(FileProblem(error, file: "\(folder.path)/\(name)"))
                }
            }
        }
        return reading
    }

    /// Lines that end; a last one that does not is still being written.
    private static func lines(
        of name: String, in folder: Folder, from known: FileProgress?
    ) throws(FileError) -> (lines: [Substring], progress: FileProgress) {
        if let known, let status = try folder.status(of: name), known.matches(status) { return ([], known) }
        let file = try folder.open(name)
        var progress = FileProgress(try file.status())
        guard progress.size <= lineLogLimit else {
            throw FileError(.tooLong, "it is longer than \(lineLogLimit >> 20) MiB, and was not read")
        }
        let resumes = try known.map { known throws(FileError) in try known.continues(in: file) } == true
        let start = resumes ? known?.offset ?? 0 : 0
        let bytes = try file.read(at: start, atMost: Int(progress.size - start))
        let whole = bytes.prefix((bytes.lastIndex(of: 0x0a) ?? -1) + 1)
        progress.offset = start + Int64(whole.count)
        progress.tail = Array(((resumes ? known?.tail ?? [] : []) + whole).suffix(FileProgress.tailLength))
        progress.isIncomplete = whole.count < bytes.count
        return (String(decoding: whole, as: UTF8.self).split(whereSeparator: \.isNewline), progress)
    }
}
