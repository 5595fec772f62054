import Foundation
import Testing
import Wire

@testable import Rooms

struct NoteFrameSample: CustomTestStringConvertible, Sendable {
    let frame: NoteFrame
    let text: String

    var testDescription: String { text }

    static let picture = "0123456789abcdef0123456789abcdef"

    static let all = [
        NoteFrameSample(frame: .begin, text: "begin: true"),
        NoteFrameSample(
            frame: .offer(.named("aZ-_09", "Shopping")),
            text: "offer {\n  note: \"aZ-_09\"\n  title: \"Shopping\"\n}"),
        NoteFrameSample(frame: .listed, text: "listed: true"),
        NoteFrameSample(frame: .stopped("n1"), text: "stopped: \"n1\""),
        NoteFrameSample(frame: .wanted("n1"), text: "wanted: \"n1\""),
        NoteFrameSample(
            frame: .part(.init(note: "n1", kind: .update, total: 9, offset: 3, bytes: Array("abc".utf8))),
            text: "part {\n  note: \"n1\"\n  kind: UPDATE\n  total: 9\n  offset: 3\n  data: \"abc\"\n}"),
        NoteFrameSample(
            frame: .part(.init(note: "n1", kind: .stateVector, total: 1, offset: 0, bytes: Array("a".utf8))),
            text: "part {\n  note: \"n1\"\n  total: 1\n  data: \"a\"\n}"),
        NoteFrameSample(
            frame: .cursor(NoteCursor(note: "n1", anchor: Array("ab".utf8), head: Array("c".utf8))),
            text: "cursor {\n  note: \"n1\"\n  anchor: \"ab\"\n  head: \"c\"\n}"),
        NoteFrameSample(
            frame: .part(
                .init(
                    note: "n1", kind: .picture, total: 1, offset: 0, bytes: Array("a".utf8),
                    picture: NoteFrameSample.picture)),
            text:
                "part {\n  note: \"n1\"\n  kind: PICTURE\n  total: 1\n  data: \"a\"\n  picture: \"\(NoteFrameSample.picture)\"\n}"
        ),
        NoteFrameSample(
            frame: .pictureWanted(.named(NoteFrameSample.picture, in: "n1")),
            text: "picture_wanted {\n  note: \"n1\"\n  picture: \"\(NoteFrameSample.picture)\"\n}"),
        NoteFrameSample(
            frame: .cursor(NoteCursor(note: "n1", anchor: [], head: [])), text: "cursor {\n  note: \"n1\"\n}"),
    ]
}

struct NoteFrameTests {
    @Test(arguments: NoteFrameSample.all)
    func `frames survive the wire`(sample: NoteFrameSample) throws {
        #expect(try NoteFrame(bytes: sample.frame.bytes) == sample.frame)
    }

    @Test(arguments: NoteFrameSample.all)
    func `every truncation and every flipped bit gives a frame or an error`(sample: NoteFrameSample) {
        let bytes = sample.frame.bytes
        for count in 0..<bytes.count { _ = try? NoteFrame(bytes: Array(bytes.prefix(count))) }
        for position in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[position] ^= 1 << bit
                _ = try? NoteFrame(bytes: changed)
            }
        }
    }

    @Test func `a kind that is not known is no error`() throws {
        var writer = ProtobufWriter()
        writer.write("from the future", 99)
        #expect(try NoteFrame(bytes: writer.bytes) == .unknown)
    }

    /// A part as somebody else may write it.
    private func part(note: String = "n", kind: UInt64 = 1, total: UInt64, offset: UInt64, count: Int) -> [UInt8] {
        var (part, frame) = (ProtobufWriter(), ProtobufWriter())
        part.write(note, 1)
        part.write(kind, 2)
        part.write(total, 3)
        part.write(offset, 4)
        part.write([UInt8](repeating: 0, count: count), 5)
        frame.write(message: part, 6)
        return frame.bytes
    }

    @Test(arguments: [(0, 3), (3, 0), (NoteLimits.place + 1, 3)])
    func `a place that is not whole is nowhere`(anchor: Int, head: Int) {
        let cursor = NoteCursor(
            note: "n", anchor: .init(repeating: 1, count: anchor), head: .init(repeating: 1, count: head))
        #expect(!cursor.isSomewhere && cursor == NoteCursor(note: "n", anchor: [], head: []))
    }

    @Test func `only the newest place of a note waits`() {
        var queue = NoteQueue()
        for number in UInt8(1)...9 { queue.append(cursor: NoteCursor(note: "n", anchor: [number], head: [number])) }
        queue.append(cursor: NoteCursor(note: "m", anchor: [1], head: [1]))
        for expected in [NoteCursor(note: "n", anchor: [9], head: [9]), NoteCursor(note: "m", anchor: [1], head: [1])] {
            #expect(queue.next(atMost: 100) == .cursor(expected))
            _ = queue.sent(.cursor(expected))
        }
        #expect(queue.isEmpty)
    }

    @Test func `a part lies within its whole, and the whole within the limits`() {
        let update = UInt64(NoteLimits.update)
        let vector = UInt64(NoteLimits.stateVector)
        let good = [
            part(total: update, offset: 0, count: NoteLimits.part), part(total: update, offset: update, count: 0),
            part(kind: 0, total: vector, offset: vector - 1, count: 1),
        ]
        let bad = [
            part(total: update + 1, offset: 0, count: 1), part(total: .max, offset: .max, count: 0),
            part(total: 5, offset: 6, count: 0), part(total: 5, offset: 3, count: 3),
            part(kind: 0, total: vector + 1, offset: 0, count: 1), part(kind: 2, total: 1, offset: 0, count: 1),
            part(kind: 3, total: 1, offset: 0, count: 1),
            part(total: update, offset: 0, count: NoteLimits.part + 1), part(note: "", total: 1, offset: 0, count: 1),
            part(note: "../n", total: 1, offset: 0, count: 1),
        ]
        #expect(good.allSatisfy { (try? NoteFrame(bytes: $0)) != nil })
        #expect(bad.allSatisfy { (try? NoteFrame(bytes: $0)) == nil })
    }

    @Test(arguments: [
        ("plain", "plain"), ("two\nlines\u{2028}\u{1B}[31m", "twolines[31m"), ("\u{202E}evil", "evil"),
        ("\u{1F468}\u{200D}\u{1F373}", "\u{1F468}\u{200D}\u{1F373}"),
        (String(repeating: "é", count: 300), String(repeating: "é", count: 127)),
    ])
    func `a title is one short line`(title: String, kept: String) {
        #expect(SharedNote(id: "n", title: title)?.title == kept)
    }

    @Test(arguments: ["", "a/b", "..", "ä", "a b", String(repeating: "a", count: 65)])
    func `what cannot be an id makes no note`(id: String) {
        #expect(SharedNote(id: id, title: "") == nil)
    }
}

@Suite(
    "Frames of notes as protoc sees them",
    .enabled(if: FileManager.default.isExecutableFile(atPath: Protoc.path), "apt-get install protobuf-compiler"))
struct NoteFrameProtocTests {
    @Test(arguments: NoteFrameSample.all)
    func `protoc reads what we write, and we what it writes`(sample: NoteFrameSample) throws {
        let output = try Protoc.noteFrame.run("--decode", input: sample.frame.bytes)
        #expect(String(decoding: output, as: UTF8.self) == sample.text + "\n")
        let bytes = try Protoc.noteFrame.run("--encode", input: Array(sample.text.utf8))
        #expect(try NoteFrame(bytes: bytes) == sample.frame)
    }
}
