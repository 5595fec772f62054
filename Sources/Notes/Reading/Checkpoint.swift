internal import Foundation
internal import NoteFiles
internal import NoteIndex

/// How far the files of a document are in its stored state, kept in the index beside that state.
///
/// The whole document is stored only from time to time; reading goes on from here. What the rows of the index show is told apart, by
/// the ``FileMark`` of each file.
struct Checkpoint: Codable, Hashable, Sendable {
    var progress = ReadingProgress()
    /// What is wrong with files, by their names, until they change.
    var problems: [String: String] = [:]
    /// The times of the first and last record, in milliseconds since 1970: for notes that do not tell themselves.
    var first: Int64?
    var last: Int64?

    init() {}

    /// A checkpoint that cannot be read is none: everything is read anew.
    init(_ state: SyncState?) {
        let json = Data((state?.vectorClock ?? "").utf8)
        self = (try? JSONDecoder().decode(Checkpoint.self, from: json)) ?? Checkpoint()
    }

    var json: String { String(decoding: (try? JSONEncoder().encode(self)) ?? Data(), as: UTF8.self) }

    /// Takes in what a reading found: problems of files that changed are gone, others are new.
    mutating func note(_ reading: Reading) {
        let before = progress
        progress = reading.progress
        problems = problems.filter { file, _ in
            progress.files[file] != nil && progress.files[file] == before.files[file]
        }
        for problem in reading.problems { problems[problem.name] = problem.text }
        for record in reading.records where record.timestamp > 0 {
            first = min(first ?? record.timestamp, record.timestamp)
            last = max(last ?? record.timestamp, record.timestamp)
        }
    }
}

extension FileProblem {
    /// The file from the document's folder on.
    fileprivate var name: String { file.split(separator: "/").suffix(2).joined(separator: "/") }
}

/// What a file looked like when the index was told of it, and how much of it was read.
struct FileMark: Hashable, Sendable {
    var size: Int64
    var offset: Int64
    var modified: Int64
    var inode: UInt64

    init(_ progress: NoteFiles.FileProgress) {
        (size, offset) = (progress.size, progress.offset)
        (modified, inode) = (progress.modified, progress.inode)
    }

    init(_ progress: IndexedProgress) {
        (size, offset, modified) = (progress.size, progress.offset, progress.modified)
        inode = UInt64(bitPattern: progress.inode)
    }

    func progress(of file: String, document: DocumentID) -> IndexedProgress {
        IndexedProgress(
            path: "\(document)/\(file)", document: document.key, size: size, offset: offset, modified: modified,
            inode: Int64(bitPattern: inode))
    }
}

/// The marks of a document's files, by their names from the document's folder on.
typealias FileMarks = [String: FileMark]

extension ReadingProgress {
    var marks: FileMarks { files.mapValues { FileMark($0) } }

    /// To look whether files changed; there is not enough in marks to read on safely.
    init(_ marks: FileMarks) {
        self.init(
            marks.mapValues {
                NoteFiles.FileProgress(size: $0.size, modified: $0.modified, inode: $0.inode, offset: $0.offset)
            })
    }
}
