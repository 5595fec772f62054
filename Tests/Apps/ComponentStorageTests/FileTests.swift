import ComponentStorage
import Components
import Foundation
import StorageClient
import Testing
import Wire

@Suite("Files, as apps see them") struct FileTests {
    @Test("bytes, text and JSON come back", arguments: ["x", "a/b/x", "/ä/ö/ü.txt", "🦋 é", "-", "a\\b", "…"])
    func roundTrip(path: String) async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write([0, 255, 1], path)
        #expect(try await folder.bytes(path) == [0, 255, 1])
        try await folder.write("Grüße", path)
        #expect(try await folder.text(path) == "Grüße")
        try await folder.write(json: #"{"a":[1,null]}"#, path)
        #expect(try await folder.json(path) == #"{"a":[1,null]}"#)
        let stat = try await folder.stat(path)
        #expect(stat.isFile == .yes && stat.isFolder == nil && stat.writable && stat.size?.value == 14)
        let now = Date().timeIntervalSince1970 * 1000
        #expect(abs(Double(stat.mtime?.value ?? 0) - now) < 60_000 && stat.version?.value == 3)
        #expect(storage.unfinished().isEmpty)
    }

    @Test("parts of a file are read") func ranges() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write([0, 1, 2, 3, 4], "x")
        #expect(try await folder.bytes("x", 2) == [2, 3, 4])
        #expect(try await folder.bytes("x", 1, 3) == [1, 2])
        #expect(try await folder.bytes("x", 0, 99) == [0, 1, 2, 3, 4])
        // Without a start, the end does not count.
        #expect(try await folder.bytes("x", nil, 2) == [0, 1, 2, 3, 4])
        #expect(try await folder.bytes("x", 5) == nil)
        #expect(try await folder.bytes("x", 3, 3) == nil)
        #expect(try await folder.bytes("x", 4, 2) == nil)
        #expect(try await folder.bytes("x", .max, .max) == nil)
        try await folder.write([], "empty")
        #expect(try await folder.bytes("empty") == nil)
        #expect(try await folder.text("empty") == "")
    }

    @Test("flags say what may be there") func flags() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        #expect(try await failure { try await folder.write("x", "a/f", .init(create: .no)) } == "ENOENT notFound")
        // Whoever gives flags says what is to be made.
        for flags in [FsProto.FileFlags(), .init(truncate: .yes), .init(exclusive: .yes)] {
            #expect(try await failure { try await folder.write("x", "a/f", flags) } == "ENOENT notFound")
            #expect(try await failure { try await folder.sink("a/f", flags) } == "ENOENT notFound")
            #expect(try await failure { try await folder.writableFile("a/f", flags) } == "ENOENT notFound")
            #expect(try await failure { try await folder.writableSubRoot("a/f", flags) } == "ENOENT notFound")
        }
        #expect(try storage.names() == [])
        try await folder.write("first", "f", .init(create: .yes, exclusive: .yes))
        #expect(
            try await failure { try await folder.write("y", "f", .init(exclusive: .yes)) } == "EEXIST alreadyExists")
        try await folder.write("SECOND!", "f", .init(truncate: .no))
        try await folder.write("th", "f", .init(truncate: .no))
        #expect(try await folder.text("f") == "thCOND!")
        try await folder.write("short", "f", .init(create: .no))
        #expect(try await folder.text("f") == "short")
    }

    @Test("a folder, a link and a pipe are no files") func notFiles() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.makeFolder("d")
        try await folder.link("l", to: folder.readonlySubRoot("d").object)
        #expect(mkfifo(storage.path + "/root/pipe", 0o600) == 0)
        let isDirectory = "EISDIR isDirectory notFile"
        let calls: [@Sendable (String) async throws -> Void] = [
            { _ = try await folder.bytes($0) }, { _ = try await folder.text($0) }, { _ = try await folder.json($0) },
            { _ = try await folder.source($0) }, { _ = try await folder.readonlyFile($0) },
            { _ = try await folder.deleteFile($0) }, { try await folder.write("x", $0) },
            { _ = try await folder.sink($0) }, { _ = try await folder.writableFile($0) },
            { try await folder.copyFile($0, "new") },
        ]
        for (number, call) in calls.enumerated() {
            #expect(try await failure { try await call("d") } == isDirectory, "\(number)")
            #expect(try await failure { try await call("") }?.contains("isDirectory") == true, "\(number)")
            #expect(try await failure { try await call("l") } == "ENOTFILE notFile", "\(number)")
            // Not waited for, and not seen.
            #expect(try await failure { try await call("pipe") } != nil, "\(number)")
        }
        #expect(try await folder.names() == ["d", "l"])
        for call in calls[..<6] { #expect(try await failure { try await call("none") } == "ENOENT notFound") }
        for call in calls { #expect(try await failure { try await call("d/../l/x") } == "ENOTDIR notDirectory") }
    }

    @Test("what is no text, or no JSON, is said so") func parsing() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write([0xff, 0xfe], "x")
        #expect(try await failure { try await folder.text("x") } == "parsingError")
        try await folder.write("{", "x")
        #expect(try await failure { try await folder.json("x") } == "parsingError")
    }

    @Test("files are copied") func copying() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("x", "a")
        try await folder.copyFile("a", "b/c")
        #expect(try await folder.text("b/c") == "x")
        try await folder.write("y", "a")
        #expect(try await failure { try await folder.copyFile("a", "b/c") } == "EEXIST alreadyExists")
        #expect(try await failure { try await folder.copyFile("none", "d") } == "ENOENT notFound")
        #expect(
            try await failure { try await folder.copyFile("a", "b", overwrite: true) } == "EISDIR isDirectory notFile")
        try await folder.copyFile("a", "b/c", overwrite: true)
        try await folder.copyFile("a", "a", overwrite: true)
        #expect(try await folder.text("b/c") == "y")
        #expect(try await folder.text("a") == "y")
        try await folder.deleteFile("a")
        #expect(try await folder.names() == ["b"])
    }

    @Test("a file object is the file of its path, now and later") func objects() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        let file = try await folder.writableFile("d/x")
        #expect(file.properties.isNew && file.properties.writable && file.properties.name == "x")
        #expect(try await failure { try await file.text() } == "ENOENT notFound")
        try await file.write("one")
        let reading = try await folder.readonlyFile("d/x")
        #expect(!reading.properties.isNew && !reading.properties.writable)
        try await file.write([0x32])
        #expect(try await reading.text() == "2")
        #expect(try await reading.bytes() == [0x32])
        #expect(try await reading.stat().size?.value == 1)
        try await file.write(json: "[]")
        #expect(try await reading.json() == "[]")
        try await folder.write("other", "y")
        try await file.copy(folder.readonlyFile("y"))
        #expect(try await reading.text() == "other")
        #expect(try await reading.source().next() == Array("other".utf8))
        let sink = try await file.sink(truncate: false)
        try await sink.splice(0, 1, Array("O".utf8))
        try await sink.done()
        #expect(try await reading.text() == "Other")
        #expect(try await exception { try await reading.write("no") }.has("callFnNotFound"))
        let exclusive = FsProto.FileFlags(create: .yes, exclusive: .yes)
        #expect(try await failure { try await folder.writableFile("d/x", exclusive) } == "EEXIST alreadyExists")
        #expect(try await failure { try await folder.writableFile("n", .init(create: .no)) } == "ENOENT notFound")
    }

    @Test("attributes stay with a file, whoever replaces it") func attributes() async throws {
        // On a disk: not every file system in memory keeps attributes.
        let storage = try StorageFixture(below: NSTemporaryDirectory())
        let folder = try storage.folder()
        try await folder.write("x", "f")
        try await folder.change(
            "f",
            set: [
                .init(xaName: "text", str: .init(value: "ä")), .init(xaName: "json", json: .init(value: "{}")),
                .init(xaName: "bytes", bytes: .init(value: [0, 1])), .init(xaName: "gone", str: .init(value: "")),
            ])
        try await folder.change("f", set: [.init(xaName: "text", str: .init(value: "b"))], remove: ["gone", "none"])
        try await folder.write("y", "f")
        let sink = try await folder.sink("f")
        try await sink.done()
        try await folder.copyFile("f", "g")
        try await folder.move("g", "d/h")
        for path in ["f", "d/h"] {
            #expect(try await folder.attributes(of: path) == ["bytes", "json", "text"])
            #expect(try await folder.attribute("text", of: path).str?.value == "b")
            #expect(try await folder.attribute("json", of: path).json?.value == "{}")
            #expect(try await folder.attribute("bytes", of: path).bytes?.value == [0, 1])
            #expect(try await folder.attribute("none", of: path) == FileProto.XAttrValue())
        }
        try await folder.change("d", set: [.init(xaName: "of a folder", str: .init(value: "x"))])
        #expect(try await folder.attributes(of: "d") == ["of a folder"])
        let file = try await folder.writableFile("f")
        try await file.change(remove: ["text", "json"])
        #expect(try await file.attributes() == ["bytes"])
        #expect(try await file.attribute("bytes").bytes?.value == [0, 1])
        #expect(try await failure { try await folder.attributes(of: "none") } == "ENOENT notFound")
        #expect(try await failure { try await folder.change("f", set: [.init(xaName: "x")]) } == "badFnCallArguments")
        #expect(try await failure { try await folder.attribute("", of: "f") } == "badFnCallArguments")
    }

    @Test("attributes are not too long, and not too many") func attributeLimits() async throws {
        let storage = try StorageFixture(below: NSTemporaryDirectory())
        let folder = try storage.folder()
        try await folder.write("x", "f")
        let long = [UInt8](repeating: 1, count: 16 << 10)
        let change = FileProto.NameAndXAttrValue(xaName: "long", bytes: .init(value: long))
        #expect(try await failure { try await folder.change("f", set: [change]) } == "E2BIG limitExceeded")
        let many = (0..<64).map { FileProto.NameAndXAttrValue(xaName: "\($0)", str: .init(value: "")) }
        try await folder.change("f", set: many)
        let one = FileProto.NameAndXAttrValue(xaName: "one", str: .init(value: ""))
        #expect(try await failure { try await folder.change("f", set: [one]) } == "ENOSPC limitExceeded")
        try await folder.change("f", set: [one], remove: ["0"])
        #expect(try await folder.attributes(of: "f").count == 64)
    }
}
