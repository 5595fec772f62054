internal import NoteFiles

/// The updates of a document that take too long, as far as they were found.
///
/// What this profile wrote comes first: nothing of others takes its time. The others share what is left of the patience, the one with
/// the least first, so that a writer with many files cannot use it up.
struct SlowUpdates {
    /// The most slow updates to find in one file. The rest of the file is left out untried, because each of them takes that long.
    private static let limitOfFile = 4
    /// So many parts are made of what takes too long, and each is tried by itself.
    private static let partCount = 64
    /// How long the whole search may take: so many times the patience, or longer. What it did not come to is left out.
    private static let limit = (times: 8, least: Duration.seconds(20))

    fileprivate struct FileOfUpdates {
        let name: String
        let indices: [Int]
        /// Bytes.
        let size: Int

        init(_ name: String, _ indices: [Int], of updates: [FileUpdate]) {
            (self.name, self.indices) = (name, indices)
            size = indices.reduce(0) { $0 + updates[$1].payload.count }
        }
    }

    /// The files of one writer, as the indices of their updates; all writers of this profile are one.
    struct Writer {
        let isOurs: Bool
        fileprivate let name: String
        /// The smallest first: what a person wrote is small beside what takes that long.
        let files: [[Int]]
        /// Bytes.
        fileprivate let size: Int

        /// - Parameter name: nil for this profile.
        fileprivate init(_ name: String?, files: [FileOfUpdates]) {
            isOurs = name == nil
            self.name = name ?? ""
            self.files = files.sorted { ($0.size, $0.name) < ($1.size, $1.name) }.map(\.indices)
            size = files.reduce(0) { $0 + $1.size }
        }
    }

    let updates: [FileUpdate]
    /// In the order in which they are tried.
    let writers: [Writer]
    /// Those that were tried and take too long.
    private(set) var found: [Int] = []
    /// These, and those that were not tried.
    private(set) var leftOut: Set<Int> = []
    /// The files that have slow updates.
    private(set) var files: Set<String> = []
    /// The files with updates that were left out without being suspicious themselves, because there is too much beside them.
    private(set) var crowdedOut: Set<String> = []
    private var foundInFile = 0
    /// What those took that are not left out, and where the writer who is tried has to stop.
    private var spent = Duration.zero
    private var allowance = Duration.zero
    private let time = ProcessorTime()
    private let patience: Duration

    /// - Parameter ours: the names of the writers of this profile.
    init(_ updates: [FileUpdate], patience: Duration, ours: Set<String>) {
        self.updates = updates
        self.patience = patience
        let files = Dictionary(grouping: updates.indices) { updates[$0].file }
        let byWriter = Dictionary(grouping: files.keys) { file in
            let name = RecordWriter(ofFile: file)?.instance ?? ""
            return ours.contains(name) ? nil : name
        }
        let writers = byWriter.map { name, names in
            Writer(name, files: names.map { FileOfUpdates($0, files[$0] ?? [], of: updates) })
        }
        self.writers = writers.sorted { one, other in
            one.isOurs != other.isOurs ? one.isOurs : (one.size, one.name) < (other.size, other.name)
        }
    }

    /// Whether more of the file is to be tried. What is quick by itself is too slow where there is too much of it: together they have to
    /// be read within the patience, with time to spare.
    var mayTry: Bool { foundInFile < Self.limitOfFile && !isOver }

    /// Whether the writer has had what it may take, or the whole search.
    private var isOver: Bool {
        spent >= allowance || time.elapsed > max(patience * Self.limit.times, Self.limit.least)
    }

    /// Whether something of this profile was left out because of what is beside it.
    var crowdsUsOut: Bool {
        writers.contains { $0.isOurs && $0.files.contains { crowdedOut.contains(updates[$0[0]].file) } }
    }

    func payloads(of part: ArraySlice<Int>) -> [[UInt8]] { part.map { updates[$0].payload } }

    /// Smaller parts of one that takes too long.
    func parts(of part: ArraySlice<Int>) -> [ArraySlice<Int>] {
        let size = (part.count + Self.partCount - 1) / Self.partCount
        return stride(from: part.startIndex, to: part.endIndex, by: size).map {
            part[$0..<min($0 + size, part.endIndex)]
        }
    }

    /// Goes through another writer, after whom so many come.
    mutating func begin(_ writer: Writer, before others: Int) {
        let share = writer.isOurs ? patience - spent : (patience * 3 / 4 - spent) / (others + 1)
        allowance = spent + max(share, .zero)
    }

    /// Goes through another file.
    mutating func beginFile() { foundInFile = 0 }

    /// What the document takes before anything is tried.
    mutating func spend(_ duration: Duration) { spent += duration }

    /// - Returns: false if the writer has no such time left; it counts for nothing then.
    mutating func take(_ duration: Duration) -> Bool {
        guard spent + duration <= allowance else { return false }
        spent += duration
        return true
    }

    mutating func find(_ index: Int) {
        found.append(index)
        foundInFile += 1
        leftOut.insert(index)
        files.insert(updates[index].file)
    }

    /// Leaves out what is not to be tried.
    mutating func leaveOut(_ part: ArraySlice<Int>) {
        leftOut.formUnion(part)
        let isItsOwnFault = foundInFile >= Self.limitOfFile
        for index in part {
            if isItsOwnFault { files.insert(updates[index].file) } else { crowdedOut.insert(updates[index].file) }
        }
    }

    /// Leaves out an update that takes more than the writer has left, and all that the writer has after it.
    mutating func endWriter(_ part: ArraySlice<Int>) {
        allowance = spent
        leaveOut(part)
    }

    /// Leaves out all that others wrote.
    mutating func leaveOutOthers() {
        foundInFile = 0
        for file in writers.filter({ !$0.isOurs }).flatMap(\.files) {
            leaveOut(file.filter { !leftOut.contains($0) }[...])
        }
    }
}
