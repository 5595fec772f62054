import AppCore
import CRDTBridge
import Foundation
import NoteFiles
import Notes
import RichText

extension Suite {
    static let notes = Suite(
        name: "notes", about: "a library of notes: opening a long note, indexing 10 000, editing, 200 open at once"
    ) { recorder in
        let place = FileManager.default.temporaryDirectory.appending(path: "library-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let maker = try await CRDTBridge()
        try await measureLongNote(place + "/long", maker, recorder)
        try await measureManyNotes(place + "/many", maker, recorder)
    }
}

/// A note of one record for each key that was pressed.
private func measureLongNote(_ place: String, _ maker: CRDTBridge, _ recorder: Recorder) async throws {
    let count = 10_000
    let directory = try StorageDirectory(creating: place + "-shared")
    var updates = [try await maker.createNote("long", in: "bench", created: 1_700_000_000_000)]
    var end = 0
    while updates.count < count {
        let edit: RichText.Edit =
            end == 0
            ? .insert([.text([.init("x")])], at: [0, 0])
            : .changeText([.retain(end, marks: [:]), .insert(.init(end % 6 == 0 ? " " : "x"))], at: [0, 0])
        updates += [try await maker.edit("long", [edit])].compactMap(\.self)
        end += 1
    }
    try write(updates, of: "long", in: directory)

    var (cold, warm): ([Double], [Double]) = ([], [])
    for round in 0..<5 {
        let home = "\(place)-home-\(round)"
        // The first time everything is read and the state is kept; the second time the state is there.
        var library = try await open(directory, home, watches: true)
        cold.append(try await milliseconds { _ = try await library.content(of: "long") })
        await library.close()
        library = try await open(directory, home, watches: false)
        await library.close()
        library = try await open(directory, home, watches: true)
        warm.append(try await milliseconds { _ = try await library.content(of: "long") })
        await library.close()
    }
    await recorder.record("open a note of \(count) records", cold, unit: "ms", better: .lower, aim: 100)
    await recorder.record("open it again", warm, unit: "ms", better: .lower, aim: 100)
}

private func measureManyNotes(_ place: String, _ maker: CRDTBridge, _ recorder: Recorder) async throws {
    let count = 10_000
    let directory = try StorageDirectory(creating: place + "-shared")
    var random = SplitMix64(seed: 5)
    for number in 0..<count {
        let text = RichText(markdown: (0..<6).map { _ in paragraph(&random) }.joined(separator: "\n\n"))
        let note = "note-\(number)"
        let made = try await maker.createNote(note, in: "bench", created: 1_700_000_000_000)
        let filled = try await maker.edit(
            note, RichText.difference(from: RichText([.element(.init("paragraph"))]), to: text))
        await maker.release(note)
        try write([made] + [filled].compactMap(\.self), of: note, in: directory)
    }
    let home = place + "-home"
    let clock = ContinuousClock()
    var start = clock.now
    var library = try await open(directory, home, watches: false)
    await recorder.record(
        "index \(count) notes", seconds(clock.now - start), unit: "s", better: .lower, aim: 10)
    await library.close()
    start = clock.now
    library = try await open(directory, home, watches: false)
    await recorder.record(
        "open \(count) notes that are indexed", seconds(clock.now - start) * 1000, unit: "ms", better: .lower)

    var edits: [Double] = []
    for number in 0..<100 {
        edits.append(try await milliseconds { try await library.append("one more line", to: "note-\(number)") })
    }
    await recorder.record("append to one of them, with the disk", edits, unit: "ms", better: .lower)

    let before = try residentMegabytes()
    for number in 0..<200 { _ = try await library.content(of: "note-\(number)") }
    let after = try residentMegabytes()
    for number in 200..<2000 { _ = try await library.content(of: "note-\(number)") }
    let later = try residentMegabytes()
    await recorder.record("memory of 200 open notes", after - before, unit: "MB", better: .lower)
    await recorder.record("and when 1800 others were opened after them", later - before, unit: "MB", better: .lower)
    await library.close()
}

private func open(_ directory: StorageDirectory, _ home: String, watches: Bool) async throws -> NoteLibrary {
    try await NoteLibrary.open(
        directory.path, home: home, person: "Ada", options: NoteLibrary.Options(watches: watches))
}

private func write(_ updates: [[UInt8]], of note: String, in directory: StorageDirectory) throws {
    let folder = "\(directory.path)/notes/\(note)/logs"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let records = updates.enumerated().flatMap { number, update in
        UpdateLog.encode(timestamp: 1_700_000_000_000, sequence: UInt64(number + 1), payload: update)
    }
    try Data([0x4e, 0x43, 0x4c, 0x47, 1] + records).write(to: URL(fileURLWithPath: "\(folder)/w.w.1.crdtlog"))
}

private func paragraph(_ random: inout SplitMix64) -> String {
    (0..<20).map { _ in
        String(
            (0..<Int.random(in: 2...9, using: &random)).map { _ in "etaoinshrdlu".randomElement(using: &random) ?? "e" }
        )
    }.joined(separator: " ")
}

private func milliseconds(_ work: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await work()
    return seconds(clock.now - start) * 1000
}

/// As Linux tells it.
private func residentMegabytes() throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return (line.split(separator: " ").compactMap { Double($0) }.first ?? 0) / 1024
}
