import Foundation
import ProgramRunner
import Testing

@testable import NoteFiles

@Suite("Writing logs")
struct WritingTests {
    private let note: DocumentID
    private let place: TemporaryDirectory

    init() throws {
        note = .note(try NoteID("note-1"))
        place = try TemporaryDirectory()
    }

    private func logs() throws -> [String] { try place.contents(of: "notes/note-1/logs") }

    private func payloads() throws -> [[UInt8]] { try place.directory.read(note).records.map(\.payload) }

    @Test("A record is read back and announced, and the next session goes on in the same file")
    func sessions() throws {
        let first = try place.writer { 1000 }
        let one = try first.append([1, 2], to: note)
        #expect(one.sequence == 1)
        let id = first.id
        let name = "\(id).\(id).1000.crdtlog"
        #expect(one.file == "logs/\(name)")
        try first.append([3], to: note)

        let second = DirectoryWriter(place.directory, lock: first.lock, clock: { 5 })
        let three = try second.append([4], to: note)
        #expect(three == AppendedRecord(sequence: 3, timestamp: 5, file: one.file, endOffset: three.endOffset))
        #expect(try logs() == [name])
        #expect(try Int64(place.bytes(of: "notes/note-1/" + one.file).count) == three.endOffset)

        let reading = try place.directory.read(note)
        #expect(reading.records.map(\.payload) == [[1, 2], [3], [4]])
        #expect(reading.records.map(\.sequence) == [1, 2, 3])
        #expect(reading.records.map(\.timestamp) == [1000, 1000, 5])
        #expect(reading.problems.isEmpty && reading.incompleteFiles.isEmpty)
        let lines = (1...3).map { "note-1|\(id)|\($0)\n" }.joined()
        #expect(try place.bytes(of: "activity/\(id).\(id).log") == Array(lines.utf8))

        try second.append([5], to: note)
        let more = try place.directory.read(note, from: reading.progress)
        #expect(more.records.map(\.payload) == [[5]])
        #expect(try place.directory.read(note, from: more.progress).records.isEmpty)
    }

    @Test("The folder tree has its log in its own folder and is not announced")
    func folderTree() throws {
        let writer = try place.writer { 7 }
        try writer.append([1], to: .folderTree)
        #expect(try place.contents(of: "folders/logs") == ["\(writer.id).\(writer.id).7.crdtlog"])
        #expect(try place.contents(of: "activity").isEmpty)
        #expect(try place.directory.read(.folderTree).records.map(\.payload) == [[1]])
    }

    @Test("A full file is closed and never touched again; numbers go on, and names only grow, whatever the clock says")
    func rotation() throws {
        let writer = try place.writer { 1000 }
        let large = [UInt8](repeating: 1, count: 4 << 20)
        for _ in 0..<5 { try writer.append(large, to: note) }
        let names = try logs()
        #expect(names.map { LogName($0)?.milliseconds } == [1000, 1001, 1002])
        let first = try place.bytes(of: "notes/note-1/logs/\(names[0])")
        #expect(first.last == 0 && first.count < 10 << 20)
        let again = DirectoryWriter(place.directory, lock: writer.lock, clock: { 3 })
        #expect(try again.append(large, to: note).sequence == 6)
        #expect(try again.append([UInt8](repeating: 2, count: 11 << 20), to: note).sequence == 7)
        #expect(try logs().map { LogName($0)?.milliseconds } == [1000, 1001, 1002, 1003])
        #expect(try place.bytes(of: "notes/note-1/logs/\(names[0])") == first)
        let reading = try place.directory.read(note)
        #expect(reading.records.map(\.sequence) == Array(1...7) && reading.problems.isEmpty)
    }

    @Test(
        "A file that an older program began under another form of our name is gone on with",
        arguments: ["%_%_9", "%_9"])
    func olderName(form: String) throws {
        let writer = try place.writer { 1000 }
        let name = form.replacing("%", with: writer.id.text) + ".crdtlog"
        try place.write(
            UpdateLog.header + UpdateLog.encode(timestamp: 1, sequence: 41, payload: [1]),
            to: "notes/note-1/logs/\(name)")
        #expect(try writer.append([2], to: note).sequence == 42)
        #expect(try logs() == [name])
    }

    @Test("A log of ours that was cut off anywhere is mended, and goes on")
    func tornTail() throws {
        let lock = try WriterID.acquire(in: place.home)
        let name = "notes/note-1/logs/\(lock.id).\(lock.id).1000.crdtlog"
        let one = UpdateLog.encode(timestamp: 1, sequence: 1, payload: [1])
        let whole = UpdateLog.header + one + UpdateLog.encode(timestamp: 1, sequence: 2, payload: [2, 2])
        for length in 0...whole.count {
            try place.write(Array(whole.prefix(length)), to: name)
            let kept: [[UInt8]] = length == whole.count ? [[1], [2, 2]] : length >= 5 + one.count ? [[1]] : []
            let writer = DirectoryWriter(place.directory, lock: lock, clock: { 2000 })
            #expect(try writer.append([3], to: note).sequence == UInt64(kept.count) + 1)
            let reading = try place.directory.read(note)
            #expect(reading.records.map(\.payload) == kept + [[3]], "cut off at \(length)")
            #expect(reading.incompleteFiles.isEmpty && reading.problems.isEmpty)
            #expect(try logs().count == 1)
        }
    }

    @Test(
        "A log of ours that is damaged is left alone; a new one begins",
        arguments: ["4e4f5045 01", "4e434c47 01 ffffffff0f"])
    func damaged(hex: String) throws {
        let writer = try place.writer { 500 }
        let name = "\(writer.id).\(writer.id).1000.crdtlog"
        try place.write([UInt8](hex: hex), to: "notes/note-1/logs/\(name)")
        try writer.append([3], to: note)
        #expect(try logs() == [name, "\(writer.id).\(writer.id).1001.crdtlog"])
        #expect(try place.bytes(of: "notes/note-1/logs/\(name)") == [UInt8](hex: hex))
        #expect(try payloads() == [[3]])
    }

    @Test(
        "A long record that was cut off is not taken for a whole one that is shorter",
        arguments: [1, 2, 3, 10, 11, 12, 13, 14, 40, 2999])
    func tornLongRecord(length: Int) throws {
        let writer = try place.writer { 2000 }
        let name = "notes/note-1/logs/\(writer.id).\(writer.id).1000.crdtlog"
        // The length is c1 17; 17 alone is a length, too.
        let record = UpdateLog.encode(
            timestamp: 1_700_000_000_000, sequence: 1, payload: [UInt8](repeating: 7, count: 3000))
        try place.write(UpdateLog.header + record.prefix(length), to: name)
        try writer.append([3], to: note)
        #expect(try logs().count == 1 && payloads() == [[3]])
        #expect(try place.directory.read(note).incompleteFiles.isEmpty)
    }

    @Test(
        "A length that leads past the end of our log is no torn tail: what was acknowledged after it stays",
        arguments: [1, 2, 3, 4, 5], [0, 3])
    func brokenLength(record: Int, cutOff: Int) throws {
        let lock = try WriterID.acquire(in: place.home)
        let records = (1...5).map { number in
            UpdateLog.encode(
                timestamp: 1_700_000_000_000 + Int64(number), sequence: UInt64(number),
                payload: [UInt8](repeating: UInt8(number), count: 40))
        }
        var bytes = UpdateLog.header + records.flatMap(\.self).dropLast(cutOff)
        let place = UpdateLog.header.count + records.prefix(record - 1).flatMap(\.self).count
        bytes[place] |= 0x80
        bytes[place + 1] |= 0x10
        let name = "\(lock.id).\(lock.id).1000.crdtlog"
        try self.place.write(bytes, to: "notes/note-1/logs/\(name)")
        let writer = DirectoryWriter(self.place.directory, lock: lock, clock: { 2000 })
        let next = try writer.append([9], to: note)
        // Nothing tells the last one from a record that was being written.
        let lastWhole = cutOff > 0 ? 4 : 5
        guard record < lastWhole else { return }
        #expect(try self.place.bytes(of: "notes/note-1/logs/\(name)") == bytes)
        #expect(next.sequence == UInt64(lastWhole) + 1 && next.file == "logs/\(lock.id).\(lock.id).2000.crdtlog")
        #expect(try payloads().count == record)
        let again = DirectoryWriter(self.place.directory, lock: lock, clock: { 3000 })
        #expect(try again.append([9], to: note).sequence == next.sequence + 1)
        #expect(try logs().count == 2)
    }

    @Test("A line of ours that is damaged is no torn one: it stays, and the next one is a line of its own")
    func brokenLine() throws {
        let writer = try place.writer { 1700 }
        let name = "deleted/\(writer.id).\(writer.id).log"
        for other in ["note-1", "note-2"] { try writer.append([1], to: .note(NoteID(other))) }
        let broken = Array("a|1\nb|2".utf8) + [0x0a | 0x80]
        try place.write(broken, to: name)
        try writer.delete(NoteID("note-1"))
        #expect(try place.bytes(of: name) == broken + Array("\nnote-1|1700\n".utf8))
        try place.write(Array("a|1\nb|2".utf8), to: name)
        try writer.delete(NoteID("note-2"))
        #expect(try place.bytes(of: name) == Array("a|1\nnote-2|1700\n".utf8))
    }

    @Test("What a syncer does to our log while we write is found out, and nothing is written to a file that is gone")
    func interference() throws {
        let writer = try place.writer { 1000 }
        let file = "notes/note-1/" + (try writer.append([1], to: note)).file
        let bytes = try place.bytes(of: file)
        try place.write(bytes, to: file + ".copy")
        #expect(rename(place.root + "/" + file + ".copy", place.root + "/" + file) == 0)
        #expect(throws: NoteFilesError.self) { try writer.append([2], to: note) }
        #expect(try writer.append([2], to: note).sequence == 2)
        try FileManager.default.removeItem(atPath: place.root + "/notes/note-1")
        let error = #expect(throws: NoteFilesError.self) { try writer.append([3], to: note) }
        #expect(error?.code == .missing)
        #expect(try place.directory.notes().isEmpty)
        #expect(try writer.append([4], to: note).sequence == 1)
    }

    @Test("An update that is too large is refused and changes nothing")
    func tooLarge() throws {
        let writer = try place.writer()
        let error = #expect(throws: NoteFilesError.self) {
            try writer.append([UInt8](repeating: 0, count: 64 << 20), to: note)
        }
        #expect(error?.code == .tooLarge)
        #expect(try place.directory.notes().isEmpty)
    }

    @Test("No file of another writer is changed, whatever we do")
    func foreignFiles() throws {
        let writer = try place.writer { 1000 }
        let foreign = [
            "notes/note-1/logs/p.i.1.crdtlog": UpdateLog.header
                + UpdateLog.encode(timestamp: 1, sequence: 1, payload: [1]) + [5],
            "notes/note-1/logs/p_i_9999999999999.crdtlog": UpdateLog.header,
            "notes/note-1/logs/\(writer.id).other.5.crdtlog": [1, 2], "notes/note-1/snapshots/i_1.snapshot": [1],
            "notes/note-1/updates/i_n_1-0.yjson": [0, 1], "notes/note-2/logs/i_1.crdtlog": UpdateLog.header,
            "folders/logs/i_1.crdtlog": [], "activity/p.i.log": Array("note-1|p|1\nnote-1|p".utf8),
            "deleted/p.i.log": Array("x|1".utf8), "profiles/p.json": Array("{}".utf8), "media/a.png": [1],
            "other/file": [2],
        ]
        for (name, bytes) in foreign { try place.write(bytes, to: name) }
        let before = try foreign.keys.map { try FileManager.default.attributesOfItem(atPath: place.root + "/" + $0) }
        let announced = (1...2000).map { "note-1|\(writer.id)|\($0)\n" }.joined()
        try place.write(Array(announced.utf8), to: "activity/\(writer.id).\(writer.id).log")
        for index in 0..<20 { try writer.append([UInt8(index & 0xff)], to: note) }
        try writer.append([1], to: .folderTree)
        try writer.append([1], to: .note(NoteID("note-3")))
        try writer.delete(try NoteID("note-3"))
        _ = try writer.store([UInt8](hex: "89504e470d0a1a0a"))
        _ = try place.directory.read(note)
        _ = try place.directory.activity()
        _ = try StorageDirectory(creating: place.root)
        let after = try foreign.keys.map { try FileManager.default.attributesOfItem(atPath: place.root + "/" + $0) }
        for (one, other) in zip(before, after) {
            #expect(one[.modificationDate] as? Date == other[.modificationDate] as? Date)
            #expect(one[.systemFileNumber] as? UInt64 == other[.systemFileNumber] as? UInt64)
        }
        for (name, bytes) in foreign { #expect(try place.bytes(of: name) == bytes, "\(name)") }
    }

    @Test("Our log of activity keeps its last thousand lines, and a line that was cut off is cut off there too")
    func activity() throws {
        let writer = try place.writer { 1000 }
        let name = "activity/\(writer.id).\(writer.id).log"
        let old = (1...1998).map { "note-9|\(writer.id)|\($0)\n" }.joined()
        try place.write(Array("\(old)note-9|\(writer.id)|".utf8), to: name)
        for _ in 0..<2 { try writer.append([1], to: note) }
        let before = try place.directory.activity()
        #expect(before.entries.count == 2000)
        try writer.append([1], to: note)
        let after = try place.directory.activity(from: before.progress)
        #expect(after.entries.count == 1000)
        #expect(after.entries.last == ActivityEntry(note: try NoteID("note-1"), writer: writer.id, sequence: 3))
        #expect(try place.directory.activity(from: after.progress).entries.isEmpty)
        try writer.append([1], to: note)
        #expect(try place.directory.activity(from: after.progress).entries.map(\.sequence) == [4])
    }

    @Test("Activity is found where other programs put it; lines that are being written are left for later")
    func foreignActivity() throws {
        try place.write(Array("a|p|1\nnonsense\nb|p_2\nc|p|3".utf8), to: "activity/p.i.log")
        try place.write(Array("d|ios-12345678-9|1\n".utf8), to: ".notecove/activity/ios-12345678-9.log")
        let first = try place.directory.activity()
        #expect(first.entries.map(\.note.text) == ["a", "b", "d"])
        try place.write(Array("a|p|1\nnonsense\nb|p_2\nc|p|34\n".utf8), to: "activity/p.i.log")
        #expect(try place.directory.activity(from: first.progress).entries.map(\.sequence) == [34])
    }

    @Test("A note whose first record finds no room leaves nothing behind")
    func fullAtOnce() throws {
        try FileManager.default.removeItem(atPath: place.root + "/notes")
        let crashHelper = Program.products.appending(path: "note-writer-crash-helper").path
        for isThere in [false, true] {
            if isThere { try place.write([1], to: "notes/note/logs/p.i.1.crdtlog") }
            let before = try place.contents(of: "")
            let result = try Program.run([crashHelper, "full", place.path, "300"])
            #expect(result.output.hasPrefix("0 full"), "\(result.output)")
            #expect(try place.contents(of: "") == (isThere ? before : before + ["notes"]).sorted())
            #expect(try place.contents(of: "notes") == (isThere ? ["note"] : []))
            if isThere { #expect(try place.contents(of: "notes/note/logs") == ["p.i.1.crdtlog"]) }
        }
    }

    @Test("When no file may grow any more, what was acknowledged stays, and the note goes on when there is room again")
    func full() throws {
        let crashHelper = Program.products.appending(path: "note-writer-crash-helper").path
        let result = try Program.run([crashHelper, "full", place.path, "10500"])
        let words = result.output.split(separator: " ", maxSplits: 2)
        #expect(words.prefix(2) == ["10", "full"], "\(result.output)")
        #expect(words.last?.contains(".crdtlog") == true && words.last?.contains("Make room") == true)
        let note = DocumentID.note(try NoteID("note"))
        #expect(try place.directory.read(note).records.count == 10)
        #expect(try place.directory.read(note).incompleteFiles.isEmpty)
        #expect(try place.writer().append([1], to: note).sequence == 11)
        #expect(try place.directory.read(note).records.count == 11)
    }
}
