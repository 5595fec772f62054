/// The updates of a document that take too long, as far as they were found.
///
/// The smallest files come first: what a person wrote is small beside what takes that long.
struct SlowUpdates {
    /// So many updates of one file are looked for. The rest of it is left out without a try: each of them takes that long.
    private static let limitOfFile = 4
    /// So many times the patience the whole search may take.
    private static let limit = 8

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
    private let time = ProcessorTime()
    private let limit: Duration

    init(_ updates: [FileUpdate], patience: Duration) {
        self.updates = updates
        limit = patience * Self.limit
        inOrder = Dictionary(grouping: updates.indices) { updates[$0].file }
            .map { file, indices in (file, indices, indices.reduce(0) { $0 + updates[$1].payload.count }) }
            .sorted { ($0.2, $0.0) < ($1.2, $1.0) }.map(\.1)
    }

    /// Whether the search took so long that it ends without an answer.
    var isExhausted: Bool { time.elapsed > limit }

    /// Whether another update of the file is to be tried.
    var mayTry: Bool { foundInFile < Self.limitOfFile }

    func payloads(of file: [Int]) -> [[UInt8]] { file.map { updates[$0].payload } }

    /// Goes through another file.
    mutating func begin() { foundInFile = 0 }

    mutating func leaveOut(_ index: Int) {
        if mayTry { found.append(index) }
        foundInFile += 1
        leftOut.insert(index)
        files.insert(updates[index].file)
    }
}
