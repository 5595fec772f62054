import Foundation
import NoteIndex
import Storage

extension Suite {
    static let noteIndex = Suite(
        name: "note-index", about: "notes of 120 words of a natural distribution: writing 10 000, searching 100 000"
    ) { recorder in
        let folder = FileManager.default.temporaryDirectory.appending(path: "index-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var library = NoteGenerator()
        let index = try NoteIndex(
            path: folder + "/index.sqlite", directory: IndexedDirectory(id: "bench", name: "Notes", path: folder))
        let first = library.notes(10_000)
        let writing = try ContinuousClock().measure { try write(first, to: index) }
        await recorder.record(
            "10 000 notes of 120 words", seconds(writing), unit: "s", better: .lower, aim: 2)
        for _ in 0..<9 { try write(library.notes(10_000), to: index) }
        let size = try FileManager.default.attributesOfItem(atPath: folder + "/index.sqlite")[.size] as? Int ?? 0
        await recorder.record("file of 100 000 notes", Double(size) / 1e6, unit: "MB", better: .lower)
        try await measureWriting(index, library.notes(200), recorder)
        try await measureSearches(index, &library, recorder)
        try await measureLists(index, recorder)
        try await measureRanking(folder + "/index.sqlite", library, recorder)
    }
}

private func write(_ notes: [IndexedNote], to index: NoteIndex) throws {
    for start in stride(from: 0, to: notes.count, by: 500) {
        let part = notes[start..<min(start + 500, notes.count)]
        try index.write { writer in for note in part { try writer.upsert(note) } }
    }
}

/// One note at a time, as when a person types.
private func measureWriting(_ index: NoteIndex, _ notes: [IndexedNote], _ recorder: Recorder) async throws {
    try await record("new or changed note among 100 000", notes, recorder) { note in
        try index.write { try $0.upsert(note) }
    }
}

private func measureSearches(
    _ index: NoteIndex, _ library: inout NoteGenerator, _ recorder: Recorder
) async throws {
    let words = library.words
    let common = 0..<20
    let middling = 500..<2000
    let rare = 10_000..<50_000
    func some(_ ranks: Range<Int>, _ random: inout SplitMix64) -> String {
        words[Int.random(in: ranks, using: &random)]
    }
    var kinds: [(name: String, queries: [String])] = []
    var random = SplitMix64(seed: 7)
    let count = 400
    kinds.append(("rare word", (0..<count).map { _ in some(rare, &random) }))
    kinds.append(("middling word", (0..<count).map { _ in some(middling, &random) }))
    kinds.append(("word that is in most notes", (0..<count).map { _ in some(common, &random) }))
    kinds.append(("first three letters", (0..<count).map { _ in String(some(0..<50_000, &random).prefix(3)) }))
    kinds.append(("first letters of a common word", (0..<count).map { _ in String(some(common, &random).dropLast()) }))
    kinds.append(("common and rare word", (0..<count).map { _ in some(common, &random) + " " + some(rare, &random) }))
    kinds.append(
        ("two middling words", (0..<count).map { _ in some(middling, &random) + " " + some(middling, &random) }))
    kinds.append(("two common words", (0..<count).map { _ in some(common, &random) + " " + some(common, &random) }))
    kinds.append(("words that no note has", (0..<count).map { _ in "zzq" + some(rare, &random) }))
    for (name, queries) in kinds {
        try await record("search: \(name)", queries, aim: 10, recorder) { query in
            blackHole(try index.read { try $0.search(query).count })
        }
    }
}

private func measureLists(_ index: NoteIndex, _ recorder: Recorder) async throws {
    let rounds = Array(0..<100)
    try await record("first 100 of all notes", rounds, recorder) { _ in
        blackHole(try index.read { try $0.notes(limit: 100).count })
    }
    try await record("first 100 notes with a tag", rounds, recorder) { _ in
        blackHole(try index.read { try $0.notes(NoteFilter(tags: ["tag3"]), limit: 100).count })
    }
}

/// What the same words cost where everything is ranked.
private func measureRanking(_ path: String, _ library: NoteGenerator, _ recorder: Recorder) async throws {
    let database = try Database(path: path)
    var samples: [Double] = []
    for word in library.words.prefix(20) {
        let duration = try ContinuousClock().measure {
            let rows: [Int64] = try database.query(
                "SELECT rowid FROM notes_fts WHERE notes_fts MATCH ? ORDER BY rank LIMIT 50", "\"\(word)\""
            ) { try $0[0] }
            blackHole(rows.count)
        }
        samples.append(seconds(duration) * 1000)
    }
    await recorder.record(
        "word that is in most notes, ranked by bm25 as others do", samples, unit: "ms", better: .lower)
}

/// Records the middle and the 99th of a hundred, after a round to warm up.
private func record<Input>(
    _ name: String, _ inputs: [Input], aim: Double? = nil, _ recorder: Recorder, _ work: (Input) throws -> Void
) async throws {
    for input in inputs.prefix(20) { try work(input) }
    let samples = try inputs.map { input in
        seconds(try ContinuousClock().measure { try work(input) }) * 1000
    }
    await recorder.record("\(name), p50", percentile(samples, 0.5), unit: "ms", better: .lower)
    await recorder.record("\(name), p99", percentile(samples, 0.99), unit: "ms", better: .lower, aim: aim)
}

/// Notes whose words are as frequent as Zipf says: the word of rank n is in the text one n-th as often as the first.
private struct NoteGenerator {
    let words: [String]
    private let sums: [Double]
    private var random = SplitMix64(seed: 1)
    private var written = 0

    init() {
        var random = SplitMix64(seed: 2)
        let letters = Array("etaoinshrdlcumwfgypbvk")
        words = (0..<50_000).map { _ in
            String(
                (0..<Int.random(in: 3...9, using: &random)).map { _ in letters[Int.random(in: 0..<22, using: &random)] }
            )
        }
        var sum = 0.0
        sums = words.indices.map { rank in
            sum += 1 / Double(rank + 1)
            return sum
        }
    }

    mutating func notes(_ count: Int) -> [IndexedNote] { (0..<count).map { _ in note() } }

    private mutating func note() -> IndexedNote {
        written += 1
        let title = (0..<5).map { _ in word() }.joined(separator: " ")
        let body = (0..<120).map { _ in word() }.joined(separator: " ")
        // A few years of notes, not indexed in their order.
        let time = 1_600_000_000_000 + Int64.random(in: 0..<100_000_000_000, using: &random)
        return IndexedNote(
            id: "note-\(written)", title: title, folder: "folder-\(written % 20)", created: time, modified: time,
            text: title + "\n" + body, preview: String(body.prefix(200)), tags: ["tag\(written % 50)"],
            links: ["note-\(written / 2)"])
    }

    private mutating func word() -> String {
        let target = Double.random(in: 0..<(sums.last ?? 1), using: &random)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] < target { low = middle + 1 } else { high = middle }
        }
        return words[low]
    }
}

private struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Keeps the optimiser from leaving out what nobody looks at.
@inline(never) private func blackHole(_ value: Int) {}
