import Components
import StorageClient
import Testing
import Wire

@testable import ComponentStorage

@Suite("Byte sources and sinks") struct StreamTests {
    @Test("a source is read on, at places, and from where it is told") func sources() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], "x")
        let source = try await folder.source("x")
        #expect(try await source.size == 10)
        #expect(try await source.position == 0)
        #expect(try await source.next(4) == [0, 1, 2, 3])
        #expect(try await source.next(0) == [])
        #expect(try await source.read(at: 8, 5) == [8, 9])
        #expect(try await source.read(at: 10, 1) == nil)
        #expect(try await source.read(at: .max, .max) == nil)
        // Reading at a place goes there.
        #expect(try await source.position == .max >> 1)
        #expect(try await source.read(at: 2, 2) == [2, 3])
        #expect(try await source.position == 4)
        // What was opened stays, whatever gets its name.
        try await folder.write("other", "x")
        #expect(try await source.next() == [4, 5, 6, 7, 8, 9])
        #expect(try await source.next() == nil)
        #expect(try await source.next(3) == nil)
        try await source.seek(9)
        #expect(try await source.next(100) == [9])
        try await source.seek(10)
        #expect(try await failure { try await source.seek(11) } == "EEOF endOfFile")
    }

    @Test("a sink's file is there at once, and has its content when it is done") func sinks() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        let sink = try await folder.sink("d/x")
        try await sink.splice(0, 0, [1, 2, 3])
        try await sink.splice(3, 0, [4, 5])
        #expect(try await sink.size == 5)
        #expect(try await sink.layout == ["new 0+5"])
        #expect(try await folder.isPresent("File", "d/x"))
        #expect(try await folder.bytes("d/x") == nil)
        try await sink.done()
        #expect(try await folder.bytes("d/x") == [1, 2, 3, 4, 5])
        #expect(try await failure { try await sink.splice(0, 0, [1]) } == "EIO ioError")
        #expect(try await failure { try await sink.done() } == "EIO ioError")
        let discarded = try await folder.sink("d/x")
        try await discarded.splice(0, 0, [9])
        try await discarded.done("changed my mind")
        #expect(try await folder.bytes("d/x") == [1, 2, 3, 4, 5])
        let empty = try await folder.sink("d/x")
        try await empty.done()
        #expect(try await folder.bytes("d/x") == nil)
        #expect(try await folder.stat("d/x").size?.value == 0)
        #expect(storage.unfinished().isEmpty)
    }

    @Test("a sink changes a file as it was") func changing() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("0123456789", "x")
        let sink = try await folder.sink("x", .init(truncate: .no))
        #expect(try await sink.layout == ["base 0+10"])
        try await sink.splice(2, 3, Array("AB".utf8))
        try await sink.splice(0, 1)
        try await sink.splice(11, 0, Array("END".utf8))
        #expect(try await sink.layout == ["base 0+1", "new 1+2", "base 3+5", "empty 8+3", "new 11+3"])
        // The file may be replaced meanwhile.
        try await folder.write("something else", "x")
        try await sink.done()
        #expect(try await folder.text("x") == "1AB56789\0\0\0END")
    }

    @Test("a sink obeys the flags when it is opened and when it is done") func flags() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        #expect(try await failure { try await folder.sink("x", .init(create: .no)) } == "ENOENT notFound")
        let exclusive = FsProto.FileFlags(create: .yes, exclusive: .yes)
        let sink = try await folder.sink("x", exclusive)
        #expect(try await failure { try await folder.sink("x", exclusive) } == "EEXIST alreadyExists")
        try await sink.splice(0, 0, Array("first".utf8))
        try await sink.done()
        #expect(try await folder.text("x") == "first")
        // With flags, only what they say is done.
        let second = try await folder.sink("x", .init())
        #expect(try await second.layout == ["base 0+5"])
        try await second.splice(5, 0, Array("!".utf8))
        try await second.done()
        #expect(try await folder.text("x") == "first!")
        let third = try await folder.sink("x", .init(truncate: .yes))
        #expect(try await third.layout == [])
        try await third.done()
        #expect(storage.unfinished().isEmpty)
    }

    @Test("a sink that nobody holds leaves nothing") func dropped() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        do {
            let sink = try await folder.sink("x")
            try await sink.splice(0, 0, [1])
            #expect(storage.unfinished().count == 1)
        }
        // Made after it went, one after another.
        try await folder.makeFolder("after")
        #expect(try await folder.names() == ["after"])
        #expect(storage.unfinished().isEmpty)
    }

    @Test("truncating cuts off and adds zeros") func truncating() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        let sink = try await folder.sink("x")
        try await sink.splice(0, 0, [1, 2, 3])
        try await sink.truncate(1)
        try await sink.truncate(3)
        try await sink.done()
        #expect(try await folder.bytes("x") == [1, 0, 0])
        let shorter = try await folder.sink("x")
        try await shorter.splice(0, 0, [1, 2, 3])
        try await shorter.truncate(2)
        try await shorter.done()
        #expect(try await folder.bytes("x") == [1, 2])
        let huge = try await folder.sink("x")
        #expect(try await failure { try await huge.truncate(.max) } == "badFnCallArguments")
        #expect(try await failure { try await huge.splice(.max, 0, [1]) } == "badFnCallArguments")
        #expect(try await failure { try await huge.splice((1 << 53) - 1, .max, [1]) } == "badFnCallArguments")
    }

    @Test("a sink in many pieces is what the same changes make of an array", arguments: 0..<6)
    func differential(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let storage = try StorageFixture()
        let folder = try storage.folder()
        var model = (0..<500).map { UInt8(truncatingIfNeeded: $0) }
        try await folder.write(model, "x")
        let sink = try await folder.sink("x", .init(truncate: .no))
        for _ in 0..<(seed == 0 ? 5000 : 300) {
            if seed > 0, Int.random(in: 0..<20, using: &random) == 0 {
                let size = Int.random(in: 0...600, using: &random)
                try await sink.truncate(UInt64(size))
                model = Array((model + repeatElement(0, count: size)).prefix(size))
                continue
            }
            let position = Int.random(in: 0...(model.count + 10), using: &random)
            let deleted = Int.random(in: 0...20, using: &random)
            let bytes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                UInt8.random(in: 1...255, using: &random)
            }
            try await sink.splice(UInt64(position), UInt64(deleted), bytes)
            if position > model.count { model += repeatElement(0, count: position - model.count) }
            let end = min(model.count, position + deleted)
            model.replaceSubrange(position..<end, with: bytes)
        }
        #expect(try await sink.size == UInt64(model.count))
        #expect(try await sink.layout.count <= 4100)
        try await sink.done()
        #expect(try await folder.bytes("x") ?? [] == model)
    }
}

/// The same numbers in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
