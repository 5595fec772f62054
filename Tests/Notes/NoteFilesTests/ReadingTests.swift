import Foundation
import ProgramRunner
import Testing

@testable import NoteFiles

@Suite("Reading documents")
struct ReadingTests {
    private let note: DocumentID
    private let place: TemporaryDirectory

    init() throws {
        note = .note(try NoteID("n"))
        place = try TemporaryDirectory()
    }

    private func log(_ payloads: [[UInt8]], from sequence: UInt64 = 1) -> [UInt8] {
        UpdateLog.header
            + payloads.enumerated().flatMap { index, payload in
                UpdateLog.encode(timestamp: 1000, sequence: sequence + UInt64(index), payload: payload)
            }
    }

    private func read(_ progress: ReadingProgress = ReadingProgress()) throws -> Reading {
        try place.directory.read(note, from: progress)
    }

    @Test("A log that is cut off anywhere gives what is whole, and the rest when it comes")
    func truncation() throws {
        let whole = log([[1], [2, 2], Array(repeating: 3, count: 200)])
        let boundaries: [Int] = [5, 16, 28, whole.count]
        for length in 0...whole.count {
            try place.write(Array(whole.prefix(length)), to: "notes/n/logs/a.a.1.crdtlog")
            let first = try read()
            #expect(first.records.count == boundaries.filter { $0 <= length }.count.advanced(by: length < 5 ? 0 : -1))
            #expect(first.incompleteFiles.isEmpty == boundaries.contains(length), "at \(length)")
            #expect(first.problems.isEmpty)
            try place.write(whole, to: "notes/n/logs/a.a.1.crdtlog")
            let second = try read(first.progress)
            #expect(
                first.records.map(\.payload) + second.records.map(\.payload) == [
                    [1], [2, 2], Array(repeating: 3, count: 200),
                ])
            #expect(second.incompleteFiles.isEmpty && second.problems.isEmpty)
            try FileManager.default.removeItem(atPath: place.root + "/notes")
        }
    }

    @Test("A deletion line that was damaged and is mended is read, though what was read last is as it was")
    func mendedLines() throws {
        let (good, other) = ("first|1", "a-note-with-a-name-that-is-long-enough|2")
        for damaged in ["first/1", "fir t|1", "first|x"] {
            try place.write(Array("\(damaged)\n\(other)\n".utf8), to: "deleted/x.x.log")
            let before = try place.directory.deletions()
            #expect(before.entries.map(\.time) == [2])
            #expect(try place.directory.deletions(from: before.progress).entries.isEmpty)
            try FileManager.default.removeItem(atPath: place.root + "/deleted/x.x.log")
            try place.write(Array("\(good)\n\(other)\n".utf8), to: "deleted/x.x.log")
            #expect(try place.directory.deletions(from: before.progress).entries.contains { $0.time == 1 })
        }
    }

    @Test("A file that is to be started over is read from its start when it changes, and not before")
    func startingOver() throws {
        try place.write(log([[1], Array(repeating: 7, count: 64)]), to: "notes/n/logs/a.a.1.crdtlog")
        var progress = try read().progress
        progress.startOver("logs/a.a.1.crdtlog")
        #expect(try read(progress).records.isEmpty)
        #expect(try read(progress).progress == progress)
        try FileManager.default.removeItem(atPath: place.root + "/notes/n/logs/a.a.1.crdtlog")
        try place.write(log([[2], Array(repeating: 7, count: 64)]), to: "notes/n/logs/a.a.1.crdtlog")
        #expect(try read(progress).records.map(\.payload.count) == [1, 64])
    }

    @Test("No flipped bit of a log traps or hides another log")
    func flips() throws {
        let whole = log([[1, 1, 1], [2], [3, 3]]) + [0]
        try place.write(log([[9]]), to: "notes/n/logs/b.b.1.crdtlog")
        for bit in 0..<whole.count * 8 {
            var bytes = whole
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            try place.write(bytes, to: "notes/n/logs/a.a.1.crdtlog")
            let reading = try read()
            #expect(reading.records.contains { $0.payload == [9] })
            #expect(reading.records.count <= 4)
        }
    }

    @Test("What follows the end marker means nothing")
    func endMarker() throws {
        try place.write(log([[1]]) + [0] + log([[2]]), to: "notes/n/logs/a.a.1.crdtlog")
        let reading = try read()
        #expect(reading.records.map(\.payload) == [[1]])
        #expect(reading.incompleteFiles.isEmpty && reading.problems.isEmpty)
    }

    @Test("A file that was replaced or became shorter is read anew, one that was delivered again is not")
    func replacement() throws {
        let name = "notes/n/logs/a.a.1.crdtlog"
        try place.write(log([[1], [2]]), to: name)
        let first = try read()
        // A syncer writes a longer copy under the old name.
        try place.write(log([[1], [2], [3]]), to: name)
        let grown = try read(first.progress)
        #expect(grown.records.map(\.payload) == [[3]])
        try place.write(log([[7], [8], [9]]), to: name)
        let replaced = try read(grown.progress)
        #expect(replaced.records.map(\.payload) == [[7], [8], [9]])
        try place.write(log([[7]]), to: name)
        #expect(try read(replaced.progress).records.map(\.payload) == [[7]])
    }

    @Test(
        "Progress without the bytes before it finds out that a file changed, and is not read on from",
        arguments: [
            Int64.min, -1, 1, 5, 21, 22, 1000, .max,
        ])
    func progressWithoutTail(offset: Int64) throws {
        let seen = FileProgress(size: 1000, modified: 1, inode: 1, offset: offset)
        try place.write(log([[7], [8]]), to: "notes/n/logs/a.a.1.crdtlog")
        let known = ReadingProgress(["logs/a.a.1.crdtlog": seen])
        #expect(try read(known).records.map(\.payload) == [[7], [8]])
        // Its owner shortened it meanwhile.
        try place.write(Array("n|a|1\n".utf8), to: "activity/a.a.log")
        let lines = try place.directory.activity(from: ReadingProgress(["activity/a.a.log": seen]))
        #expect(lines.entries.map(\.sequence) == [1])
    }

    @Test("An older file that arrives late is read, and so is one that was read and then forgotten")
    func lateFile() throws {
        try place.write(log([[2]], from: 2), to: "notes/n/logs/a.a.2000.crdtlog")
        let first = try read()
        try place.write(log([[1]]), to: "notes/n/logs/a.a.1000.crdtlog")
        let second = try read(first.progress)
        #expect(second.records.map(\.payload) == [[1]])
        var progress = second.progress
        progress.forget("logs/a.a.2000.crdtlog")
        #expect(try read(progress).records.map(\.payload) == [[2]])
        let kept = try JSONDecoder().decode(ReadingProgress.self, from: JSONEncoder().encode(second.progress))
        #expect(kept == second.progress)
        #expect(try read(kept).records.isEmpty)
    }

    @Test("All kinds of files of both generations are read, whatever wrote them")
    func everything() throws {
        let update = [UInt8](hex: "010101000401017402616200")
        try place.write(log([[1]]), to: "notes/n/logs/p.i.1.crdtlog")
        try place.write(log([[2]]), to: "notes/n/logs/p_i_2.crdtlog")
        try place.write(log([[3]]), to: "notes/n/logs/i_3.crdtlog")
        // A copy that a syncer put aside because it thought that two had written.
        try place.write(log([[4]]), to: "notes/n/logs/p.i.1.sync-conflict-20260101-120000-ABCDEFG.crdtlog")
        try place.write([1] + update, to: "notes/n/updates/i_n_5-0.yjson")
        try place.write(
            [UInt8](hex: "4e435353 01 01 00 0000"), to: "notes/n/snapshots/i_5.snapshot")
        try place.write([UInt8](hex: "4e435353 01 00"), to: "notes/n/snapshots/i_6.snapshot")
        for noise in ["logs/.syncthing.x.crdtlog.tmp", "logs/.x.crdtlog", "logs/readme.txt", "meta/x", "updates/x.tmp"]
        {
            try place.write([1, 2, 3], to: "notes/n/\(noise)")
        }
        let reading = try read()
        #expect(reading.records.map(\.payload) == [update, [4], [1], [2], [3]])
        #expect(reading.records.first?.timestamp == 5)
        #expect(reading.snapshotStates == [SnapshotState(payload: [0, 0], file: "snapshots/i_5.snapshot")])
        #expect(reading.incompleteFiles == ["snapshots/i_6.snapshot"])
        #expect(reading.problems.isEmpty)
        // What is still incomplete is said again, what is whole is not read again.
        let again = try read(reading.progress)
        #expect(
            again.records.isEmpty && again.snapshotStates.isEmpty && again.incompleteFiles == reading.incompleteFiles)
    }

    @Test("Each problem names its file and hides nothing else")
    func problems() throws {
        try place.write(log([[1]]), to: "notes/n/logs/good.good.9.crdtlog")
        try place.write(Array("NOTALOG".utf8), to: "notes/n/logs/magic_1.crdtlog")
        try place.write(log([[5]]) + [UInt8](hex: "ffffffff0f 00"), to: "notes/n/logs/length_2.crdtlog")
        try place.write([9, 9], to: "notes/n/snapshots/bad_1.snapshot")
        let outside = place.path + "/outside"
        try Data(log([[6]])).write(to: URL(fileURLWithPath: outside))
        try FileManager.default.createSymbolicLink(
            atPath: place.root + "/notes/n/logs/link_3.crdtlog", withDestinationPath: outside)
        #expect(mkfifo(place.root + "/notes/n/logs/pipe_4.crdtlog", 0o600) == 0)
        let large = place.root + "/notes/n/logs/large_5.crdtlog"
        try Data(log([[7]])).write(to: URL(fileURLWithPath: large))
        truncate(large, off_t(UpdateLog.fileLimit) + 1)

        let reading = try read()
        #expect(Set(reading.records.map(\.payload)) == [[1], [5]])
        let problems = Dictionary(
            uniqueKeysWithValues: reading.problems.map { ($0.file.split(separator: "/").last, $0.kind) })
        #expect(
            problems == [
                "magic_1.crdtlog": .damaged, "length_2.crdtlog": .damaged, "bad_1.snapshot": .damaged,
                "link_3.crdtlog": .unreadable, "pipe_4.crdtlog": .damaged, "large_5.crdtlog": .tooLarge,
            ])
        #expect(reading.problems.allSatisfy { $0.file.hasPrefix(place.root) })
    }

    @Test("Neither notes nor their folders are reached through links, and names that are none are passed over")
    func links() throws {
        try FileManager.default.createDirectory(
            atPath: place.path + "/elsewhere/logs", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: place.root + "/notes/link", withDestinationPath: place.path + "/elsewhere")
        try place.write([], to: "notes/.moving-x/logs/x")
        try place.write([], to: "notes/no.id/logs/x")
        try place.write([], to: "notes/n/logs/x")
        #expect(try place.directory.notes().map(\.text) == ["link", "n"])
        let error = #expect(throws: NoteFilesError.self) { try place.directory.read(.note(NoteID("link"))) }
        #expect(error?.code == .damaged)
        #expect(throws: NoteFilesError.self) { try place.directory.read(.note(NoteID("missing"))) }
        #expect(try place.directory.read(.folderTree).records.isEmpty)
    }

    @Test("A root may be a link")
    func linkedRoot() throws {
        try place.write(log([[1]]), to: "notes/n/logs/a_1.crdtlog")
        let link = place.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.root)
        #expect(try StorageDirectory(opening: link).read(note).records.count == 1)
    }

    @Test("A log of hundreds of megabytes goes through a small memory")
    func large() throws {
        // Ten records of 30 MiB, as holes in the file.
        let size = 30 << 20
        let head = UpdateLog.encode(timestamp: 1, sequence: 1, payload: [UInt8](repeating: 0, count: size)).prefix(13)
        let path = place.root + "/notes/n/logs/a_1.crdtlog"
        try place.write(UpdateLog.header, to: "notes/n/logs/a_1.crdtlog")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        for index in 0..<10 {
            try file.seek(toOffset: UInt64(5 + index * (13 + size)))
            try file.write(contentsOf: Data(head))
        }
        try file.truncate(atOffset: UInt64(5 + 10 * (13 + size)))
        // In a process of its own, so that its memory is not that of other tests.
        let result = try Program.run([
            Program.products.appending(path: "note-writer-crash-helper").path, "read", place.path,
        ])
        let words = result.output.split(whereSeparator: \.isWhitespace)
        #expect(words.prefix(3) == ["10", "\(10 * size)", "0"], "\(result.output)")
        #expect(try #require(words.last.flatMap { Int($0) }) < 250 << 10, "KiB")
    }
}
