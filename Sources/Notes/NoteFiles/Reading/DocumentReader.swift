internal import Storage
internal import Wire

/// Hands out what is new in the files of one document, of both generations, piece by piece.
///
///     var reader = try directory.reader(of: .note(id), from: progress)
///     while let piece = reader.next() { … }
///     progress = reader.summary.progress
///
/// Everything is handed out, whatever its name, number or time: Yjs knows what it has. What is wrong with one file is
/// noted in the ``summary``, and the next one is read. One record is in memory at a time, and never more than 64 MiB of a
/// log.
package struct DocumentReader: ~Copyable, Sendable {
    /// A document that has more is refused as a whole: no file of it is silently left out.
    static let fileLimit = 65_536

    /// What has been learnt so far. Of files that were not reached it says what was known before.
    package private(set) var summary = ReadingSummary()
    private let folder: Folder?
    private let folderPath: String
    private var files: [(kind: FileKind, name: String)] = []
    /// Pieces of the file that was read last, the next one at the end.
    private var waiting: [ReadingPiece] = []
    private var log: UpdateLogReader?
    private var logPath = ""
    private var logProgress: FileProgress?

    /// What there is instead of a folder: everything is as it was, and this is said.
    init(_ problem: FileProblem, from known: ReadingProgress) {
        folder = nil
        folderPath = ""
        summary.progress = known
        summary.problems = [problem]
    }

    /// - Parameter folder: nil has nothing in it.
    init(_ folder: Folder?, from known: ReadingProgress) {
        folderPath = folder?.path ?? ""
        self.folder = folder
        for kind in FileKind.allCases.reversed() { list(kind) }
        let present = Set(files.map { "\($0.kind.rawValue)/\($0.name)" })
        summary.progress.files = known.files.filter { present.contains($0.key) }
    }

    /// Whether there is no file to read, and nothing that stands in the way of one.
    var isEmpty: Bool { files.isEmpty && waiting.isEmpty && log == nil && summary.problems.isEmpty }

    /// The next piece, or nil at the end.
    package mutating func next() -> ReadingPiece? {
        while true {
            if let piece = waiting.popLast() { return piece }
            if let record = nextRecord() { return .record(record) }
            guard let (kind, name) = files.popLast() else { return nil }
            let path = "\(kind.rawValue)/\(name)"
            do throws(FileError) {
                try begin(kind, name, path)
            } catch {
                // Its owner has removed it in the meantime.
                if error.code == .missing { summary.progress.files[path] = nil } else { report(error, path) }
            }
        }
    }

    private mutating func list(_ kind: FileKind) {
        do throws(FileError) {
            let names = try folder?.folder(kind.rawValue).names(atMost: Self.fileLimit).filter(kind.matches) ?? []
            // The oldest first only spares Yjs some waiting; in any other order the result is the same.
            let dated = names.map { (LogName($0)?.milliseconds ?? 0, $0) }.sorted { $0 > $1 }
            files += dated.map { (kind, $0.1) }
        } catch {
            if error.code != .missing { report(error, kind.rawValue) }
        }
    }

    private mutating func begin(_ kind: FileKind, _ name: String, _ path: String) throws(FileError) {
        guard let inner = try folder?.folder(kind.rawValue), let status = try inner.status(of: name) else { return }
        let known = summary.progress.files[path]
        if let known, known.matches(status) {
            if known.isIncomplete { summary.incompleteFiles.append(path) }
            return
        }
        guard status.size <= kind.fileLimit else {
            throw FileError(.tooLong, "it is longer than \(kind.fileLimit >> 20) MiB, and was not read")
        }
        let file = try inner.open(name)
        var progress = FileProgress(try file.status())
        guard kind == .logs else {
            let bytes = try file.readAll(atMost: Int(kind.fileLimit))
            progress.offset = Int64(bytes.count)
            return take(bytes, kind, name, path, progress)
        }
        let resumed = try known.map { known throws(FileError) in try known.continues(in: file) } == true ? known : nil
        log = UpdateLogReader(file, from: resumed)
        (logPath, logProgress) = (path, progress)
    }

    private mutating func take(_ bytes: [UInt8], _ kind: FileKind, _ name: String, _ path: String, _ read: FileProgress)
    {
        var progress = read
        do throws(WireError) {
            let pieces = try kind.pieces(of: bytes, name: name, path: path)
            waiting = pieces?.reversed() ?? []
            progress.isIncomplete = pieces == nil
            if pieces == nil { summary.incompleteFiles.append(path) }
        } catch {
            summary.problems.append(problem(path, error.code == .limitExceeded ? .tooLarge : .damaged, error.message))
        }
        summary.progress.files[path] = progress
    }

    private mutating func nextRecord() -> LogRecord? {
        do throws(FileError) {
            guard let record = try log?.next() else {
                finishLog()
                return nil
            }
            return LogRecord(
                timestamp: record.timestamp, sequence: record.sequence, payload: Array(record.payload), file: logPath)
        } catch {
            log = nil
            report(error, logPath)
            return nil
        }
    }

    private mutating func finishLog() {
        guard let log = log.take(), let end = log.end, var progress = logProgress else { return }
        (progress.offset, progress.tail) = (log.offset, log.tail)
        if case .damaged(let text) = end { summary.problems.append(problem(logPath, .damaged, text)) }
        if end == .torn {
            progress.isIncomplete = true
            summary.incompleteFiles.append(logPath)
        }
        summary.progress.files[logPath] = progress
    }

    private mutating func report(_ error: FileError, _ path: String) {
        summary.problems.append(FileProblem(error, file: "\(folderPath)/\(path)"))
    }

    private func problem(_ path: String, _ kind: FileProblem.Kind, _ text: String) -> FileProblem {
        FileProblem(file: "\(folderPath)/\(path)", kind: kind, text: text)
    }
}
