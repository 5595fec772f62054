internal import Storage

/// One update of a document, as it was recorded.
public struct LogRecord: Hashable, Sendable {
    /// Milliseconds since 1970 by the clock of whoever wrote it; 0 if the file does not say.
    public let timestamp: Int64
    /// Counts the records of one writer and document, as far as that writer keeps to it. It decides nothing here.
    public let sequence: UInt64
    /// A Yjs update, V1. Not looked at.
    public let payload: [UInt8]
    /// The file, from the document's folder on, such as `logs/a.a.1700000000000.crdtlog`.
    public let file: String
}

/// The whole state of a document at some time, as a Yjs update (V1). Applying it beside the records changes nothing they say.
public struct SnapshotState: Hashable, Sendable {
    public let payload: [UInt8]
    /// The file, from the document's folder on.
    public let file: String
}

/// What is not as it should be with one file. The others are read all the same.
public struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, Hashable, Sendable {
        /// Not what its name says, or broken in the middle; what came before was read.
        case damaged
        /// Above a limit.
        case tooLarge
        /// It could not be read now.
        case unreadable
    }

    /// The path.
    public let file: String
    public let kind: Kind
    /// For a person.
    public let text: String

    public var description: String { "\(file): \(text)" }

    init(file: String, kind: Kind, text: String) {
        (self.file, self.kind, self.text) = (file, kind, text)
    }

    init(_ error: FileError, file: String) {
        let kind: Kind =
            switch error.code {
            case .tooLong: .tooLarge
            case .damaged, .notFile, .isDirectory, .notDirectory: .damaged
            default: .unreadable
            }
        self.init(file: file, kind: kind, text: error.message)
    }
}

/// How far each file of a document has been read, by name from the document's folder on. Keep it beside what was made of the
/// records; losing it costs nothing but reading everything again.
public struct ReadingProgress: Hashable, Sendable, Codable {
    public internal(set) var files: [String: FileProgress] = [:]

    public init(_ files: [String: FileProgress] = [:]) { self.files = files }

    /// Has the file read from its start next time.
    public mutating func forget(_ file: String) {
        files[file] = nil
    }

    /// Has the file read from its start once it changes, because something in it could not be used: whoever mends it may
    /// change bytes before those that were read last, and leave these as they are.
    public mutating func startOver(_ file: String) { files[file]?.startOver() }
}

/// What was new in the files of a document.
public struct Reading: Sendable {
    public internal(set) var records: [LogRecord] = []
    public internal(set) var snapshotStates: [SnapshotState] = []
    public internal(set) var summary = ReadingSummary()

    public var progress: ReadingProgress { summary.progress }
    public var incompleteFiles: [String] { summary.incompleteFiles }
    public var problems: [FileProblem] { summary.problems }
}

/// A piece of what is new, for those who do not want all of it in memory.
public enum ReadingPiece: Sendable {
    case record(LogRecord)
    case snapshot(SnapshotState)
}

public struct ReadingSummary: Sendable {
    /// What to read from next time.
    public internal(set) var progress = ReadingProgress()
    /// Files that end within a record, as they do while a syncer or a writer is at work. What they hold whole was read; the rest
    /// comes when they change.
    public internal(set) var incompleteFiles: [String] = []
    public internal(set) var problems: [FileProblem] = []
}
