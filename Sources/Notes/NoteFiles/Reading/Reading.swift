internal import Storage

/// One update of a document, as it was recorded.
package struct LogRecord: Hashable, Sendable {
    /// Milliseconds since 1970 by the clock of its author; 0 if the file does not say.
    package let timestamp: Int64
    /// Counts the records of one writer and document, as far as that writer keeps to it. It decides nothing here.
    package let sequence: UInt64
    /// A Yjs update, V1. Not looked at.
    package let payload: [UInt8]
    /// The file, from the document's folder on, such as `logs/a.a.1700000000000.crdtlog`.
    package let file: String
}

/// The whole state of a document at some time, as a Yjs update (V1). Applying it beside the records changes nothing they say.
package struct SnapshotState: Hashable, Sendable {
    package let payload: [UInt8]
    /// The file, from the document's folder on.
    package let file: String
}

/// A problem with one file. The other files are read all the same.
package struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, Hashable, Sendable {
        /// Not what its name says, or broken in the middle; what came before was read.
        case damaged
        /// Above a limit.
        case tooLarge
        /// It could not be read now.
        case unreadable
    }

    /// The path.
    package let file: String
    package let kind: Kind
    /// For a person.
    package let text: String

    package var description: String { "\(file): \(text)" }

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
package struct ReadingProgress: Hashable, Sendable, Codable {
    package internal(set) var files: [String: FileProgress] = [:]

    package init(_ files: [String: FileProgress] = [:]) { self.files = files }

    /// Has the file read from its start next time.
    package mutating func forget(_ file: String) {
        files[file] = nil
    }

    /// Has the file read from its start once it changes, because something in it could not be used: whoever mends it may
    /// change bytes before those that were read last, and leave these as they are.
    package mutating func startOver(_ file: String) { files[file]?.startOver() }
}

/// What was new in the files of a document.
package struct Reading: Sendable {
    package internal(set) var records: [LogRecord] = []
    package internal(set) var snapshotStates: [SnapshotState] = []
    package internal(set) var summary = ReadingSummary()

    package var progress: ReadingProgress { summary.progress }
    package var incompleteFiles: [String] { summary.incompleteFiles }
    package var problems: [FileProblem] { summary.problems }
}

/// A piece of what is new, for those who do not want all of it in memory.
package enum ReadingPiece: Sendable {
    case record(LogRecord)
    case snapshot(SnapshotState)
}

package struct ReadingSummary: Sendable {
    /// What to read from next time.
    package internal(set) var progress = ReadingProgress()
    /// Files that end within a record, as they do while a syncer or a writer is at work. What they hold whole was read; the rest
    /// comes when they change.
    package internal(set) var incompleteFiles: [String] = []
    package internal(set) var problems: [FileProblem] = []
}
