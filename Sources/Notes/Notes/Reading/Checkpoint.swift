internal import Cryptography
internal import Foundation
internal import NoteFiles
internal import NoteIndex
internal import Wire

/// How far the files of a document are in its stored state, kept in the index beside that state.
///
/// The whole document is stored only from time to time; reading goes on from here. What the rows of the index show is told apart, by
/// the ``FileMark`` of each file.
struct Checkpoint: Codable, Hashable, Sendable {
    var progress = ReadingProgress()
    /// What is wrong with files, by their names, until they change.
    var problems: [String: String] = [:]
    /// Digests of updates that take too long, by the names of their files, so that each costs its time once.
    var slow: [String: [String]] = [:]
    /// The times of the first and last record, in milliseconds since 1970: for notes that do not tell themselves.
    var first: Int64?
    var last: Int64?

    /// How far each file was read; those that could not be read at all are known, too.
    var marks: FileMarks {
        progress.marks.merging(problems.keys.map { ($0, .unreadable) }) { read, _ in read }
    }

    /// One file, and what is wrong with it.
    var firstProblem: String? { problems.min { $0.key < $1.key }.map { "\($0.key): \($0.value)" } }

    /// Takes in what a reading found: problems of files that changed are gone, others are new.
    /// - Parameter folder: the document's, with a slash at the end.
    mutating func note(_ reading: Reading, below folder: String) {
        let before = progress
        progress = reading.progress
        problems = problems.filter { file, _ in
            progress.files[file] != nil && progress.files[file] == before.files[file]
        }
        slow = slow.filter { file, _ in progress.files[file] != nil }
        for problem in reading.problems { problems[problem.name(below: folder)] = problem.explained }
        for record in reading.records where record.timestamp > 0 {
            first = min(first ?? record.timestamp, record.timestamp)
            last = max(last ?? record.timestamp, record.timestamp)
        }
    }
}

extension Checkpoint {
    /// So many updates of one file are remembered as slow, the last that were found.
    private static let slowLimit = 64

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        progress = try container.decode(ReadingProgress.self, forKey: .progress)
        problems = try container.decode([String: String].self, forKey: .problems)
        first = try container.decodeIfPresent(Int64.self, forKey: .first)
        last = try container.decodeIfPresent(Int64.self, forKey: .last)
        // Older versions left out whole files and did not say which of their updates were to blame: then all is read again.
        slow =
            problems.isEmpty
            ? try container.decodeIfPresent([String: [String]].self, forKey: .slow) ?? [:]
            : try container.decode([String: [String]].self, forKey: .slow)
    }

    /// Notes that something in a file was left out. Mending it may change only bytes before those that were read last, so
    /// the file is read from its start once it changes.
    mutating func leaveOut(_ file: String, because problem: String) {
        problems[file] = problem
        progress.startOver(file)
    }

    /// Remembers updates of a file that take too long.
    mutating func remember(slow digests: [String], of file: String) {
        slow[file] = ((slow[file] ?? []) + digests).suffix(Self.slowLimit)
    }

    /// Leaves these files as they are known to another checkpoint: there is nothing newer of them in the document.
    mutating func setBack(_ files: Set<String>, to other: Checkpoint) {
        var known = progress.files
        for file in files {
            known[file] = other.progress.files[file]
            problems[file] = other.problems[file]
        }
        progress = ReadingProgress(known)
    }

    /// Has the files with slow updates read anew.
    mutating func forgetSlow() {
        for file in slow.keys {
            progress.forget(file)
            problems[file] = nil
        }
        slow = [:]
    }

    func isSlow(_ update: FileUpdate) -> Bool { slow[update.file]?.contains(update.digest) == true }
}

extension SyncState {
    /// A checkpoint as it is stored, with a digest of it and of the document: a file of the index may rot as any other.
    private struct Sealed: Codable {
        var checkpoint: String
        var digest: String
    }

    init(_ document: [UInt8], at checkpoint: Checkpoint, updated: Int64) {
        let json = Self.json(checkpoint)
        let sealed = Sealed(checkpoint: json, digest: Self.digest(json, document))
        self.init(vectorClock: Self.json(sealed), document: document, updated: updated)
    }

    /// How far the files are in this document; nil if either is not what was stored.
    var checkpoint: Checkpoint? {
        guard let sealed = try? JSONDecoder().decode(Sealed.self, from: Data(vectorClock.utf8)),
            sealed.digest == Self.digest(sealed.checkpoint, document)
        else { return nil }
        return try? JSONDecoder().decode(Checkpoint.self, from: Data(sealed.checkpoint.utf8))
    }

    private static func json(_ value: some Encodable) -> String {
        String(decoding: (try? JSONEncoder().encode(value)) ?? Data(), as: UTF8.self)
    }

    private static func digest(_ checkpoint: String, _ document: [UInt8]) -> String {
        Base64URL.encode(HashFunction.sha256.digest(Array(checkpoint.utf8) + document))
    }
}

extension FileProblem {
    fileprivate func name(below folder: String) -> String {
        file.hasPrefix(folder) ? String(file.dropFirst(folder.count)) : file
    }

    /// With what to do.
    var explained: String {
        switch kind {
        case .damaged: "\(text): get the file from where it was written again"
        case .tooLarge: "\(text): move it away"
        case .unreadable: "\(text): look what is in its place, and who may read it"
        }
    }
}

/// The properties of a file when the index was told of it, and how much of it was read.
struct FileMark: Hashable, Sendable {
    var size: Int64
    var offset: Int64
    var modified: Int64
    var inode: UInt64

    /// The mark of a file that could not be read.
    static let unreadable = FileMark(IndexedProgress(path: "", document: "", size: -1, offset: 0))

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
