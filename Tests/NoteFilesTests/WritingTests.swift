import Foundation
import NoteFiles
import Testing

@Suite("Writing logs")
struct WritingTests {
    private let note: NoteID

    init() throws { note = try NoteID("note-1") }

    @Test("A record is read back and announced, and the next session goes on in the same file")
    func sessions() throws {
        let place = try TemporaryDirectory()
        let first = try place.writer { 1000 }
        let one = try first.append([1, 2], to: .note(note))
        #expect(one.sequence == 1)
        let id = first.id
        let name = "\(id).\(id).1000.crdtlog"
        #expect(one.file == "logs/\(name)")
        try first.append([3], to: .note(note))

        let second = DirectoryWriter(place.directory, lock: first.lock, clock: { 5 })
        let three = try second.append([4], to: .note(note))
        #expect(three == AppendedRecord(sequence: 3, timestamp: 5, file: one.file, endOffset: three.endOffset))
        #expect(try place.contents(of: "notes/note-1/logs") == [name])

        let reading = try place.directory.read(.note(note))
        #expect(reading.records.map(\.payload) == [[1, 2], [3], [4]])
        #expect(reading.records.map(\.sequence) == [1, 2, 3])
        #expect(reading.records.map(\.timestamp) == [1000, 1000, 5])
        #expect(reading.problems.isEmpty && reading.incompleteFiles.isEmpty)
        let lines = (1...3).map { "note-1|\(id)|\($0)\n" }.joined()
        #expect(try place.bytes(of: "activity/\(id).\(id).log") == Array(lines.utf8))

        try second.append([5], to: .note(note))
        let more = try place.directory.read(.note(note), from: reading.progress)
        #expect(more.records.map(\.payload) == [[5]])
        #expect(try place.directory.read(.note(note), from: more.progress).records.isEmpty)
    }
}
