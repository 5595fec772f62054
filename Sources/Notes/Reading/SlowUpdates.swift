/// The updates of a document that take too long, as far as they were found.
///
/// The smallest files come first: what a person wrote is small beside what takes that long.
struct SlowUpdates {
    /// So many updates of one file are looked for. The rest of it is left out without a try: each of them takes that long.
    private static let limitOfFile = 4
    /// So many parts are made of what takes too long, and each is tried by itself.
    private static let partCount = 64
    /// How long the whole search may take: so many times the patience, or longer.
    private static let limit = (times: 8, least: Duration.seconds(20))

    let updates: [FileUpdate]
    /// Indices of the updates of each file, in the order in which the files are tried.
    let inOrder: [[Int]]
    /// Those that were tried and take too long.
    private(set) var found: [Int] = []
    /// These, and those that were not tried.
    private(set) var leftOut: Set<Int> = []
    /// The files that they are from.
    private(set) var files: Set<String> = []
    private var foundInFile = 0
    /// What those took that are not left out.
    private var spent = Duration.zero
    private let time = ProcessorTime()
    private let patience: Duration

    init(_ updates: [FileUpdate], patience: Duration) {
        self.updates = updates
        self.patience = patience
        inOrder = Dictionary(grouping: updates.indices) { updates[$0].file }
            .map { file, indices in (file, indices, indices.reduce(0) { $0 + updates[$1].payload.count }) }
            .sorted { ($0.2, $0.0) < ($1.2, $1.0) }.map(\.1)
    }

    /// Whether the search took so long that it ends without an answer.
    var isExhausted: Bool { time.elapsed > max(patience * Self.limit.times, Self.limit.least) }

    /// Whether more of the file is to be tried. What is quick by itself is too slow where there is too much of it: together they have to
    /// be read within the patience, with time to spare.
    var mayTry: Bool { foundInFile < Self.limitOfFile && spent < patience * 3 / 4 }

    func payloads(of part: ArraySlice<Int>) -> [[UInt8]] { part.map { updates[$0].payload } }

    /// Smaller parts of one that takes too long.
    func parts(of part: ArraySlice<Int>) -> [ArraySlice<Int>] {
        let size = (part.count + Self.partCount - 1) / Self.partCount
        return stride(from: part.startIndex, to: part.endIndex, by: size).map {
            part[$0..<min($0 + size, part.endIndex)]
        }
    }

    /// Goes through another file.
    mutating func begin() { foundInFile = 0 }

    mutating func take(_ duration: Duration) { spent += duration }

    mutating func find(_ index: Int) {
        found.append(index)
        foundInFile += 1
        leaveOut([index])
    }

    mutating func leaveOut(_ part: ArraySlice<Int>) {
        leftOut.formUnion(part)
        for index in part { files.insert(updates[index].file) }
    }
}
