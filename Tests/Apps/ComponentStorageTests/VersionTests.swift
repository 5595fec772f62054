import Components
import Foundation
import StorageClient
import Testing
import Wire

@testable import ComponentStorage

/// On a disk: not every file system in memory keeps attributes.
@Suite("Versions of files and folders") struct VersionTests {
    private let storage: StorageFixture
    private let folder: FolderClient

    init() throws {
        storage = try StorageFixture(below: NSTemporaryDirectory())
        folder = try storage.folder()
    }

    private func version(_ path: String) async throws -> UInt64? { try await folder.stat(path).version?.value }

    private func archived(_ version: UInt64) -> FileProto.VersionedReadFlags {
        .init(archivedVersion: .init(value: version))
    }

    private func read(_ path: String, _ flags: FileProto.VersionedReadFlags? = nil) async throws
        -> FileProto.VersionedReadTxtReplyBody
    {
        try await folder.versioned("readTxtFile", FsProto.PathAndFlagsRequestBody(path: path, flags: flags))
    }

    @discardableResult
    private func write(_ text: String, _ path: String, current: UInt64? = nil) async throws -> UInt64 {
        let flags = current.map { FsProto.VersionedFileWriteFlags(create: .yes, currentVersion: .init(value: $0)) }
        let request = FsProto.VersionedWriteTxtFileRequestBody(path: path, txt: text, flags: flags)
        return try await folder.versioned("writeTxtFile", request, as: CommonProto.UInt64Value.self).value
    }

    private func archive(_ path: String, _ version: UInt64? = nil) async throws -> UInt64 {
        let request = FsProto.ArchiveCurrentRequestBody(path: path, version: version.map { .init(value: $0) })
        return try await folder.versioned("archiveCurrent", request, as: CommonProto.UInt64Value.self).value
    }

    private func versions(_ path: String) async throws -> [UInt64] {
        try await folder.versioned(
            "listVersions", FsProto.PathOnlyRequestBody(path: path), as: FileProto.ListVersionsReplyBody.self
        ).archived
    }

    @Test("each change of a file is a version, whoever makes it and however") func files() async throws {
        #expect(try await write("a", "f") == 1)
        try await folder.write("b", "f")
        #expect(try await write("c", "f") == 3)
        let sink = try await folder.sink("f")
        try await sink.splice(0, 0, Array("d".utf8))
        try await sink.done()
        try await folder.write("e", "g")
        try await folder.copyFile("g", "f", overwrite: true)
        try await folder.change("f", set: [.init(xaName: "n", str: .init(value: "v"))])
        let reply = try await read("f")
        #expect(reply.version == 6 && reply.txt == "e")
        #expect(try await folder.attributes(of: "f") == ["n"])
        try await folder.move("f", "d/f")
        #expect(try await version("d/f") == 6)
        // Another file of the same name begins anew, and so does what others made.
        try await folder.deleteFile("d/f")
        #expect(try await write("x", "d/f") == 1)
        try storage.write("theirs", to: "h")
        #expect(try await version("h") == 1)
        #expect(try await write("ours", "h") == 2)
    }

    @Test("a folder has a new version when something comes, goes or is renamed in it") func folders() async throws {
        try await folder.makeFolder("d")
        #expect(try await version("d") == 1)
        try await folder.write("x", "d/file")
        try await folder.write("y", "d/file")
        #expect(try await version("d") == 2)
        try await folder.makeFolder("d/e")
        try await folder.link("d/l", to: folder.readonlyFile("d/file").object)
        try await folder.deleteLink("d/l")
        try await folder.deleteFolder("d/e")
        try await folder.deleteFile("d/file")
        #expect(try await version("d") == 7)
        let listing = try await folder.versioned(
            "listFolder", FsProto.PathAndFlagsRequestBody(path: "d"), as: FsProto.VersionedListFolderReplyBody.self)
        #expect(listing.version == 7 && listing.entries.isEmpty)
    }

    @Test("who names a version changes that one or nothing") func expected() async throws {
        try await write("a", "f")
        #expect(try await write("b", "f", current: 1) == 2)
        let refused = try await exception { try await write("c", "f", current: 1) }
        #expect(refused.has("versionMismatch") && refused.fields["cause"]?.string?.contains("2") == true)
        #expect(try await exception { try await archive("f", 1) }.has("versionMismatch"))
        #expect(try await read("f").txt == "b")
        // A sink that was promised a version keeps it, or fails.
        let request = FsProto.VersionedGetByteSinkRequestBody(path: "f", flags: .init())
        let reply: FileProto.VersionedGetByteSinkReplyBody = try await folder.versioned("getByteSink", request)
        let sink = try SinkClient(#require(reply.sink), on: storage.app)
        #expect(reply.version == 3)
        try await folder.write("d", "f")
        #expect(try await exception { try await sink.done() }.has("versionMismatch"))
        #expect(try await read("f").txt == "d")
    }

    @Test("writers at the same time never give one version to two contents") func racing() async throws {
        let quota = StorageQuota([storage.path + "/root"], limit: nil)
        let versions = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for writer in 0..<4 {
                let root = try StorageRoot(storage.path + "/root", quota: quota)
                let (host, app) = ConnectedEnds.make()
                let folder = try FolderClient(root.serve(writable: true, on: host), on: app)
                group.addTask {
                    defer { host.close() }
                    var versions: [UInt64] = []
                    for round in 0..<25 {
                        let request = FsProto.VersionedWriteTxtFileRequestBody(path: "f", txt: "\(writer) \(round)")
                        versions.append(
                            try await folder.versioned("writeTxtFile", request, as: CommonProto.UInt64Value.self).value)
                    }
                    return versions
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(versions.sorted() == Array(1...100))
    }

    @Test("archived versions are read, move with their file, count, and go with it") func archives() async throws {
        try await write("first", "d/f")
        try await folder.change("d/f", set: [.init(xaName: "n", str: .init(value: "v"))])
        #expect(try await archive("d/f") == 2)
        #expect(try await archive("d/f", 2) == 2)
        try await write("second", "d/f")
        #expect(try await archive("d/f") == 3)
        #expect(try await versions("d/f") == [2, 3])
        try await write("third", "d/f")
        for path in ["d/f", "e/g"] {
            #expect(try await read(path, archived(2)).txt == "first")
            #expect(try await read(path, archived(3)).txt == "second")
            #expect(try await failure { try await read(path, archived(1)) } == "ENOENT notFound")
            #expect(try await read(path).txt == "third")
            if path == "d/f" { try await folder.move("d/f", "e/g") }
        }
        #expect(try await folder.names("d") == [])
        #expect(try await folder.names("e") == ["g"])
        #expect(try storage.names("d") == [])
        let stat: FileProto.StatsMsg = try await folder.versioned(
            "stat", FsProto.PathAndFlagsRequestBody(path: "e/g", flags: archived(2)))
        #expect(stat.size?.value == 5 && stat.version?.value == 2 && !stat.writable)
        // A copy is another file.
        try await folder.copyFile("e/g", "e/h")
        #expect(try await versions("e/h") == [])
        try await folder.deleteFile("e/g")
        try await folder.deleteFile("e/h")
        #expect(try storage.names("e") == [])
        try await folder.deleteFolder("e")
    }

    @Test("an archived version of a folder says what it held") func archivedFolder() async throws {
        try await folder.write("x", "d/a")
        let version = try await archive("d")
        try await folder.deleteFile("d/a")
        #expect(try await versions("d") == [version])
        let listing = try await folder.versioned(
            "listFolder", FsProto.PathAndFlagsRequestBody(path: "d", flags: archived(version)),
            as: FsProto.VersionedListFolderReplyBody.self)
        #expect(listing.version == version && listing.entries.map(\.name) == ["a"])
        #expect(try await folder.names("d") == [])
        try await folder.deleteFolder("d")
        #expect(try storage.names() == [])
    }

    @Test("apps neither name nor see what is kept") func hidden() async throws {
        try await write("x", "d/f")
        _ = try await archive("d/f")
        for path in ["d/.alcove-versions", ".alcove-versions", "d/x/../.alcove-versions/a"] {
            #expect(try await failure { try await folder.list(path) } == "EPERM opNotPermitted")
            #expect(try await failure { try await folder.write("x", path) } == "EPERM opNotPermitted")
        }
        #expect(try await folder.names("d") == ["f"])
        try await folder.copyFolder("d", "e")
        #expect(try storage.names("e") == ["f"])
        try storage.link("l", to: "d/.alcove-versions")
        #expect(try await failure { try await folder.readLink("l").folder() } == "EPERM opNotPermitted")
        try await folder.change("d/f", set: [.init(xaName: "../version", str: .init(value: "9"))])
        #expect(try await version("d/f") == 2)
    }

    @Test("there are only so many archived versions, and the quota counts them") func limits() async throws {
        var limits = StorageLimits()
        limits.archivedVersions = 2
        limits.quota = 40_000
        limits.recountPause = .zero
        let storage = try StorageFixture(limits: limits, below: NSTemporaryDirectory())
        let folder = try storage.folder()
        func archive() async throws {
            let request = FsProto.ArchiveCurrentRequestBody(path: "f")
            _ = try await folder.versioned("archiveCurrent", request, as: CommonProto.UInt64Value.self)
        }
        for _ in 0..<2 {
            try await folder.write("x", "f")
            try await archive()
        }
        try await folder.write("x", "f")
        #expect(try await failure { try await archive() } == "ENOSPC limitExceeded")
        // Three files, and two folders for the versions.
        let left = [UInt8](repeating: 1, count: 40_000 - 6 * 4096)
        #expect(try await failure { try await folder.write(left, "g") } == "EDQUOT quotaExceeded")
        try await folder.deleteFile("f")
        try await folder.write(left, "g")
    }

    @Test("what a sink left empty is shown as empty in the base") func empty() async throws {
        let sink = try await folder.sink("f")
        try await sink.splice(0, 0, [UInt8](repeating: 1, count: 100))
        try await sink.splice(110, 0, [2])
        #expect(try await sink.layout == ["new 0+100", "empty 100+10", "new 110+1"])
        try await sink.done()
        let second = try await folder.sink("f", .init())
        #expect(try await second.layout == ["base 0+100", "empty 100+10", "base 110+1"])
        try await second.splice(50, 40)
        #expect(try await second.layout == ["base 0+60", "empty 60+10", "base 70+1"])
        try await second.done()
        #expect(try await folder.bytes("f") == Array(repeating: 1, count: 60) + Array(repeating: 0, count: 10) + [2])
        // What others write in its place is read, and shown, as it is.
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: storage.path + "/root/f"))
        try handle.write(contentsOf: Data(repeating: 7, count: 80))
        try handle.close()
        let third = try await folder.sink("f", .init())
        #expect(try await third.layout == ["base 0+80"])
        try await third.done()
        #expect(try await folder.bytes("f") == Array(repeating: 7, count: 80))
    }

    @Test("a sink that is discarded takes away what it made, and makes no version") func discarded() async throws {
        let sink = try await folder.sink("new")
        try await sink.splice(0, 0, [1])
        try await sink.done("no")
        #expect(try await folder.names() == [])
        try await write("a", "f")
        let other = try await folder.sink("f")
        try await other.done("no")
        #expect(try await read("f").version == 1)
        // What somebody else wrote meanwhile stays.
        let third = try await folder.sink("g")
        try await folder.write("theirs", "g")
        try await third.done("no")
        #expect(try await folder.text("g") == "theirs")
    }
}
