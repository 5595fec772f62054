import ComponentStorage
import Components
import StorageClient
import Testing
import Wire

@Suite("Limits of a storage") struct LimitTests {
    @Test("the quota holds for every way of writing, and comes back when things go") func quota() async throws {
        var limits = StorageLimits()
        limits.quota = 42_000
        let storage = try StorageFixture(limits: limits)
        let folder = try storage.folder()
        let bytes = [UInt8](repeating: 1, count: 8000)
        let exceeded = "EDQUOT quotaExceeded"
        try await folder.write(bytes, "a")
        try await folder.write(bytes, "b")
        #expect(try await failure { try await folder.write(bytes, "c") } == exceeded)
        #expect(try await failure { try await folder.copyFile("a", "c") } == exceeded)
        #expect(try await failure { try await folder.copyFile("a", "b", overwrite: true) } == exceeded)
        let sink = try await folder.sink("c")
        #expect(try await failure { try await sink.splice(0, 0, bytes) } == exceeded)
        try await sink.truncate(1 << 40)
        #expect(try await failure { try await sink.done() } == exceeded)
        // The empty file that the sink began with.
        #expect(try await folder.names() == ["a", "b", "c"])
        try await folder.deleteFile("c")
        #expect(storage.unfinished().isEmpty)
        let refused = try #require(storage.refused.first)
        #expect(refused.fields["path"] == "c" && refused.fields["cause"]?.string?.contains("42000") == true)
        try await folder.deleteFile("b")
        for _ in 0..<20 {
            try await folder.write(bytes, "c")
            try await folder.deleteFile("c")
        }
        try await folder.copyFile("a", "d/c")
        #expect(try await failure { try await folder.copyFolder("d", "e") } == exceeded)
        #expect(try await folder.names() == ["a", "d"])
        #expect(storage.unfinished().isEmpty)
        try await folder.deleteFolder("d", withContent: true)
        try await folder.write(bytes, "f")
    }

    @Test("what others write counts, too, and so do many empty things") func counting() async throws {
        var limits = StorageLimits()
        limits.quota = 60_000
        let storage = try StorageFixture(limits: limits)
        try storage.write(String(repeating: "x", count: 54_000), to: "foreign")
        let folder = try storage.folder()
        #expect(try await failure { try await folder.write([1], "a/b") } == "EDQUOT quotaExceeded")
        try await folder.deleteFile("foreign")
        var made = 0
        for number in 0..<30 where try await failure({ try await folder.makeFolder("d\(number)") }) == nil { made += 1 }
        #expect(made > 10 && made < 20)
    }

    @Test("one call reads and writes only so much") func calls() async throws {
        var limits = StorageLimits()
        limits.bytesPerCall = 100
        let storage = try StorageFixture(limits: limits)
        let folder = try storage.folder()
        let exceeded = "EMFILE limitExceeded"
        let long = [UInt8](repeating: 1, count: 101)
        #expect(try await failure { try await folder.write(long, "x") } == exceeded)
        let sink = try await folder.sink("x")
        #expect(try await failure { try await sink.splice(0, 0, long) } == exceeded)
        for part in 0..<3 { try await sink.splice(UInt64(part) * 100, 0, Array(long.dropLast())) }
        try await sink.done()
        #expect(try await failure { try await folder.bytes("x") } == exceeded)
        #expect(try await failure { try await folder.text("x") } == exceeded)
        #expect(try await folder.bytes("x", 250)?.count == 50)
        let source = try await folder.source("x")
        #expect(try await failure { try await source.next() } == exceeded)
        #expect(try await failure { try await source.read(at: 0, 101) } == exceeded)
        #expect(try await source.next(100)?.count == 100)
        #expect(storage.refused.count == 6)
    }

    @Test("only so many sources and sinks are open, and dropped ones are not") func openings() async throws {
        var limits = StorageLimits()
        limits.openStreams = 3
        let storage = try StorageFixture(limits: limits)
        let folder = try storage.folder()
        try await folder.write("x", "x")
        for _ in 0..<3 {
            let kept = [try await folder.source("x"), try await folder.source("x")]
            let sink = try await folder.sink("y")
            #expect(try await failure { try await folder.source("x") } == "EMFILE limitExceeded")
            #expect(try await failure { try await folder.sink("x") } == "EMFILE limitExceeded")
            try await sink.done()
            let another = try await folder.source("x")
            withExtendedLifetime((kept, another)) {}
        }
        // What could not be opened does not count.
        for _ in 0..<5 { #expect(try await failure { try await folder.source("none") } == "ENOENT notFound") }
    }

    @Test("long listings, deep folders and long names are refused, not suffered") func sizes() async throws {
        var limits = StorageLimits()
        limits.entries = 50
        limits.depth = 5
        let storage = try StorageFixture(limits: limits)
        let folder = try storage.folder()
        for number in 0...50 { try storage.write("", to: "many/\(number)") }
        #expect(try await failure { try await folder.list("many") } == "EIO ioError")
        #expect(try await failure { try await folder.copyFolder("many", "copy") } == "EIO ioError")
        try await folder.deleteFolder("many", withContent: true)
        let deep = String(repeating: "d/", count: 8)
        try await folder.makeFolder(deep)
        #expect(try await failure { try await folder.copyFolder("d", "copy") } == "EMFILE limitExceeded")
        try await folder.deleteFolder("d", withContent: true)
        #expect(try await folder.names() == [])
        #expect(storage.unfinished().isEmpty)
        for path in [String(repeating: "n", count: 256), String(repeating: "d/", count: 300), "a\0b"] {
            #expect(try await failure { try await folder.makeFolder(path) } == "EIO ioError")
        }
    }

    @Test("a request that is no message is refused") func malformed() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        for body in [[0x0a], [0x0a, 5, 1], [0x08, 1], [0x0a, 1, 0xff]] as [[UInt8]] {
            let exception = try await exception { try await folder.object.call("stat", body: body) }
            #expect(exception.has("badFnCallArguments"))
        }
        #expect(try await folder.object.call("stat") != nil)
    }
}
